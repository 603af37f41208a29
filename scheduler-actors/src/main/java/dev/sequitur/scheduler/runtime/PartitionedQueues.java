package dev.sequitur.scheduler.runtime;

import static java.util.concurrent.CompletableFuture.completedFuture;
import static java.util.concurrent.CompletableFuture.failedFuture;

import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.Partition;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.family.FamilyQuery;
import dev.sequitur.schedule.family.FamilyState;
import dev.sequitur.schedule.family.Forecast;
import dev.sequitur.schedule.queue.CalendarPage;
import dev.sequitur.schedule.queue.Explanation;
import dev.sequitur.schedule.queue.Happenings;
import dev.sequitur.schedule.queue.Outcomes;
import dev.sequitur.schedule.queue.QueueAudit;
import dev.sequitur.schedule.queue.QueueEffect;
import dev.sequitur.schedule.queue.QueueEffect.Answer;
import dev.sequitur.schedule.queue.QueueEffect.BatchAnswer;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.queue.QueueInput.Operation.Batch;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.schedule.queue.Trial;
import dev.sequitur.scheduler.CalendarQuery;
import dev.sequitur.scheduler.KnownSchedule;
import dev.sequitur.scheduler.NoticeListener;
import dev.sequitur.scheduler.OutcomeQuery;
import dev.sequitur.scheduler.PartitionedQueueException;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.QueueOverview;
import dev.sequitur.scheduler.SchedulePage;
import dev.sequitur.scheduler.ScheduleQuery;
import dev.sequitur.scheduler.SchedulerNode;
import dev.sequitur.scheduler.SchedulerUnavailableException;
import dev.sequitur.scheduler.Subscription;
import dev.sequitur.scheduler.body.SubmittedTransaction;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * The queues of a node as callers name them: a queue that is spread by owner under one name
 * (SCH-28). What is of one owner goes to its partition, what is asked of all is put together, and
 * what has no order over all is refused in words. It knows where things are and decides nothing: a
 * partition refuses what is not its own. Queues of one pass through. Thread-safe.
 */
public final class PartitionedQueues implements SchedulerNode {
  private static final Comparator<Forecast> BY_FULLNESS =
      Comparator.comparing(Forecast::full)
          .thenComparing(Forecast::taken)
          .thenComparing(Forecast::price);

  private final SchedulerNode entities;
  private final Map<QueueName, Integer> counts;

  /** Those of which it is known in this JVM that each partition has stored what it is. */
  private final Map<QueueName, CompletableFuture<Void>> made = new ConcurrentHashMap<>();

  /**
   * @param entities in which each partition is a queue, by {@link QueueName#entity}
   * @param counts how many partitions queues have, 2 or more; all others are one
   */
  public PartitionedQueues(SchedulerNode entities, Map<QueueName, Integer> counts) {
    this.entities = entities;
    this.counts = Map.copyOf(counts);
  }

  /** A queue that is spread, named as a whole. */
  private record Whole(QueueName name, int count) {
    QueueName home(AccountId account) {
      return name.entity(Partition.home(account, count));
    }

    List<QueueName> all() {
      return IntStream.range(0, count).mapToObj(name::entity).toList();
    }

    /** As callers name its partitions. */
    String partitions() {
      return name + "/0 to " + name + "/" + (count - 1);
    }

    <T> CompletionStage<T> refuses(String why) {
      return failedFuture(
          new PartitionedQueueException(
              "The queue %s has %d partitions: %s, so name one, %s."
                  .formatted(name, count, why, partitions())));
    }
  }

  private <T> CompletionStage<T> at(
      QueueName queue,
      Function<Whole, CompletionStage<T>> whole,
      Function<QueueName, CompletionStage<T>> one) {
    int count = counts.getOrDefault(queue.whole(), 1);
    var partition = queue.partition();
    if (count == 1 && partition.isEmpty()) {
      return one.apply(queue);
    } else if (partition.orElse(0) >= count || count == 1) {
      return failedFuture(noSuch(queue, count));
    }
    return made(queue.whole(), count)
        .thenCompose(
            known ->
                partition.isPresent()
                    ? one.apply(queue.entity(partition.getAsInt()))
                    : whole.apply(new Whole(queue, count)));
  }

