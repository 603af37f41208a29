package dev.sequitur.scheduler.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.PostStop;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.actor.typed.javadsl.TimerScheduler;
import akka.actor.typed.pubsub.Topic;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import akka.cluster.sharding.typed.javadsl.EntityRef;
import akka.cluster.sharding.typed.javadsl.EntityTypeKey;
import dev.sequitur.persistence.store.CommandStore.Extent;
import dev.sequitur.protocol.machine.Host;
import dev.sequitur.schedule.Crossing;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.attempt.Attempts;
import dev.sequitur.schedule.call.AttemptErrands;
import dev.sequitur.schedule.queue.BlockClock;
import dev.sequitur.schedule.queue.QueueEffect;
import dev.sequitur.schedule.queue.QueueEffect.Answer;
import dev.sequitur.schedule.queue.QueueEffect.BatchAnswer;
import dev.sequitur.schedule.queue.QueueEffect.HandOver;
import dev.sequitur.schedule.queue.QueueEffect.Publish;
import dev.sequitur.schedule.queue.QueueInput;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.SchedulerNode;
import dev.sequitur.scheduler.actor.QueueDecider.Recalled;
import dev.sequitur.scheduler.storage.QueueMemory;
import dev.sequitur.scheduler.storage.RecentCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * One schedule queue. What comes while a write is under way is gathered, decided in its order and
 * stored with the next one; questions are answered from what is stored; effects leave when their
 * events are. It cuts a block when something becomes due, and at its pace while one has left
 * something.
 *
 * <p>Everything survives a restart but who awaits an answer: they are told to ask again. It first
 * reads the last checkpoint, then {@link QueueMachine} replays what came after it. If QueueMachine
 * stops, the queue does too, a moment later, so that whoever asks meanwhile is told, and both begin
 * anew. A queue that is empty for long leaves memory.
 */
public final class QueueActor extends AbstractBehavior<QueueActor.Message> {
  public static final EntityTypeKey<Message> KEY =
      EntityTypeKey.create(Message.class, "schedule-queue");

  /** What the queue is told, from elsewhere or by its own. */
  public sealed interface Message
      permits QueueRequest, QueueDecider.Decided, QueueMachine.Told, SideWrites.Told, Own {}

  /** Within this JVM alone. */
  sealed interface Own extends Message {}

  /** For what is carried out by others. */
  private record Attempted(Attempts.Input input) implements Own {}

  private record Loaded(QueueMemory memory, long storedBodies, Extent commands) implements Own {
    private Loaded(QueueMemory memory, long storedBodies) {
      this(memory, storedBodies, null);
    }

    private Loaded with(Extent stored) {
      return new Loaded(memory, storedBodies, stored);
    }
  }

  /** The store was asked for the commands of a batch. */
  private record Looked(List<QueueInput> inputs, Recalled recalled) implements Own {}

  private record Failed(String what, Throwable cause) implements Own {}

  private record BlockDue() implements Own {}

  private record LookIdle() implements Own {}

  /** Answered once what is decided and stored just now is: see {@link QueueAnswers}. */
  record AreYouThere() implements Own {}

  private static final String BLOCK = "block";
  private static final String ATTEMPTS = "attempts";

  /** Longer than a partition takes to come into memory. */
  private static final Duration CARRIED = Duration.ofSeconds(20);

  /** Of a batch that takes longer to decide than a write takes. */
  private static final int LARGE = 1_000;

  private static final String INTERRUPTED =
      "The queue was interrupted: send it again in a moment, a command under the same id.";

  private static final Refusal UNKNOWN =
      new Refusal(
          Refusal.Code.BUSY,
          "The queue could not find out whether this was done before: try again in a moment, under"
              + " the same key.");

  private final Place place;
  private final TimerScheduler<Message> timers;
  private final QueueServices services;
  private final BlockClock blocks;
  private final SideWrites sideWrites;
  private final Host<Attempts.Input, Attempts.State, Void, Attempts.Effect> attempts;
  private final AttemptErrands errands;
  private final Intake intake;
  private final QueueQuestions questions;
  private ActorRef<QueueMachine.Store> machine;

  /** Null until it is known what is stored. */
  private ActorRef<QueueDecider.Decide> decider;

  /** As stored; null until it is known. */
  private QueueMemory memory;

  /** What the decider remembers. */
  private RecentCommands decided = RecentCommands.NONE;

  private boolean deciding;

  /** Whether the last batch had {@link #LARGE} events or more. */
  private boolean large;

  /** Batches that were decided and are not known to be stored. */
  private int storing;

  private boolean begun;
  private boolean used = true;

  /** Whether the shard has been asked to let it leave memory. */
  private boolean leaveAsked;

