package dev.sequitur.node.rpc.schedule;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.sequitur.json.Sent;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.method.Call;
import dev.sequitur.node.rpc.method.NodeContext;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.IdempotencyKey;
import dev.sequitur.protocol.port.IdempotencyKey.Owner;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.family.FamilyOperation;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.multisignature.MultiSignatureResult;
import dev.sequitur.schedule.queue.QueueEffect;
import dev.sequitur.schedule.queue.QueueEffect.Answer;
import dev.sequitur.schedule.queue.QueueEffect.BatchAnswer;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.queue.Trial;
import dev.sequitur.schedule.signing.ResponseCode;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.SchedulerNode;
import dev.sequitur.scheduler.body.SubmittedTransaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Turns what a caller asks into commands of a queue, and refusals into errors. */
record CommandSubmission(NodeContext context) {
  private static final int TIME_BITS = 48;
  private static final Pattern UUID_7 =
      Pattern.compile(
          "[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}",
          Pattern.CASE_INSENSITIVE);

  /**
   * @param call whose caller and method have idempotency keys of their own
   * @param as whom the caller acts as: whoever reaches the endpoint is the node's owner
   * @return fails with {@link RpcFailure} if the queue refuses it: then nothing is stored
   */
  CompletionStage<Answer> submit(Call call, Sent sent, AccountId as, Operation operation) {
    var queue = sent.get(CommandFields.QUEUE);
    var command = id(call, sent, as);
    var sight = new Sighted(call, queue, as, operation.about().getFirst());
    return sight
        .isUnseen()
        .thenCompose(
            unseen ->
                submit(queue, new Command(command, as, operation), unseen)
                    .thenApply(answer -> unseen ? sight.none(answer) : answer))
        .thenApply(CommandSubmission::taken);
  }

  private CompletionStage<Answer> submit(QueueName queue, Command asked, boolean unseen) {
    return unseen
        ? unlessDone(
            queue, asked, () -> context.scheduler().submit(queue, asked.aboutNone()), Answer.class)
        : context.scheduler().submit(queue, asked);
  }

  /**
   * What was done under its id is told, also if it is about what is gone. That another command was
   * done is for the queue to say: it remembers what it was given in place of this one.
   */
  private <T> CompletionStage<T> unlessDone(
      QueueName queue, Command asked, Supplier<CompletionStage<T>> otherwise, Class<T> kind) {
    return context
        .scheduler()
        .done(queue, asked)
        .thenCompose(
            done ->
                done.filter(answer -> !isAnotherCommands(answer))
                    .<CompletionStage<T>>map(answer -> completedFuture(kind.cast(answer)))
                    .orElseGet(otherwise));
  }

  private static boolean isAnotherCommands(QueueEffect answer) {
    var each =
        switch (answer) {
          case Answer one -> List.of(one);
          case BatchAnswer batch -> batch.each();
          default -> List.<Answer>of();
        };
    return each.stream()
        .flatMap(one -> one.refusal().stream())
        .anyMatch(refusal -> refusal.code() == Refusal.Code.COMMAND_REUSED);
  }

  /** A transaction that its payer has signed. */
  CompletionStage<Answer> submit(Call call, Sent sent, SubmittedTransaction transaction) {
    var queue = sent.get(CommandFields.QUEUE);
    var payer = payer(transaction);
    var command = id(call, sent, payer);
    var sight = new Sighted(call, queue, payer, transaction.operation().about());
    return sight
        .isUnseen()
        .thenCompose(
            unseen ->
                context
                    .scheduler()
                    .submit(queue, command, transaction, unseen)
                    .thenApply(answer -> unseen ? sight.none(answer) : answer))
        .thenApply(CommandSubmission::taken);
  }

  /** Whether a schedule is there for a caller. */
  private enum Sight {
    THERE,
    HIDDEN,
    /** Nobody has it. */
    NOTHING
  }