  private static PartitionedQueueException noSuch(QueueName queue, int count) {
    return new PartitionedQueueException(
        count == 1
            ? "The queue %s has no partitions: name it without one.".formatted(queue.whole())
            : "There is no %s: the queue %s has %d partitions, from 0 on."
                .formatted(queue, queue.whole(), count));
  }

  /**
   * Has each partition store what it is, the first before all others: so the number cannot be
   * another one where the first knows it.
   */
  private CompletionStage<Void> made(QueueName queue, int count) {
    var known = made.get(queue);
    if (known != null && !known.isCompletedExceptionally()) {
      return known;
    }
    var begun =
        divide(queue, new Partition(0, count))
            .thenCompose(
                first ->
                    Answers.all(
                        IntStream.range(1, count)
                            .mapToObj(index -> divide(queue, new Partition(index, count)))
                            .toList()))
            .<Void>thenApply(all -> null)
            .toCompletableFuture();
    made.put(queue, begun);
    return begun;
  }

  private CompletionStage<Answer> divide(QueueName queue, Partition place) {
    var entity = queue.entity(place.index());
    var divide =
        new Command(
            ONCE + "divide/" + place.index() + "/" + place.count(),
            setup().administrator(),
            new Operation.Divide(place));
    return entities
        .submit(entity, divide)
        .thenApply(
            answer -> {
              answer
                  .refusal()
                  .ifPresent(
                      refusal -> {
                        throw new SchedulerUnavailableException(
                            "The queue " + queue + " has no partitions yet. " + refusal.sentence(),
                            null);
                      });
              return answer;
            });
  }

  private static <T> CompletionStage<List<T>> each(
      Whole whole, Function<QueueName, CompletionStage<T>> ask) {
    return Answers.all(whole.all().stream().map(ask).toList());
  }

  @Override
  public NodeName name() {
    return entities.name();
  }

  @Override
  public QueueSetup setup() {
    return entities.setup();
  }

  @Override
  public Duration commandsRememberedFor() {
    return entities.commandsRememberedFor();
  }

  @Override
  public List<QueueName> queues() {
    return entities.queues().stream().map(QueueName::whole).distinct().toList();
  }

  @Override
  public Optional<String> refusesOrder(QueueName queue) {
    int count = counts.getOrDefault(queue.whole(), 1);
    if (queue.partition().isEmpty()) {
      return count == 1
          ? Optional.empty()
          : Optional.of(
              "What happens in the queue %s has an order in each of its %d partitions, and none over all: name one, %s."
                  .formatted(queue, count, new Whole(queue, count).partitions()));
    }
    return count == 1 || queue.partition().getAsInt() >= count
        ? Optional.of(noSuch(queue, count).getMessage())
        : Optional.empty();
  }

  @Override
  public CompletionStage<Answer> submit(QueueName queue, Command command) {
    return at(queue, whole -> submit(whole, command), entity -> entities.submit(entity, command));
  }

  @Override
  public CompletionStage<List<Answer>> submit(QueueName queue, List<Command> commands) {
    return at(
        queue,
        whole -> Answers.all(commands.stream().map(command -> submit(whole, command)).toList()),
        entity -> entities.submit(entity, commands));
  }

  @Override
  public CompletionStage<BatchAnswer> submit(
      QueueName queue, String command, AccountId signer, Batch batch) {
    return at(
        queue,
        whole -> entities.submit(whole.home(signer), command, signer, batch),
        entity -> entities.submit(entity, command, signer, batch));
  }

