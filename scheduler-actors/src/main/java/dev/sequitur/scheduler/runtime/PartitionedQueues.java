package dev.sequitur.scheduler.runtime;

import static java.util.concurrent.CompletableFuture.completedFuture;
import static java.util.concurrent.CompletableFuture.failedFuture;

import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.FamilyKind;
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
import dev.sequitur.schedule.queue.Statement;
import dev.sequitur.schedule.queue.Trial;
import dev.sequitur.scheduler.CalendarQuery;
import dev.sequitur.scheduler.DuePage;
import dev.sequitur.scheduler.DueQuery;
import dev.sequitur.scheduler.KnownSchedule;
import dev.sequitur.scheduler.NoticeListener;
import dev.sequitur.scheduler.OutcomeQuery;
import dev.sequitur.scheduler.PartitionedQueueException;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.QueueOverview;
import dev.sequitur.scheduler.SchedulePage;
import dev.sequitur.scheduler.ScheduleQuery;
import dev.sequitur.scheduler.SchedulerNode;
import dev.sequitur.scheduler.Subscription;
import dev.sequitur.scheduler.body.SubmittedTransaction;
import dev.sequitur.scheduler.runtime.Partitions.Named.One;
import dev.sequitur.scheduler.runtime.Partitions.Named.Whole;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The queues of a node as callers name them: a queue that is spread by owner under one name
 * (SCH-28). What is of one owner goes to its partition, what is asked of all is put together, and
 * what has no order over all is refused in words: each question says which ({@link Route}). It
 * knows where things are and decides nothing: a partition refuses what is not its own. Queues of
 * one pass through. Thread-safe.
 */
public final class PartitionedQueues implements SchedulerNode {
  private static final Comparator<Forecast> BY_FULLNESS =
      Comparator.comparing(Forecast::full)
          .thenComparing(Forecast::taken)
          .thenComparing(Forecast::price);

  private final SchedulerNode entities;
  private final Partitions partitions;

  /**
   * @param entities in which each partition is a queue, by {@link QueueName#entity}
   * @param counts how many partitions queues have, 2 or more; all others are one
   */
  public PartitionedQueues(SchedulerNode entities, Map<QueueName, Integer> counts) {
    this.entities = entities;
    this.partitions = new Partitions(entities, counts);
  }

  private <T> CompletionStage<T> ask(
      QueueName queue, Route<T> route, Function<QueueName, CompletionStage<T>> ask) {
    return partitions
        .ready(queue)
        .thenCompose(
            named ->
                switch (named) {
                  case One(var entity) -> ask.apply(entity);
                  case Whole whole ->
                      places(whole, route)
                          .thenCompose(places -> each(places, ask))
                          .thenApply(route::together);
                });
  }

  private static <T> CompletionStage<List<T>> each(
      List<QueueName> places, Function<QueueName, CompletionStage<T>> ask) {
    return Answers.all(places.stream().map(ask).toList());
  }

  private CompletionStage<List<QueueName>> places(Whole whole, Route<?> route) {
    return switch (route) {
      case Route.Home<?>(var account) -> completedFuture(List.of(whole.home(account)));
      case Route.Knowing<?>(var schedule) -> knowing(whole, schedule);
      case Route.All<?> ignored -> completedFuture(whole.all());
      case Route.Named<?>(var why) -> refused(whole.namesOne(why));
      case Route.Refused<?>(var why) -> refused(why);
    };
  }

  private static <T> CompletionStage<T> refused(String why) {
    return failedFuture(new PartitionedQueueException(why));
  }

  /** An id cannot tell its partition: the families' specifications say what it is made of. */
  private CompletionStage<List<QueueName>> knowing(Whole whole, ScheduleId schedule) {
    var all = whole.all();
    return each(all, entity -> entities.schedule(entity, schedule))
        .thenApply(
            known ->
                IntStream.range(0, all.size())
                    .filter(index -> !known.get(index).isNothing())
                    .mapToObj(all::get)
                    .findFirst())
        .thenApply(found -> List.of(found.orElse(all.getFirst())));
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
    return partitions.refusesOrder(queue);
  }