  /**
   * Somebody would act on a schedule. For who may not see it there is none (CLR-4), nor if there
   * was none when it was looked for, whatever comes into being until the queue decides: the queue
   * gets the same operation about one that never is, and so refuses it for the same reasons when it
   * is busy. Of what else it says the caller is told one refusal, since one that says who may
   * cancel a schedule, or that it has been started, says that it exists.
   */
  private final class Sighted {
    private final Call call;
    private final QueueName queue;
    private final AccountId as;
    private final Optional<ScheduleId> about;

    /**
     * @param as the queue's administrator may end any schedule, and is told how each stands
     */
    Sighted(Call call, QueueName queue, AccountId as, Optional<ScheduleId> about) {
      this.call = call;
      this.queue = queue;
      this.as = as;
      this.about = about;
    }

    CompletionStage<Boolean> isUnseen() {
      return sight().thenApply(sight -> sight != Sight.THERE);
    }

    CompletionStage<Sight> sight() {
      return isTold()
          ? completedFuture(Sight.THERE)
          : context
              .scheduler()
              .schedule(queue, about.get())
              .thenApply(
                  known ->
                      SeenSchedules.sees(call, known)
                          ? Sight.THERE
                          : known.isNothing() ? Sight.NOTHING : Sight.HIDDEN);
    }

    private boolean isTold() {
      return about.isEmpty()
          || as.equals(context.scheduler().setup().administrator())
          || SeenSchedules.seesAll(call);
    }

    /** What was answered to an operation about none, or to the one that was done before. */
    Answer none(Answer answer) {
      return answer.refusal().filter(Sighted::dependsOnSchedule).isEmpty()
          ? answer
          : notThere(answer, about.get());
    }

    private static boolean dependsOnSchedule(Refusal refusal) {
      return refusal.code() != Refusal.Code.BUSY && refusal.code() != Refusal.Code.COMMAND_REUSED;
    }
  }

  private Answer notThere(Answer answer, ScheduleId id) {
    return new Answer(
        answer.command(), Optional.empty(), Optional.of(notThere(id)), Optional.empty());
  }

  private Refusal notThere(ScheduleId id) {
    return id.family() == FamilyKind.MULTI_SIGNATURE
        ? ResponseCode.INVALID_SCHEDULE_ID.refusal(MultiSignatureMethods.profile(context))
        : new Refusal(
            Refusal.Code.UNKNOWN_SCHEDULE,
            "No such schedule waits here that you may see, or not any more.");
  }

  /**
   * Several operations in one step.
   *
   * @return the answer, also if it was undone; fails if there are too many
   */
  CompletionStage<BatchAnswer> batch(
      Call call,
      Sent sent,
      AccountId sender,
      List<FamilyOperation> operations,
      boolean revertIfFails) {
    Operation.Batch batch;
    try {
      batch = new Operation.Batch(operations, revertIfFails);
    } catch (IllegalArgumentException e) {
      throw new RpcFailure(ErrorCode.WRONG_TYPE, e.getMessage());
    }
    var queue = sent.get(CommandFields.QUEUE);
    var command = id(call, sent, sender);
    var sights =
        batch.about().stream().map(about -> new Sighted(call, queue, sender, about)).toList();
    return Answers.<Sighted, Sight>inTurn(sights, Sighted::sight)
        .thenCompose(
            seen -> {
              CompletionStage<BatchAnswer> answered =
                  seen.stream().allMatch(Sight.THERE::equals)
                      ? context.scheduler().submit(queue, command, sender, batch)
                      : unlessDone(
                          queue,
                          new Command(command, sender, batch),
                          () ->
                              context
                                  .scheduler()
                                  .submit(queue, command, sender, instead(batch, seen)),
                          BatchAnswer.class);
              return answered.thenApply(answer -> told(sights, seen, answer));
            });
  }