  private CompletionStage<Answer> submit(Whole whole, Command command) {
    if (command.operation().isOfWholeQueue()) {
      return each(whole, entity -> entities.submit(entity, command))
          .thenApply(answers -> together(whole, answers));
    } else if (isOfFees(command.operation())) {
      var why =
          "The account %s is in each partition: name the one to withdraw from, %s."
              .formatted(AccountId.FEES, whole.partitions());
      return completedFuture(
          Answer.refused(command.command(), new Refusal(Refusal.Code.NOT_ALLOWED, why)));
    }
    return place(whole, command).thenCompose(entity -> entities.submit(entity, command));
  }

  private static boolean isOfFees(Operation operation) {
    return operation instanceof Operation.Withdraw(var account, var ignored)
        && account.equals(AccountId.FEES);
  }

  /** The administrator's one answer: done where it was, and why not elsewhere. */
  private static Answer together(Whole whole, List<Answer> answers) {
    var refused = answers.stream().filter(answer -> answer.refusal().isPresent()).toList();
    if (refused.isEmpty() || refused.size() == answers.size()) {
      return answers.getFirst();
    }
    var first = refused.getFirst().refusal().orElseThrow();
    var sentence =
        "%d of the %d partitions of %s have done it. The others: %s"
            .formatted(
                answers.size() - refused.size(), whole.count(), whole.name(), first.sentence());
    return Answer.refused(refused.getFirst().command(), new Refusal(first.code(), sentence));
  }

  /** Where a command belongs that is for one partition. */
  private CompletionStage<QueueName> place(Whole whole, Command command) {
    return switch (command.operation()) {
      case Operation.Propose(var proposal) -> completedFuture(whole.home(proposal.owner()));
      case Operation.Fund(var account, var ignored) -> completedFuture(whole.home(account));
      case Operation.Withdraw(var account, var ignored) -> completedFuture(whole.home(account));
      case Operation.Batch ignored -> completedFuture(whole.home(command.signer()));
      default -> {
        var about = command.operation().about().stream().flatMap(Optional::stream).findFirst();
        boolean ofAnother = about.isPresent() && command.signer().equals(setup().administrator());
        yield ofAnother
            ? found(whole, about.get())
                .thenApply(found -> found.map(Found::entity).orElse(whole.home(command.signer())))
            : completedFuture(whole.home(command.signer()));
      }
    };
  }

  /** Where a schedule is known, and what is known of it there. */
  private record Found(QueueName entity, KnownSchedule schedule) {}

  /** An id cannot tell its partition: the families' specifications say what it is made of. */
  private CompletionStage<Optional<Found>> found(Whole whole, ScheduleId id) {
    return each(
            whole,
            entity -> entities.schedule(entity, id).thenApply(known -> new Found(entity, known)))
        .thenApply(all -> all.stream().filter(found -> !found.schedule().isNothing()).findFirst());
  }

  @Override
  public CompletionStage<Answer> submit(
      QueueName queue, String command, SubmittedTransaction transaction, boolean unseen) {
    var refusal =
        counts.containsKey(queue.whole())
            ? setup().refusesPartitioned(FamilyKind.MULTI_SIGNATURE)
            : Optional.<Refusal>empty();
    return refusal.isPresent()
        ? completedFuture(Answer.refused(command, refusal.get()))
        : at(
            queue,
            whole -> whole.refuses("it takes no signed transactions"),
            entity -> entities.submit(entity, command, transaction, unseen));
  }

  @Override
  public CompletionStage<Optional<QueueEffect>> done(QueueName queue, Command command) {
    return at(queue, whole -> done(whole, command), entity -> entities.done(entity, command));
  }

  /** What is for all partitions is done when it was in each. */
  private CompletionStage<Optional<QueueEffect>> done(Whole whole, Command command) {
    if (!command.operation().isOfWholeQueue()) {
      return place(whole, command).thenCompose(entity -> entities.done(entity, command));
    }
    return each(whole, entity -> entities.done(entity, command))
        .thenApply(
            all -> all.stream().allMatch(Optional::isPresent) ? all.getFirst() : Optional.empty());
  }