  @Override
  public CompletionStage<Answer> submit(QueueName queue, Command command) {
    return submit(queue, List.of(command)).thenApply(List::getFirst);
  }

  @Override
  public CompletionStage<List<Answer>> submit(QueueName queue, List<Command> commands) {
    return partitions
        .ready(queue)
        .thenCompose(
            named ->
                switch (named) {
                  case One(var entity) -> entities.submit(entity, commands);
                  case Whole whole -> submit(whole, commands);
                });
  }

  /** Each partition is given all that is for it at once, in the order of all. */
  private CompletionStage<List<Answer>> submit(Whole whole, List<Command> commands) {
    return Answers.all(commands.stream().map(command -> taking(whole, command)).toList())
        .thenCompose(
            places ->
                Answers.all(
                    whole.all().stream()
                        .map(entity -> submit(entity, commands, those(places, entity)))
                        .toList()))
        .thenApply(
            shares ->
                IntStream.range(0, commands.size())
                    .mapToObj(number -> together(whole, commands.get(number), of(number, shares)))
                    .toList());
  }

  private CompletionStage<List<QueueName>> taking(Whole whole, Command command) {
    return isOfFees(command.operation())
        ? completedFuture(List.of())
        : places(whole, route(command, new Route.All<>(List::getFirst)));
  }

  /** The numbers of those that are for one partition. */
  private static List<Integer> those(List<List<QueueName>> places, QueueName entity) {
    return IntStream.range(0, places.size())
        .filter(number -> places.get(number).contains(entity))
        .boxed()
        .toList();
  }

  /** The answers by the numbers of the commands. */
  private CompletionStage<Map<Integer, Answer>> submit(
      QueueName entity, List<Command> commands, List<Integer> numbers) {
    return numbers.isEmpty()
        ? completedFuture(Map.of())
        : entities
            .submit(entity, numbers.stream().map(commands::get).toList())
            .thenApply(
                answers ->
                    IntStream.range(0, numbers.size())
                        .boxed()
                        .collect(Collectors.toMap(numbers::get, answers::get)));
  }

  private static List<Answer> of(int number, List<Map<Integer, Answer>> shares) {
    return shares.stream().flatMap(share -> Stream.ofNullable(share.get(number))).toList();
  }