  /** What is not there yet may be scheduled by an operation before it. */
  private static Operation.Batch instead(Operation.Batch batch, List<Sight> seen) {
    var instead = new ArrayList<FamilyOperation>();
    boolean schedules = false;
    for (int i = 0; i < seen.size(); i++) {
      var operation = batch.operations().get(i);
      boolean unseen = seen.get(i) == Sight.HIDDEN || (seen.get(i) == Sight.NOTHING && !schedules);
      instead.add(unseen ? operation.aboutNone() : operation);
      schedules |= operation.targets().findAny().isPresent();
    }
    return new Operation.Batch(instead, batch.revertIfFails());
  }

  private static BatchAnswer told(List<Sighted> sights, List<Sight> seen, BatchAnswer answer) {
    var told = new ArrayList<Answer>();
    for (int i = 0; i < answer.each().size(); i++) {
      var each = answer.each().get(i);
      told.add(seen.get(i) == Sight.THERE ? each : sights.get(i).none(each));
    }
    return new BatchAnswer(answer.command(), answer.kept(), told);
  }

  /** That of a schedule that is not there, for who may not see the one that is. */
  RpcFailure refusedNotThere(ScheduleId id) {
    return refused(notThere(id));
  }

  private String id(Call call, Sent sent, AccountId as) {
    var key = sent.find(CommandFields.IDEMPOTENCY_KEY);
    sent.find(CommandFields.FIRST_SENT)
        .or(() -> key.flatMap(CommandSubmission::madeAt))
        .ifPresent(this::refuseTooOld);
    return key.map(name -> call.method() + "/" + owned(call, as, name).hash())
        .orElseGet(() -> SchedulerNode.ONCE + context.ids().get());
  }

  /** Where nobody is asked who calls, the account is whoever acts as it. */
  private static IdempotencyKey owned(Call call, AccountId as, String name) {
    var caller = call.exchange().caller();
    return new IdempotencyKey(
        caller.isAsked() ? Owner.of(caller) : new Owner("account:" + as.value()), name);
  }

  private static AccountId payer(SubmittedTransaction transaction) {
    return transaction.header().id().account().account();
  }

  /** When a key was made, if it is a UUID of version 7 (RFC 9562), which begins with its time. */
  private static Optional<Instant> madeAt(String key) {
    return UUID_7.matcher(key).matches()
        ? Optional.of(
            Instant.ofEpochMilli(
                UUID.fromString(key).getMostSignificantBits() >>> (Long.SIZE - TIME_BITS)))
        : Optional.empty();
  }

  /** What the queue no longer knows would be done again. */
  private void refuseTooOld(Instant firstSent) {
    var remembered = context.scheduler().commandsRememberedFor();
    if (firstSent.isBefore(context.clock().instant().minus(remembered))) {
      throw new RpcFailure(
          ErrorCode.SCHEDULE_COMMAND_TOO_OLD,
          "It was first sent at "
              + firstSent
              + ", and a queue remembers for "
              + remembered
              + " what it has done under a key. It was not done now: find out whether it was then,"
              + " and if not, send it under a new key.");
    }
  }

  /** As the queue's administrator. */
  CompletionStage<Answer> administer(Call call, Sent sent, Operation operation) {
    return submit(call, sent, context.scheduler().setup().administrator(), operation);
  }

  /** In the name of its owner. */
  private CompletionStage<Answer> proposed(Call call, Sent sent, Proposal proposal) {
    return submit(call, sent, proposal.owner(), new Operation.Propose(proposal));
  }

  /**
   * Proposed in the name of its owner, or, in a dry run, only tried.
   *
   * @param sent which has {@link Created#DRY_RUN}
   * @param told what is answered of what was made
   */
  <T> CompletionStage<Created<T>> create(
      Call call, Sent sent, Proposal proposal, Function<Answer, CompletionStage<T>> told) {
    return sent.get(Created.DRY_RUN)
        ? tried(sent, proposal.owner(), new Operation.Propose(proposal)).thenApply(Created::tried)
        : proposed(call, sent, proposal).thenCompose(told).thenApply(Created::made);
  }