  private boolean leaving;

  /** Whether somebody waits for a sign that it is there. */
  private boolean signAwaited;

  /**
   * Where a queue is.
   *
   * @param shard asked when the queue wants to leave memory
   * @param next reaches whoever is this queue after this
   * @param entities reaches the other partitions of this queue
   */
  public record Place(
      QueueName name,
      ActorRef<ClusterSharding.ShardCommand> shard,
      EntityRef<Message> next,
      Function<QueueName, EntityRef<Message>> entities) {
    String stream() {
      return KEY.name() + "|" + name;
    }
  }

  public static Behavior<Message> create(QueueServices services, Place place) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(timers -> new QueueActor(context, timers, services, place)));
  }

  private QueueActor(
      ActorContext<Message> context,
      TimerScheduler<Message> timers,
      QueueServices services,
      Place place) {
    super(context);
    this.place = place;
    this.timers = timers;
    this.services = services;
    this.blocks =
        new BlockClock(
            services.rules(),
            services.settings().blockInterval(),
            services::now,
            at -> timers.startSingleTimer(BLOCK, new BlockDue(), at));
    this.sideWrites = new SideWrites(context, timers, services, place);
    var carriedOut = new Attempts(services.attempts(place.name().value())).machine();
    this.attempts = new Host<>(carriedOut, carriedOut.initial());
    this.errands = new AttemptErrands(services.calls(), new Edge(context.getSelf()));
    this.intake = new Intake(services.settings().waitingCommands());
    this.questions = new QueueQuestions(services, intake::awaits);
    services.figures().answers().began(context.getSelf());
    timers.startTimerWithFixedDelay(new LookIdle(), services.settings().idleAfter());
    context.pipeToSelf(
        services
            .cells()
            .load(place.stream(), services.layout()::loading)
            .thenCombine(services.bodies().storedUpTo(place.name().value()), Loaded::new)
            .thenCombine(services.recall().store().extent(place.name().value()), Loaded::with),
        (loaded, failure) -> failure == null ? loaded : new Failed("Loading", failure));
  }

  @Override
  public Receive<Message> createReceive() {
    return newReceiveBuilder()
        .onAnyMessage(this::on)
        .onSignal(PostStop.class, stopped -> onPostStop())
        .build();
  }

  private Behavior<Message> on(Message message) {
    return switch (message) {
      case QueueRequest.Submit submit -> onSubmit(submit);
      case QueueRequest.Ask ask -> onAsk(ask);
      case QueueRequest.Wake() -> this;
      case QueueRequest.Stop() -> onStop();
      case Loaded loaded -> onLoaded(loaded);
      case QueueMachine.Told.Recovered recovered -> onRecovered(recovered);
      case QueueMachine.Told.NotRecovered(var cause) -> onFailed(new Failed("Recovering", cause));
      case Looked looked -> onLooked(looked);
      case QueueDecider.Decided batch -> onDecided(batch);
      case QueueMachine.Told.Stored stored -> onStored(stored);
      case Attempted(var input) -> onAttempted(input);
      case BlockDue() -> onBlockDue();
      case SideWrites.Told told -> onSideWrite(told);
      case LookIdle() -> onLookIdle();
      case AreYouThere() -> onAreYouThere();
      case Failed failed -> onFailed(failed);
    };
  }

  private Behavior<Message> onLoaded(Loaded loaded) {
    sideWrites.begin(loaded.memory(), loaded.commands());
    var bodies = new StoredBodies(loaded.storedBodies());
    machine =
        getContext()
            .spawn(
                QueueMachine.create(
                    services,
                    place,
                    new QueueMachine.Beginning(loaded.memory(), bodies, loaded.commands().upTo()),
                    getContext().getSelf()),
                "machine");
    getContext().watchWith(machine, new Failed("Writing", null));
    return this;
  }

  private Behavior<Message> onRecovered(QueueMachine.Told.Recovered recovered) {
    if (!recovered.lostBodies().isEmpty()) {
      return storeAgain(recovered);
    }
    memory = recovered.memory();
    decided = memory.commands();
    services.figures().holds(place.name().value(), memory.queue(), services.clock().instant());
    var self = getContext().getSelf();
    decider = getContext().spawn(QueueDecider.create(services, memory, machine, self), "decider");
    getContext().watchWith(decider, new Failed("Deciding", null));
    writeBesideTheJournal(recovered.replayed());
    questions.answerFrom(memory);
    answerWhoAsked();
    return goOn();
  }

  /** Nothing is executed before the store has again what it has lost. */
  private Behavior<Message> storeAgain(QueueMachine.Told.Recovered recovered) {
    var lost = recovered.lostBodies();
    getContext()
        .getLog()
        .warn("The store has lost {} executed bodies of {}", lost.size(), place.name());
    long upTo = StoredBodies.upTo(recovered.memory().queue());
    getContext()
        .pipeToSelf(
            services.bodies().add(place.name().value(), upTo, lost),
            (stored, failure) ->
                failure == null ? recovered.complete() : new Failed("Storing bodies", failure));
    return this;
  }

  private Behavior<Message> onSubmit(QueueRequest.Submit submit) {
    used = true;
    if (!intake.offer(submit, questions::remembered)) {
      services.figures().busy(submit.commands().size());
    }
    return goOn();
  }

  private Behavior<Message> onAsk(QueueRequest.Ask ask) {
    used = true;
    questions.ask(ask);
    return this;
  }

  private Behavior<Message> onAttempted(Attempts.Input input) {
    carryOut(List.of(input));
    return goOn();
  }

  private void carryOut(List<Attempts.Input> inputs) {
    errands.run(attempts.fold(inputs, services.steadyNow()).effects());
  }

  private Behavior<Message> onBlockDue() {
    blocks.due();
    return goOn();
  }

  /**
   * Has the next batch decided, if there is something to do. A block after a large batch does not
   * wait for the write of that; anything else does, and is stored together with what comes
   * meanwhile: of small batches one after the other the last would wait for all their writes.
   */
  private Behavior<Message> goOn() {
    int ahead = large && blocks.isDue() ? 1 : 0;
    if (decider == null || deciding || storing > ahead || leaving) {
      return this;
    }
    var inputs = new ArrayList<QueueInput>();
    if (!begun) {
      begun = true;
      inputs.add(new QueueInput.Recovered());
    }
    if (blocks.take()) {
      inputs.add(new QueueInput.CutBlock());
    }
    inputs.addAll(intake.take(services.settings().batch()));
    if (!inputs.isEmpty()) {
      deciding = true;
      lookUp(inputs);
    }
    return this;
  }

  /**
   * Finds out which of these commands were done and have left memory. Nothing else is decided
   * meanwhile, so that none leaves memory between the look into the store and the one into memory.
   */
  private void lookUp(List<QueueInput> inputs) {
    var remembering = sideWrites.remembering();
    var plain =
        new Recalled(Map.of(), remembering.droppable(decided), remembering.refusal(decided));
    var unknown = remembering.hasAny() ? unknown(inputs) : List.<String>of();
    if (unknown.isEmpty()) {
      decider.tell(new QueueDecider.Decide(inputs, plain));
      return;
    }
    getContext()
        .pipeToSelf(
            services.recall().find(place.name().value(), unknown),
            (known, failure) -> {
              if (failure == null) {
                return new Looked(inputs, plain.with(known));
              }
              getContext().getLog().warn("Commands of {} were not found", place.name(), failure);
              return new Looked(inputs, plain.refusing(UNKNOWN));
            });
  }

  private List<String> unknown(List<QueueInput> inputs) {
    var unknown = new ArrayList<String>();
    for (var input : inputs) {
      if (input instanceof Command command
          && Repetition.mayCome(command.command())
          && decided.answer(command.command()).isEmpty()) {
        unknown.add(command.command());
      }
    }
    return unknown;
  }

  private Behavior<Message> onLooked(Looked looked) {
    decider.tell(new QueueDecider.Decide(looked.inputs(), looked.recalled()));
    return this;
  }

  private Behavior<Message> onDecided(QueueDecider.Decided decided) {
    deciding = false;
    this.decided = decided.memory().commands();
    large = decided.events() >= LARGE;
    storing++;
    blocks.plan(decided.memory().queue());
    return goOn();
  }

  private boolean isWorking() {
    return decider == null || deciding || storing > 0;
  }

  private Behavior<Message> onStored(QueueMachine.Told.Stored stored) {
    memory = stored.memory();
    storing--;
    answerWhoAsked();
    services.figures().stored(place.name().value(), stored);
    perform(stored.effects());
    questions.answerFrom(memory);
    writeBesideTheJournal(stored.events());
    return leaving && !isWorking() ? Behaviors.stopped() : goOn();
  }

  private void writeBesideTheJournal(int events) {
    sideWrites.write(memory, events, blocks.workLeft() || !intake.isEmpty());
  }

  private Behavior<Message> onSideWrite(SideWrites.Told told) {
    sideWrites.on(told).ifPresent(intake::report);
    // What is forgotten may come to its end while the journal is still read.
    if (told instanceof SideWrites.Told.Freeing && memory != null) {
      writeBesideTheJournal(0);
    }
    return goOn();
  }

  private void perform(List<QueueEffect> effects) {
    var notices = new ArrayList<Publish>();
    var begun = new ArrayList<Attempts.Input>();
    for (var effect : effects) {
      switch (effect) {
        case Answer answer -> intake.answer(answer.command(), answer);
        case BatchAnswer answer -> intake.answer(answer.command(), answer);
        case HandOver handOver -> begun.add(new Attempts.Input.Begin(handOver));
        case Publish told -> notices.add(told);
      }
    }
    carryOut(begun);
    if (!notices.isEmpty()) {
      services.notices().tell(Topic.publish(new QueueNotices(place.name().value(), notices)));
    }
  }

  private Behavior<Message> onAreYouThere() {
    signAwaited = true;
    if (!isWorking()) {
      answerWhoAsked();
    }
    return this;
  }

  private void answerWhoAsked() {
    if (signAwaited) {
      signAwaited = false;
      services.figures().answers().answered(getContext().getSelf());
    }
  }

  private Behavior<Message> onLookIdle() {
    boolean idle = !isWorking() && attempts.state().isEmpty() && memory.queue().isIdle();
    if (idle && !used) {
      leaveAsked = true;
      place.shard().tell(new ClusterSharding.Passivate<>(getContext().getSelf()));
    }
    used = false;
    sideWrites.forget();
    return this;
  }

  /** What is being stored is stored, and answered, before it stops. */
  private Behavior<Message> onStop() {
    leaving = true;
    return memory != null && isWorking() ? this : Behaviors.stopped();
  }

  /** What would fail again is told to everybody; anything else is tried anew, after a while. */
  private Behavior<Message> onFailed(Failed failed) {
    var lasting = RefusedQueue.sentence(failed.cause());
    if (memory == null && lasting.isPresent()) {
      services.figures().answers().left(getContext().getSelf());
      giveUp(lasting.get());
      return RefusedQueue.because(lasting.get(), place, services, timers);
    }
    services
        .failures()
        .due(failed.what() + Optional.ofNullable(failed.cause()).map(Throwable::getClass))
        .ifPresent(
            leftOut ->
                getContext()
                    .getLog()
                    .error(
                        "{} failed: the queue {} starts anew; {} more since the last such line.",
                        failed.what(),
                        place.name(),
                        leftOut,
                        failed.cause()));
    getContext().getChildren().forEach(getContext()::stop);
    giveUp(INTERRUPTED);
    return RefusedQueue.untilItStops(INTERRUPTED, timers, this::leave);
  }

  private void giveUp(String sentence) {
    intake.giveUp(sentence);
    questions.giveUp(sentence);
  }

  private Behavior<Message> onPostStop() {
    giveUp(INTERRUPTED);
    leave();
    return this;
  }

  private void leave() {
    services.figures().left(place.name().value());
    services.figures().answers().left(getContext().getSelf());
    if (leaveAsked && !memory.queue().isIdle()) {
      // It came after the wish to leave memory: whoever is started next takes it up.
      place.next().tell(new QueueRequest.Wake());
    }
  }

  /** Between the attempts and this queue. */
  private final class Edge implements AttemptErrands.Edge {
    private final ActorRef<Message> self;

    Edge(ActorRef<Message> self) {
      this.self = self;
    }

    @Override
    public void answer(Attempts.Input input) {
      self.tell(new Attempted(input));
    }

    @Override
    public void tellQueue(QueueInput input) {
      ScheduleLog.told(place.name(), input);
      intake.report(input);
    }

    /** As a command that is not remembered: the other partition knows its number (SCH-29). */
    @Override
    public CompletionStage<Void> carry(Crossing crossing) {
      var id = SchedulerNode.ONCE + "crossing/" + crossing.from() + "/" + crossing.number();
      var administrator = services.rules().setup().administrator();
      var take = new Command(id, administrator, new Operation.Take(crossing));
      return place
          .entities()
          .apply(place.name().entity(crossing.to()))
          .<QueueReply>ask(replyTo -> new QueueRequest.Submit(List.of(take), replyTo), CARRIED)
          .thenAccept(reply -> requireTaken(crossing, reply));
    }

    private static void requireTaken(Crossing crossing, QueueReply reply) {
      boolean taken =
          reply instanceof QueueReply.Answers(var answers)
              && answers.getFirst() instanceof Answer answer
              && answer.refusal().isEmpty();
      if (!taken) {
        throw new IllegalStateException("Not taken yet: " + crossing + ", " + reply);
      }
    }

    @Override
    public void wakeIn(Duration wait) {
      timers.startSingleTimer(ATTEMPTS, new Attempted(new Attempts.Input.Tick()), wait);
    }
  }
}
