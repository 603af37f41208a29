package dev.sequitur.scheduler.runtime;

import static java.util.concurrent.CompletableFuture.completedFuture;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.DispatcherSelector;
import akka.actor.typed.Props;
import akka.actor.typed.javadsl.Adapter;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.pubsub.Topic;
import akka.cluster.sharding.typed.ClusterShardingSettings;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import akka.cluster.sharding.typed.javadsl.Entity;
import akka.cluster.sharding.typed.javadsl.EntityRef;
import dev.sequitur.cluster.AskedAgain;
import dev.sequitur.cluster.TrustedPaths;
import dev.sequitur.cluster.placement.AwakeEntities;
import dev.sequitur.cluster.placement.EvenAllocation;
import dev.sequitur.cluster.placement.ShardWork;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.family.FamilyQuery;
import dev.sequitur.schedule.family.FamilyState;
import dev.sequitur.schedule.family.Forecast;
import dev.sequitur.schedule.queue.CalendarPage;
import dev.sequitur.schedule.queue.Explanation;
import dev.sequitur.schedule.queue.Happenings;
import dev.sequitur.schedule.queue.History;
import dev.sequitur.schedule.queue.Outcomes;
import dev.sequitur.schedule.queue.QueueAudit;
import dev.sequitur.schedule.queue.QueueEffect;
import dev.sequitur.schedule.queue.QueueEffect.Answer;
import dev.sequitur.schedule.queue.QueueEffect.BatchAnswer;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation.Batch;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.schedule.queue.ScheduleQueue;
import dev.sequitur.schedule.queue.Statement;
import dev.sequitur.schedule.queue.Trial;
import dev.sequitur.scheduler.CalendarQuery;
import dev.sequitur.scheduler.DuePage;
import dev.sequitur.scheduler.DueQuery;
import dev.sequitur.scheduler.KnownSchedule;
import dev.sequitur.scheduler.NoticeListener;
import dev.sequitur.scheduler.OutcomeQuery;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.QueueOverview;
import dev.sequitur.scheduler.SchedulePage;
import dev.sequitur.scheduler.ScheduleQuery;
import dev.sequitur.scheduler.SchedulerNode;
import dev.sequitur.scheduler.SchedulerUnavailableException;
import dev.sequitur.scheduler.Subscription;
import dev.sequitur.scheduler.actor.ClockExchange;
import dev.sequitur.scheduler.actor.NodeClocks;
import dev.sequitur.scheduler.actor.NoticeHub;
import dev.sequitur.scheduler.actor.QueueActor;
import dev.sequitur.scheduler.actor.QueueNotices;
import dev.sequitur.scheduler.actor.QueueQuestion;
import dev.sequitur.scheduler.actor.QueueReply;
import dev.sequitur.scheduler.actor.QueueRequest;
import dev.sequitur.scheduler.actor.QueueServices;
import dev.sequitur.scheduler.actor.RefusedCommand;
import dev.sequitur.scheduler.body.SubmittedTransaction;
import dev.sequitur.scheduler.multisignature.VerifiedSubmission;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The schedule queues of a node within one JVM, each partition of one that is spread for itself
 * (see {@link PartitionedQueues}). Made by {@link #start}; stopped with its actor system. A queue
 * that has work comes into memory by itself after its JVM has died.
 */
public final class RunningScheduler implements SchedulerNode {
  private static final Logger LOG = LoggerFactory.getLogger(RunningScheduler.class);
  private static final Duration ANSWER = Duration.ofSeconds(20);

  /** A question is asked once more in half of its time. */
  private static final AskedAgain.Times ANSWERS =
      new AskedAgain.Times(List.of(ANSWER.dividedBy(2)), ANSWER);

  private static final int LONGEST_COMMAND_ID = 200;

  private final SchedulerSetup setup;
  private final QueueServices services;
  private final ClusterSharding sharding;
  private final ActorRef<NoticeHub.Message> hub;
  private final QuestionThrottle questions;

  /**
   * @param system configured by a profile of cluster-config, and a member of its cluster
   * @return with queues as callers name them, spread or not
   */
  public static SchedulerNode start(ActorSystem<?> system, SchedulerSetup setup) {
    var topic =
        system.systemActorOf(
            Topic.create(QueueNotices.class, "schedule-notices"),
            "schedule-notices",
            Props.empty());
    var clocks = new NodeClocks(setup.clock(), System::nanoTime);
    var services =
        QueueServices.of(
            new ScheduleQueue(setup.queues(), RunningScheduler::logFailure),
            setup.settings(),
            new QueueServices.Outside(
                clocks,
                setup.calls(),
                setup.stores(),
                system.dispatchers().lookup(DispatcherSelector.blocking()),
                topic,
                setup.registry()));
    ClockExchange.start(system, services);
    init(system, services);
    var hub = system.systemActorOf(NoticeHub.create(topic), "schedule-listeners", Props.empty());
    return new PartitionedQueues(
        new RunningScheduler(system, setup, services, hub), setup.settings().partitions());
  }

  private static void logFailure(ScheduleId schedule, RuntimeException failure) {
    LOG.error(
        "The rules failed over the schedule {}, which did nothing of what it had to",
        schedule,
        failure);
  }

  private static void init(ActorSystem<?> system, QueueServices services) {
    var sharding = ClusterSharding.get(system);
    var config = system.settings().config();
    TrustedPaths.requireSharded(config, QueueActor.KEY.name());
    var remembered =
        ClusterShardingSettings.fromConfig(config.getConfig("sequitur.sharding.remembered"));
    sharding.init(
        Entity.of(
                QueueActor.KEY,
                context ->
                    seen(
                        services,
                        context.getEntityId(),
                        QueueActor.create(
                            services,
                            new QueueActor.Place(
                                new QueueName(context.getEntityId()),
                                context.getShard(),
                                sharding.entityRefFor(QueueActor.KEY, context.getEntityId()),
                                name -> sharding.entityRefFor(QueueActor.KEY, name.value())))))
            .withStopMessage(new QueueRequest.Stop())
            .withSettings(remembered)
            .withAllocationStrategy(new EvenAllocation(remembered.numberOfShards())));
  }

  /** So that it can be said where a queue is, and what it does counts for its shard. */
  private static <M> Behavior<M> seen(QueueServices services, String queue, Behavior<M> behavior) {
    return Behaviors.setup(
        context -> {
          var classic = context.getSystem().classicSystem();
          AwakeEntities.get(classic)
              .woke(
                  QueueActor.KEY.name(),
                  queue,
                  Adapter.toClassic(context.getSelf()),
                  services.clocks().own().instant());
          return ShardWork.get(classic).counting(queue, behavior);
        });
  }

  private RunningScheduler(
      ActorSystem<?> system,
      SchedulerSetup setup,
      QueueServices services,
      ActorRef<NoticeHub.Message> hub) {
    this.setup = setup;
    this.services = services;
    this.sharding = ClusterSharding.get(system);
    this.hub = hub;
    this.questions = new QuestionThrottle(setup.queues(), System::nanoTime);
  }

  @Override
  public NodeName name() {
    return setup.self();
  }

  @Override
  public QueueSetup setup() {
    return setup.queues();
  }

  @Override
  public List<QueueName> queues() {
    return Stream.of(
            Stream.of(QueueName.DEFAULT.value()),
            services.figures().names().stream(),
            services.clocks().queuesOfOthers())
        .flatMap(Function.identity())
        .distinct()
        .sorted()
        .map(QueueName::new)
        .toList();
  }

  @Override
  public Duration commandsRememberedFor() {
    return setup.settings().commandsRememberedFor();
  }

  @Override
  public CompletionStage<Answer> submit(QueueName queue, Command command) {
    return submit(queue, List.of(command)).thenApply(answers -> answers.get(0));
  }

  /** What this node can never run is refused before it gets into the queue. */
  @Override
  public CompletionStage<List<Answer>> submit(QueueName queue, List<Command> commands) {
    commands.forEach(RunningScheduler::checkSingle);
    var refusals = commands.stream().map(this::refused).toList();
    var rest = new ArrayList<Command>();
    for (int i = 0; i < commands.size(); i++) {
      if (refusals.get(i).isEmpty()) {
        rest.add(commands.get(i));
      }
    }
    CompletionStage<List<Answer>> all = submitted(queue, rest, RunningScheduler::answers);
    for (int i = 0; i < commands.size(); i++) {
      int place = i;
      if (refusals.get(i).isPresent()) {
        var each = unlessDone(queue, commands.get(i), refusals.get(i).get());
        all = all.thenCombine(each, (answers, answer) -> insert(answers, place, answer));
      }
    }
    return all;
  }

  @Override
  public CompletionStage<BatchAnswer> submit(
      QueueName queue, String command, AccountId signer, Batch batch) {
    checkId(command);
    var only = new Command(command, signer, batch);
    var refused = refused(only);
    return refused.isPresent()
        ? unlessDone(queue, only, refused.get()).thenApply(BatchAnswer.class::cast)
        : submitted(queue, List.of(only), answers -> (BatchAnswer) answers.get(0));
  }

  @Override
  public CompletionStage<Answer> submit(
      QueueName queue, String command, SubmittedTransaction transaction, boolean unseen) {
    checkId(command);
    return verified(queue, command, transaction, unseen).submit();
  }

  private VerifiedSubmission verified(
      QueueName queue, String command, SubmittedTransaction transaction, boolean unseen) {
    if (!transaction.node().equals(nodeAccount(queue))) {
      throw new IllegalArgumentException("The transaction is for another queue than " + queue);
    }
    return new VerifiedSubmission(
        this, setup.stores().bodies(), queue, command, transaction, unseen);
  }

  private <T> CompletionStage<T> submitted(
      QueueName queue, List<Command> commands, Function<List<QueueEffect>, T> content) {
    CompletionStage<QueueReply> answer =
        entity(queue).ask(replyTo -> new QueueRequest.Submit(commands, replyTo), ANSWER);
    return read(queue, answer, QueueReply.Answers.class, reply -> content.apply(reply.answers()));
  }

  /**
   * The answer to a command that this node would refuse: what was done under its id before is
   * answered as it was.
   */
  private CompletionStage<QueueEffect> unlessDone(
      QueueName queue, Command command, QueueEffect refusal) {
    return done(queue, command).thenApply(known -> known.orElse(refusal));
  }

  @Override
  public CompletionStage<Optional<QueueEffect>> done(QueueName queue, Command command) {
    return ask(
            queue,
            new QueueQuestion.Remembered(command),
            QueueReply.Answers.class,
            reply -> reply.answers().stream().findFirst())
        .thenCompose(
            known ->
                known.isPresent()
                    ? completedFuture(known)
                    : services.recall().answer(queue.value(), command));
  }

  private static List<Answer> answers(List<QueueEffect> effects) {
    return effects.stream().map(Answer.class::cast).toList();
  }

  private static List<Answer> insert(List<Answer> answers, int place, QueueEffect answer) {
    var all = new ArrayList<>(answers);
    all.add(place, (Answer) answer);
    return all;
  }

  private static void checkSingle(Command command) {
    checkId(command.command());
    if (command.operation() instanceof Batch) {
      throw new IllegalArgumentException("A batch is submitted by itself.");
    }
  }

  /** Its answer, if it is to schedule a private transaction that this node can never run. */
  private Optional<QueueEffect> refused(Command command) {
    return RequestedCalls.of(command.operation())
        .flatMap(call -> setup.calls().refuses(call).stream())
        .findFirst()
        .map(why -> RefusedCommand.answer(command, why));
  }

  private static void checkId(String command) {
    if (command.isEmpty() || command.length() > LONGEST_COMMAND_ID) {
      throw new IllegalArgumentException(
          "A command's id has 1 to " + LONGEST_COMMAND_ID + " characters.");
    }
  }

  @Override
  public CompletionStage<Explanation> explain(QueueName queue, ScheduleId schedule) {
    return ask(
            queue,
            new QueueQuestion.Explain(schedule),
            QueueReply.Explained.class,
            QueueReply.Explained::explanation)
        .thenCompose(
            explained ->
                services
                    .past()
                    .newestOf(queue.value(), schedule, History.MOST_OF_ONE)
                    .thenApply(explained::with));
  }

  @Override
  public CompletionStage<Outcomes> outcomes(QueueName queue, OutcomeQuery query) {
    return ask(
            queue,
            new QueueQuestion.Outcomes(query),
            QueueReply.Happened.class,
            QueueReply.Happened::outcomes)
        .thenCompose(memory -> services.past().with(memory, queue.value(), query));
  }

  @Override
  public CompletionStage<Statement> statement(QueueName queue, OutcomeQuery query) {
    return ask(
            queue,
            new QueueQuestion.Statement(query),
            QueueReply.Stated.class,
            QueueReply.Stated::statement)
        .thenCompose(
            memory ->
                services.past().with(memory.page(), queue.value(), query).thenApply(memory::with));
  }

  @Override
  public CompletionStage<Happenings> happenings(QueueName queue, long from, int limit) {
    return ask(
            queue,
            new QueueQuestion.Happened(from, limit),
            QueueReply.Told.class,
            QueueReply.Told::happenings)
        .thenCompose(memory -> services.past().with(memory, queue.value(), from, limit));
  }

  @Override
  public CompletionStage<QueueAudit> audit(QueueName queue) {
    return ask(
        queue, new QueueQuestion.CountMoney(), QueueReply.Counted.class, QueueReply.Counted::audit);
  }

  @Override
  public CompletionStage<QueueOverview> overview(QueueName queue) {
    return ask(
        queue,
        new QueueQuestion.Overview(),
        QueueReply.Overviewed.class,
        QueueReply.Overviewed::overview);
  }

  @Override
  public CompletionStage<KnownSchedule> schedule(QueueName queue, ScheduleId schedule) {
    return ask(
            queue,
            new QueueQuestion.Find(schedule),
            QueueReply.Found.class,
            QueueReply.Found::schedule)
        .thenCompose(known -> withPast(queue, schedule, known));
  }

  /** Memory has the newest, if it has any of it. */
  private CompletionStage<KnownSchedule> withPast(
      QueueName queue, ScheduleId schedule, KnownSchedule known) {
    return known.lastOutcome().isPresent()
        ? completedFuture(known)
        : services
            .past()
            .newestOf(queue.value(), schedule, 1)
            .thenApply(last -> new KnownSchedule(known.view(), last.stream().findFirst()));
  }

  @Override
  public CompletionStage<SchedulePage> schedules(QueueName queue, ScheduleQuery query) {
    return ask(
        queue, new QueueQuestion.Page(query), QueueReply.Paged.class, QueueReply.Paged::page);
  }

  @Override
  public CompletionStage<DuePage> schedulesByDue(QueueName queue, DueQuery query) {
    return ask(queue, new QueueQuestion.ByDue(query), QueueReply.Due.class, QueueReply.Due::page);
  }

  @Override
  public CompletionStage<Amount> available(QueueName queue, AccountId account) {
    return ask(
        queue,
        new QueueQuestion.Available(account),
        QueueReply.Balance.class,
        QueueReply.Balance::available);
  }

  @Override
  public CompletionStage<FamilyState> family(QueueName queue, FamilyKind family) {
    return ask(
        queue,
        new QueueQuestion.FamilyKnows(family),
        QueueReply.Known.class,
        QueueReply.Known::state);
  }

  @Override
  @SuppressWarnings("unchecked")
  public <R> CompletionStage<R> ask(QueueName queue, FamilyQuery<R> query) {
    var busy = questions.refusal(query);
    if (busy.isPresent()) {
      return completedFuture(busy.get());
    }
    return ask(
        queue,
        new QueueQuestion.OfFamily(query),
        QueueReply.Said.class,
        reply -> (R) reply.answer());
  }

  @Override
  public CompletionStage<Optional<Forecast>> forecast(
      QueueName queue, FamilyKind family, Instant at) {
    return ask(
        queue,
        new QueueQuestion.Foresee(family, at),
        QueueReply.Foreseen.class,
        QueueReply.Foreseen::forecast);
  }

  @Override
  public CompletionStage<Trial> tryOut(QueueName queue, Command command) {
    checkSingle(command);
    var refused = refused(command);
    return refused.isPresent()
        ? completedFuture(Trial.refused((Answer) refused.get()))
        : ask(
            queue, new QueueQuestion.Try(command), QueueReply.Tried.class, QueueReply.Tried::trial);
  }

  @Override
  public CompletionStage<Trial> tryOut(QueueName queue, SubmittedTransaction transaction) {
    return verified(queue, ONCE, transaction, false).tryOut();
  }

  @Override
  public CompletionStage<List<ConsensusTime>> times(
      QueueName queue, ScheduleId schedule, int atMost) {
    return ask(
        queue,
        new QueueQuestion.Times(schedule, atMost),
        QueueReply.Runs.class,
        QueueReply.Runs::times);
  }

  @Override
  public CompletionStage<CalendarPage> calendar(QueueName queue, CalendarQuery query) {
    return ask(
        queue, new QueueQuestion.Comes(query), QueueReply.Planned.class, QueueReply.Planned::page);
  }

  private <R extends QueueReply, T> CompletionStage<T> ask(
      QueueName queue, QueueQuestion question, Class<R> reply, Function<R, T> content) {
    CompletionStage<QueueReply> answer =
        AskedAgain.ask(entity(queue), replyTo -> new QueueRequest.Ask(question, replyTo), ANSWERS);
    return read(queue, answer, reply, content);
  }

  private EntityRef<QueueActor.Message> entity(QueueName queue) {
    return sharding.entityRefFor(QueueActor.KEY, queue.value());
  }

  private <R extends QueueReply, T> CompletionStage<T> read(
      QueueName queue, CompletionStage<QueueReply> given, Class<R> reply, Function<R, T> content) {
    return given.handle(
        (answer, failure) -> {
          if (answer instanceof QueueReply.Unavailable unavailable) {
            throw new SchedulerUnavailableException(unavailable.sentence(), null);
          } else if (failure != null) {
            throw new SchedulerUnavailableException(
                "The queue %s did not answer in time: ask again."
                    .formatted(queue.shown(setup.settings().partitions(queue))),
                failure);
          }
          return content.apply(reply.cast(answer));
        });
  }

  @Override
  public Subscription subscribe(QueueName queue, NoticeListener listener) {
    hub.tell(new NoticeHub.Listen(queue, listener));
    return () -> hub.tell(new NoticeHub.Unlisten(queue, listener));
  }

  @Override
  public List<String> troubles() {
    var troubles = new ArrayList<>(services.figures().stores().troubles());
    services.clocks().trouble(setup.queues().maxAhead()).ifPresent(troubles::add);
    services.figures().trouble(services.rules(), services.wall()).ifPresent(troubles::add);
    services.figures().answers().trouble().ifPresent(troubles::add);
    return List.copyOf(troubles);
  }

  @Override
  public List<String> remarks() {
    return services.figures().remarks();
  }
}