  @Override
  public CompletionStage<Trial> tryOut(QueueName queue, Command command) {
    return at(queue, whole -> tryOut(whole, command), entity -> entities.tryOut(entity, command));
  }

  /** What is for all partitions is tried in each, and told of the first that refuses it. */
  private CompletionStage<Trial> tryOut(Whole whole, Command command) {
    if (command.operation().isOfWholeQueue()) {
      return each(whole, entity -> entities.tryOut(entity, command))
          .thenApply(PartitionedQueues::firstRefused);
    } else if (isOfFees(command.operation())) {
      return whole.refuses("the account " + AccountId.FEES + " is in each");
    }
    return place(whole, command).thenCompose(entity -> entities.tryOut(entity, command));
  }

  private static Trial firstRefused(List<Trial> tried) {
    return tried.stream()
        .filter(trial -> trial.answer().refusal().isPresent())
        .findFirst()
        .orElse(tried.getFirst());
  }

  @Override
  public CompletionStage<List<ConsensusTime>> times(
      QueueName queue, ScheduleId schedule, int atMost) {
    return at(
        queue,
        whole ->
            found(whole, schedule)
                .thenCompose(
                    found ->
                        found.isPresent()
                            ? entities.times(found.get().entity(), schedule, atMost)
                            : completedFuture(List.of())),
        entity -> entities.times(entity, schedule, atMost));
  }

  @Override
  public CompletionStage<CalendarPage> calendar(QueueName queue, CalendarQuery query) {
    return at(
        queue,
        whole ->
            query
                .owner()
                .map(owner -> entities.calendar(whole.home(owner), query))
                .orElseGet(
                    () ->
                        each(whole, entity -> entities.calendar(entity, query))
                            .thenApply(pages -> CalendarPage.merged(pages, query.limit()))),
        entity -> entities.calendar(entity, query));
  }

  @Override
  public CompletionStage<Explanation> explain(QueueName queue, ScheduleId schedule) {
    return at(
        queue,
        whole ->
            found(whole, schedule)
                .thenCompose(
                    found ->
                        entities.explain(found.map(Found::entity).orElse(whole.name()), schedule)),
        entity -> entities.explain(entity, schedule));
  }

  @Override
  public CompletionStage<KnownSchedule> schedule(QueueName queue, ScheduleId schedule) {
    return at(
        queue,
        whole ->
            found(whole, schedule)
                .thenApply(
                    found ->
                        found
                            .map(Found::schedule)
                            .orElse(new KnownSchedule(Optional.empty(), Optional.empty()))),
        entity -> entities.schedule(entity, schedule));
  }

  @Override
  public CompletionStage<Outcomes> outcomes(QueueName queue, OutcomeQuery query) {
    return at(
        queue,
        whole ->
            query
                .owner()
                .or(query::account)
                .map(owner -> entities.outcomes(whole.home(owner), query))
                .orElseGet(
                    () ->
                        whole.refuses(
                            "outcomes have an order in each, and none over all but for one owner")),
        entity -> entities.outcomes(entity, query));
  }

  @Override
  public CompletionStage<Happenings> happenings(QueueName queue, long from, int limit) {
    return at(
        queue,
        whole -> whole.refuses("what happens has an order in each, and none over all"),
        entity -> entities.happenings(entity, from, limit));
  }

  @Override
  public CompletionStage<QueueAudit> audit(QueueName queue) {
    return at(
        queue,
        whole ->
            each(whole, entities::audit)
                .thenApply(all -> all.stream().reduce(QueueAudit::plus).orElseThrow()),
        entities::audit);
  }