  /** One answer, of the administrator's too: done where it was, and why not elsewhere. */
  private static Answer together(Whole whole, Command command, List<Answer> answers) {
    if (answers.isEmpty()) {
      var why =
          "The account %s is in each partition: name the one to withdraw from, %s."
              .formatted(AccountId.FEES, whole.partitions());
      return Answer.refused(command.command(), new Refusal(Refusal.Code.NOT_ALLOWED, why));
    }
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

  @Override
  public CompletionStage<BatchAnswer> submit(
      QueueName queue, String command, AccountId signer, Batch batch) {
    return ask(
        queue, new Route.Home<>(signer), entity -> entities.submit(entity, command, signer, batch));
  }

  @Override
  public CompletionStage<Answer> submit(
      QueueName queue, String command, SubmittedTransaction transaction, boolean unseen) {
    return refusesSigned(queue)
        .<CompletionStage<Answer>>map(refusal -> completedFuture(Answer.refused(command, refusal)))
        .orElseGet(
            () ->
                ask(
                    queue,
                    takesNone(),
                    entity -> entities.submit(entity, command, transaction, unseen)));
  }

  private Optional<Refusal> refusesSigned(QueueName queue) {
    return partitions.isSpread(queue)
        ? setup().refusesPartitioned(FamilyKind.MULTI_SIGNATURE)
        : Optional.empty();
  }

  private static <T> Route<T> takesNone() {
    return new Route.Named<>("it takes no signed transactions");
  }

  private static boolean isOfFees(Operation operation) {
    return operation instanceof Operation.Withdraw(var account, var ignored)
        && account.equals(AccountId.FEES);
  }

  /**
   * Where a command belongs.
   *
   * @param whole the route of one that is for the whole queue
   */
  private <T> Route<T> route(Command command, Route<T> whole) {
    return switch (command.operation()) {
      case Operation operation when operation.isOfWholeQueue() -> whole;
      case Operation.Propose(var proposal) -> new Route.Home<>(proposal.owner());
      case Operation.Fund(var account, var ignored) -> new Route.Home<>(account);
      case Operation.Withdraw(var account, var ignored) -> new Route.Home<>(account);
      case Operation.Batch ignored -> new Route.Home<>(command.signer());
      default ->
          command.operation().about().stream()
              .flatMap(Optional::stream)
              .findFirst()
              .filter(about -> command.signer().equals(setup().administrator()))
              .<Route<T>>map(Route.Knowing::new)
              .orElse(new Route.Home<>(command.signer()));
    };
  }

  /** What is for all partitions is done when it was in each. */
  @Override
  public CompletionStage<Optional<QueueEffect>> done(QueueName queue, Command command) {
    return ask(
        queue,
        route(command, Route.first(Optional::isEmpty)),
        entity -> entities.done(entity, command));
  }

  /** What is for all partitions is tried in each, and told of the first that refuses it. */
  @Override
  public CompletionStage<Trial> tryOut(QueueName queue, Command command) {
    Route<Trial> route =
        isOfFees(command.operation())
            ? new Route.Named<>("the account " + AccountId.FEES + " is in each")
            : route(command, Route.first(trial -> trial.answer().refusal().isPresent()));
    return ask(queue, route, entity -> entities.tryOut(entity, command));
  }

  @Override
  public CompletionStage<Trial> tryOut(QueueName queue, SubmittedTransaction transaction) {
    return refusesSigned(queue)
        .<CompletionStage<Trial>>map(
            refusal -> completedFuture(Trial.refused(Answer.refused("", refusal))))
        .orElseGet(() -> ask(queue, takesNone(), entity -> entities.tryOut(entity, transaction)));
  }

  @Override
  public CompletionStage<List<ConsensusTime>> times(
      QueueName queue, ScheduleId schedule, int atMost) {
    return ask(
        queue, new Route.Knowing<>(schedule), entity -> entities.times(entity, schedule, atMost));
  }

  @Override
  public CompletionStage<CalendarPage> calendar(QueueName queue, CalendarQuery query) {
    return ask(
        queue,
        Route.home(
            query.owner(), new Route.All<>(pages -> CalendarPage.merged(pages, query.limit()))),
        entity -> entities.calendar(entity, query));
  }

  @Override
  public CompletionStage<Explanation> explain(QueueName queue, ScheduleId schedule) {
    return ask(queue, new Route.Knowing<>(schedule), entity -> entities.explain(entity, schedule));
  }

  @Override
  public CompletionStage<KnownSchedule> schedule(QueueName queue, ScheduleId schedule) {
    return ask(
        queue,
        Route.first(known -> !known.isNothing()),
        entity -> entities.schedule(entity, schedule));
  }

  @Override
  public CompletionStage<Outcomes> outcomes(QueueName queue, OutcomeQuery query) {
    return ask(
        queue,
        Route.home(
            query.owner().or(query::account),
            new Route.Named<>(
                "outcomes have an order in each, and none over all but for one owner")),
        entity -> entities.outcomes(entity, query));
  }

  @Override
  public CompletionStage<Statement> statement(QueueName queue, OutcomeQuery query) {
    return ask(
        queue,
        new Route.Home<>(query.account().orElseThrow()),
        entity -> entities.statement(entity, query));
  }

  @Override
  public List<QueueName> others(QueueName queue, AccountId account) {
    return partitions.isSpread(queue) && partitions.named(queue) instanceof Whole whole
        ? whole.others(account)
        : List.of();
  }

  @Override
  public CompletionStage<Happenings> happenings(QueueName queue, long from, int limit) {
    return ask(
        queue,
        new Route.Named<>("what happens has an order in each, and none over all"),
        entity -> entities.happenings(entity, from, limit));
  }

  @Override
  public CompletionStage<QueueAudit> audit(QueueName queue) {
    return ask(queue, Route.sum(QueueAudit::plus), entities::audit);
  }

  @Override
  public CompletionStage<QueueOverview> overview(QueueName queue) {
    return ask(queue, new Route.All<>(QueueOverview::together), entities::overview);
  }

  /** Of all, merged by id as far as every partition was looked through: they share the looks. */
  @Override
  public CompletionStage<SchedulePage> schedules(QueueName queue, ScheduleQuery query) {
    var each = shared(queue, query);
    return ask(
        queue,
        Route.home(
            query.owner(), new Route.All<>(pages -> SchedulePage.merged(pages, query.limit()))),
        entity -> entities.schedules(entity, each));
  }

  private ScheduleQuery shared(QueueName queue, ScheduleQuery query) {
    int asked = query.owner().isPresent() ? 1 : partitions.asked(queue);
    return query.looks().map(looks -> query.looking(Math.max(1, looks / asked))).orElse(query);
  }

  @Override
  public CompletionStage<DuePage> schedulesByDue(QueueName queue, DueQuery query) {
    var which = query.which();
    var each = new DueQuery(shared(queue, which), query.after());
    return ask(
        queue,
        Route.home(which.owner(), new Route.All<>(pages -> DuePage.merged(pages, which.limit()))),
        entity -> entities.schedulesByDue(entity, each));
  }

  @Override
  public CompletionStage<Amount> available(QueueName queue, AccountId account) {
    return ask(
        queue,
        account.holder().equals(AccountId.FEES)
            ? Route.sum(Amount::plus)
            : new Route.Home<>(account),
        entity -> entities.available(entity, account));
  }

  @Override
  public CompletionStage<FamilyState> family(QueueName queue, FamilyKind family) {
    return ask(
        queue,
        ofEach(family, "each knows its own of a family"),
        entity -> entities.family(entity, family));
  }

  @Override
  public <R> CompletionStage<R> ask(QueueName queue, FamilyQuery<R> query) {
    return ask(
        queue,
        query
            .together()
            .map(Route::sum)
            .orElseGet(() -> ofEach(query.family(), "each has slots, ticks and blocks of its own")),
        entity -> entities.ask(entity, query));
  }

  /** What a family knows in each partition, if it can be in several at all. */
  private <T> Route<T> ofEach(FamilyKind family, String why) {
    return setup()
        .refusesPartitioned(family)
        .<Route<T>>map(refusal -> new Route.Refused<>(refusal.sentence()))
        .orElseGet(() -> new Route.Named<>(why));
  }

  /** That of the fullest partition: in which of them somebody's schedule will be is not asked. */
  @Override
  public CompletionStage<Optional<Forecast>> forecast(
      QueueName queue, FamilyKind family, Instant at) {
    return ask(
        queue,
        new Route.All<>(all -> all.stream().flatMap(Optional::stream).max(BY_FULLNESS)),
        entity -> entities.forecast(entity, family, at));
  }

  /** Of all partitions under the name that was asked for; in order for each schedule. */
  @Override
  public Subscription subscribe(QueueName queue, NoticeListener listener) {
    var places =
        switch (partitions.named(queue)) {
          case One(var entity) -> List.of(entity);
          case Whole whole -> whole.all();
        };
    NoticeListener all = (entity, notices) -> listener.onNotices(queue, notices);
    var subscriptions = places.stream().map(entity -> entities.subscribe(entity, all)).toList();
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