  /** What would come of an operation that is about no schedule that is there. */
  CompletionStage<Trial> tried(Sent sent, AccountId as, Operation operation) {
    var command = new Command(SchedulerNode.ONCE + context.ids().get(), as, operation);
    return context
        .scheduler()
        .tryOut(sent.get(CommandFields.QUEUE), command)
        .thenApply(CommandSubmission::unlessRefused);
  }

  /** The same of a transaction that its payer has signed. */
  CompletionStage<Trial> tried(Sent sent, SubmittedTransaction transaction) {
    return context
        .scheduler()
        .tryOut(sent.get(CommandFields.QUEUE), transaction)
        .thenApply(CommandSubmission::unlessRefused);
  }

  private static Trial unlessRefused(Trial trial) {
    taken(trial.answer());
    return trial;
  }

  static ScheduleId admitted(Answer answer) {
    return answer
        .schedule()
        .orElseThrow(() -> new IllegalStateException("Admitted without an id."));
  }

  private static Answer taken(Answer answer) {
    if (answer.refusal().isPresent()) {
      throw refused(answer);
    }
    return answer;
  }

  /** With the receipt of a transaction that has one: of an identical creation, what there is. */
  private static RpcFailure refused(Answer answer) {
    var failure = refused(answer.refusal().orElseThrow());
    return answer.result().orElse(null) instanceof MultiSignatureResult receipt
        ? failure.with(SigningShapes.RESULT.write(receipt))
        : failure;
  }

  static RpcFailure refused(Refusal refusal) {
    return new RpcFailure(code(refusal.code()), refusal.status(), refusal.sentence());
  }

  /** A refusal that callers would see without a code does not compile. */
  static ErrorCode code(Refusal.Code code) {
    return switch (code) {
      case SERVICE_NOT_ACTIVE -> ErrorCode.SCHEDULE_SERVICE_NOT_ACTIVE;
      case NOT_ALLOWED -> ErrorCode.SCHEDULE_NOT_ALLOWED;
      case TIME_NOT_IN_FUTURE -> ErrorCode.SCHEDULE_TIME_NOT_IN_FUTURE;
      case BAD_TIME -> ErrorCode.SCHEDULE_BAD_TIME;
      case PRICE_TOO_LOW -> ErrorCode.SCHEDULE_PRICE_TOO_LOW;
      case TOO_LARGE -> ErrorCode.SCHEDULE_TOO_LARGE;
      case DUPLICATE -> ErrorCode.SCHEDULE_DUPLICATE;
      case SLOT_FULL -> ErrorCode.SCHEDULE_SLOT_FULL;
      case OVERFLOW -> ErrorCode.SCHEDULE_OVERFLOW;
      case INSUFFICIENT_BALANCE -> ErrorCode.SCHEDULE_INSUFFICIENT_BALANCE;
      case UNKNOWN_SCHEDULE -> ErrorCode.SCHEDULE_UNKNOWN_SCHEDULE;
      case ALREADY_STARTED -> ErrorCode.SCHEDULE_ALREADY_STARTED;
      case BUSY -> ErrorCode.SCHEDULE_BUSY;
      case BAD_STATE -> ErrorCode.SCHEDULE_BAD_STATE;
      case UNKNOWN_ACCOUNT -> ErrorCode.SCHEDULE_UNKNOWN_ACCOUNT;
      case WRONG_PAYMENT -> ErrorCode.SCHEDULE_WRONG_PAYMENT;
      case NOT_APPROVED -> ErrorCode.SCHEDULE_NOT_APPROVED;
      case NO_EXECUTION_LEFT -> ErrorCode.SCHEDULE_NO_EXECUTION_LEFT;
      case OUTSIDE_WINDOW -> ErrorCode.SCHEDULE_OUTSIDE_WINDOW;
      case TOO_LITTLE_GAS -> ErrorCode.SCHEDULE_TOO_LITTLE_GAS;
      case COMMAND_REUSED -> ErrorCode.SCHEDULE_COMMAND_REUSED;
    };
  }
}