  @Override
  public CompletionStage<QueueOverview> overview(QueueName queue) {
    return at(
        queue,
        whole ->
            each(whole, entities::overview)
                .thenApply(all -> all.stream().reduce(QueueOverview::plus).orElseThrow()),
        entities::overview);
  }

  @Override
  public CompletionStage<SchedulePage> schedules(QueueName queue, ScheduleQuery query) {
    return at(
        queue,
        whole ->
            query
                .owner()
                .map(owner -> entities.schedules(whole.home(owner), query))
                .orElseGet(() -> schedules(whole, query)),
        entity -> entities.schedules(entity, query));
  }

  /** Merged by id, as far as every partition was looked through. */
  private CompletionStage<SchedulePage> schedules(Whole whole, ScheduleQuery query) {
    var each = query.looks().map(looks -> query.looking(Math.max(1, looks / whole.count())));
    return each(whole, entity -> entities.schedules(entity, each.orElse(query)))
        .thenApply(pages -> SchedulePage.merged(pages, query.limit()));
  }

  @Override
  public CompletionStage<Amount> available(QueueName queue, AccountId account) {
    return at(
        queue,
        whole ->
            account.holder().equals(AccountId.FEES)
                ? each(whole, entity -> entities.available(entity, account))
                    .thenApply(all -> all.stream().reduce(Amount.ZERO, Amount::plus))
                : entities.available(whole.home(account), account),
        entity -> entities.available(entity, account));
  }

  @Override
  public CompletionStage<FamilyState> family(QueueName queue, FamilyKind family) {
    return at(
        queue,
        whole -> refuses(whole, family, "each knows its own of a family"),
        entity -> entities.family(entity, family));
  }

  @Override
  public <R> CompletionStage<R> ask(QueueName queue, FamilyQuery<R> query) {
    return at(
        queue,
        whole ->
            query
                .together()
                .map(
                    together ->
                        each(whole, entity -> entities.ask(entity, query))
                            .thenApply(all -> all.stream().reduce(together).orElseThrow()))
                .orElseGet(
                    () ->
                        refuses(
                            whole, query.family(), "each has slots, ticks and blocks of its own")),
        entity -> entities.ask(entity, query));
  }

  private <T> CompletionStage<T> refuses(Whole whole, FamilyKind family, String why) {
    return setup()
        .refusesPartitioned(family)
        .<CompletionStage<T>>map(
            refusal -> failedFuture(new PartitionedQueueException(refusal.sentence())))
        .orElseGet(() -> whole.refuses(why));
  }

  /** That of the fullest partition: in which of them somebody's schedule will be is not asked. */
  @Override
  public CompletionStage<Optional<Forecast>> forecast(
      QueueName queue, FamilyKind family, Instant at) {
    return at(
        queue,
        whole ->
            each(whole, entity -> entities.forecast(entity, family, at))
                .thenApply(all -> all.stream().flatMap(Optional::stream).max(BY_FULLNESS)),
        entity -> entities.forecast(entity, family, at));
  }

  /** Of all partitions under the name that was asked for; in order for each schedule. */
  @Override
  public Subscription subscribe(QueueName queue, NoticeListener listener) {
    int count = counts.getOrDefault(queue.whole(), 1);
    if (queue.partition().isPresent()) {
      refusesOrder(queue)
          .ifPresent(
              why -> {
                throw new PartitionedQueueException(why);
              });
    } else if (count == 1) {
      return entities.subscribe(queue, listener);
    }
    var names =
        queue.partition().isPresent()
            ? List.of(queue.entity(queue.partition().getAsInt()))
            : new Whole(queue, count).all();
    NoticeListener all = (entity, notices) -> listener.onNotices(queue, notices);
    var subscriptions = names.stream().map(entity -> entities.subscribe(entity, all)).toList();
    return () -> subscriptions.forEach(Subscription::close);
  }

  @Override
  public List<String> troubles() {
    return entities.troubles();
  }

  @Override
  public List<String> remarks() {
    return entities.remarks();
  }
}
