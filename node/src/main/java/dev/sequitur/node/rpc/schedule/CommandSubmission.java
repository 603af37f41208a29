package dev.sequitur.node.rpc.schedule;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.sequitur.json.Sent;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.method.Call;
import dev.sequitur.node.rpc.method.NodeContext;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.IdempotencyKey;
import dev.sequitur.protocol.port.IdempotencyKey.Owner;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.family.FamilyOperation;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.plan.PlanOperation;
import dev.sequitur.schedule.queue.QueueEffect.Answer;
import dev.sequitur.schedule.queue.QueueEffect.BatchAnswer;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.signing.ResponseCode;
import dev.sequitur.scheduler.KnownSchedule;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.SchedulerNode;
import dev.sequitur.scheduler.body.SubmittedTransaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
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
        .hidden()
        .thenCompose(
            hidden ->
                context
                    .scheduler()
                    .submit(
                        queue,
                        new Command(
                            command,
                            as,
                            hidden.<Operation>map(Operation.Cancel::new).orElse(operation))))
        .thenCompose(sight::told)
        .thenApply(CommandSubmission::taken);
  }

  /** A transaction that its payer has signed. */
  CompletionStage<Answer> submit(Call call, Sent sent, SubmittedTransaction transaction) {
    var queue = sent.get(CommandFields.QUEUE);
    var payer = payer(transaction);
    var command = id(call, sent, payer);
    var sight = new Sighted(call, queue, payer, transaction.operation().about());
    return sight
        .hidden()
        .thenCompose(
            hidden ->
                hidden
                    .map(none -> new Command(command, payer, new Operation.Cancel(none)))
                    .map(instead -> context.scheduler().submit(queue, instead))
                    .orElseGet(() -> context.scheduler().submit(queue, command, transaction)))
        .thenCompose(sight::told)
        .thenApply(CommandSubmission::taken);
  }

  /**
   * Somebody would act on a schedule. For who may not see it there is none (CLR-4): its command is
   * about one that is not there in its place, and of each refusal it is told what it would be told
   * then, since one that says who may cancel a schedule, or that it has been started, says that it
   * exists. What a queue refuses whatever the schedule is stays as it is.
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

    /** In place of one that is there and not to be seen, one that never is; else empty. */
    CompletionStage<Optional<ScheduleId>> hidden() {
      return isTold()
          ? completedFuture(Optional.empty())
          : known()
              .thenApply(
                  known ->
                      known.isNothing() || SeenSchedules.sees(call, known)
                          ? Optional.empty()
                          : Optional.of(
                              new ScheduleId(about.get().family(), new Hash(0, 0, 0, 0))));
    }

    CompletionStage<Answer> told(Answer answer) {
      return isTold() || answer.refusal().filter(Sighted::dependsOnSchedule).isEmpty()
          ? completedFuture(answer)
          : known()
              .thenApply(
                  known ->
                      SeenSchedules.sees(call, known) ? answer : notThere(answer, about.get()));
    }

    private boolean isTold() {
      return about.isEmpty()
          || as.equals(context.scheduler().setup().administrator())
          || SeenSchedules.seesAll(call);
    }

    private CompletionStage<KnownSchedule> known() {
      return context.scheduler().schedule(queue, about.get());
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
    return Answers.<Sighted, Optional<ScheduleId>>inTurn(sights, Sighted::hidden)
        .thenCompose(
            hidden -> {
              var seen = new Operation.Batch(instead(operations, hidden), revertIfFails);
              return context.scheduler().submit(queue, command, sender, seen);
            })
        .thenCompose(answer -> told(sights, answer));
  }

  private static List<FamilyOperation> instead(
      List<FamilyOperation> operations, List<Optional<ScheduleId>> hidden) {
    var instead = new ArrayList<FamilyOperation>();
    for (int i = 0; i < operations.size(); i++) {
      var operation = operations.get(i);
      instead.add(
          hidden
              .get(i)
              .<FamilyOperation>map(PlanOperation.CancelScheduling::new)
              .orElse(operation));
    }
    return instead;
  }

  private static CompletionStage<BatchAnswer> told(List<Sighted> sights, BatchAnswer answer) {
    var each = new ArrayList<CompletableFuture<Answer>>();
    for (int i = 0; i < answer.each().size(); i++) {
      each.add(sights.get(i).told(answer.each().get(i)).toCompletableFuture());
    }
    return Answers.all(each)
        .thenApply(told -> new BatchAnswer(answer.command(), answer.kept(), told));
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
  CompletionStage<ScheduleId> propose(Call call, Sent sent, Proposal proposal) {
    return proposed(call, sent, proposal).thenApply(CommandSubmission::admitted);
  }

  /** The same, with all that the family answers. */
  CompletionStage<Answer> proposed(Call call, Sent sent, Proposal proposal) {
    return submit(call, sent, proposal.owner(), new Operation.Propose(proposal));
  }

  static ScheduleId admitted(Answer answer) {
    return answer
        .schedule()
        .orElseThrow(() -> new IllegalStateException("Admitted without an id."));
  }

  private static Answer taken(Answer answer) {
    if (answer.refusal().isPresent()) {
      throw refused(answer.refusal().get());
    }
    return answer;
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
