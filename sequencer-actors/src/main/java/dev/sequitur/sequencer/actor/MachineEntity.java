package dev.sequitur.sequencer.actor;

import akka.actor.typed.Behavior;
import akka.actor.typed.PostStop;
import akka.actor.typed.PreRestart;
import akka.actor.typed.javadsl.ActorContext;
import akka.cluster.sharding.typed.javadsl.EntityTypeKey;
import akka.persistence.typed.PersistenceId;
import akka.persistence.typed.RecoveryCompleted;
import akka.persistence.typed.RecoveryFailed;
import akka.persistence.typed.SnapshotAdapter;
import akka.persistence.typed.javadsl.CommandHandler;
import akka.persistence.typed.javadsl.Effect;
import akka.persistence.typed.javadsl.EffectBuilder;
import akka.persistence.typed.javadsl.EventHandler;
import akka.persistence.typed.javadsl.EventSourcedBehavior;
import akka.persistence.typed.javadsl.RetentionCriteria;
import akka.persistence.typed.javadsl.SignalHandler;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.machine.Host;
import dev.sequitur.protocol.machine.Host.Folded;
import dev.sequitur.protocol.machine.Machine;
import java.util.List;

/**
 * What the durable entities of a contract have in common: one of the rules' machines, whose events
 * are persisted and whose messages and effects leave only then. It begins with its machine's own
 * first input after each recovery, ticks, and leaves memory when it has long had nothing to do.
 *
 * @param <C> commands
 * @param <I> the machine's inputs
 * @param <S> its state
 * @param <E> its events
 * @param <F> its effects
 */
abstract class MachineEntity<C, I, S, E, F> extends EventSourcedBehavior<C, E, S> {
  static final Runnable NOTHING = () -> {};

  /**
   * What an entity is told whatever it is for.
   *
   * @param tick sent to itself at the pace of the node's settings
   * @param wake wakes it; has no other meaning
   * @param stop from its shard, when it is to leave memory
   */
  record Signals<C>(C tick, C wake, C stop) {
    private boolean has(C command) {
      return command.equals(tick) || command.equals(wake) || command.equals(stop);
    }
  }

  /**
   * How much of its history is kept.
   *
   * @param adapter how its state is stored
   * @param every so many events; those before the last two snapshots are deleted
   */
  record Snapshots<S>(SnapshotAdapter<S> adapter, int every) {}

  final ActorContext<C> context;
  final NodeServices services;
  final ContractAddress contract;
  private final EntityTypeKey<C> key;
  private final Place<C> place;
  private final Signals<C> signals;
  private final Machine<I, S, E, F> machine;
  private final Snapshots<S> snapshots;
  private final IdleWatch idle;
  final WaitingLine line = new WaitingLine();
  private final CommandHandler<C, E, S> handler = (stored, command) -> onAny(command);
  private Host<I, S, E, F> host;

  MachineEntity(
      EntityTypeKey<C> key,
      Place<C> place,
      Signals<C> signals,
      Machine<I, S, E, F> machine,
      Snapshots<S> snapshots) {
    super(PersistenceId.of(key.name(), place.id()));
    this.key = key;
    this.context = place.context();
    this.services = place.services();
    this.contract = place.contract();
    this.place = place;
    this.signals = signals;
    this.machine = machine;
    this.snapshots = snapshots;
    this.idle = place.idleWatch();
  }

  /** The entity as it is started. */
  final Behavior<C> behavior() {
    return line.before(this);
  }

  /** What it does on each of its commands: a switch over all of them. */
  abstract Effect<E, S> on(C command);

  /** Whether it has nothing to do now. */
  abstract boolean isIdle();

  /** Whether a command that is no signal keeps it in memory. */
  boolean isWork(C command) {
    return true;
  }

  /**
   * Has done what was decided and now is durable.
   *
   * @param whenDurable run when all that follows is
   */
  abstract void perform(List<F> effects, Runnable whenDurable);

  /** It is in memory no longer. */
  void left() {}

  final void leave(Folded<E, F> folded, Runnable whenDurable) {
    services.outbox().send(folded.messages());
    perform(folded.effects(), whenDurable);
  }

  /** As decided; what of it is durable may still be on its way to the disk. */
  final S state() {
    return host.state();
  }

  @Override
  public final S emptyState() {
    return machine.initial();
  }

  /**
   * Events are applied once: on recovery here, and later where they are decided. What a state has
   * besides its events, a snapshot leaves out.
   */
  @Override
  public final EventHandler<S, E> eventHandler() {
    return (stored, event) -> host == null ? machine.evolve().apply(stored, event) : host.state();
  }

  @Override
  public final SnapshotAdapter<S> snapshotAdapter() {
    return snapshots.adapter();
  }

  @Override
  public final RetentionCriteria retentionCriteria() {
    return RetentionCriteria.snapshotEvery(snapshots.every(), 2).withDeleteEventsOnSnapshot();
  }

  @Override
  public SignalHandler<S> signalHandler() {
    return newSignalHandlerBuilder()
        .onSignal(
            RecoveryCompleted.instance(),
            recovered -> {
              services.recoveries().recovered(key.name(), place.id());
              line.open();
              host = new Host<>(machine, recovered);
              place
                  .timers()
                  .startTimerWithFixedDelay(signals.tick(), services.setup().rules().tick());
              context.getSelf().tell(signals.wake());
            })
        .onSignal(
            RecoveryFailed.class,
            (stored, failed) -> services.recoveries().failed(key.name(), place.id()))
        .onSignal(PreRestart.instance(), stopped -> left())
        .onSignal(PostStop.instance(), stopped -> left())
        .build();
  }

  /** Akka asks for it with each command. */
  @Override
  public final CommandHandler<C, E, S> commandHandler() {
    return handler;
  }

  private Effect<E, S> onAny(C command) {
    if (!signals.has(command) && isWork(command)) {
      idle.touch(services.now());
    }
    return on(command);
  }

  final Effect<E, S> onTick() {
    if (idle.isOver(isIdle(), services.now())) {
      place.leaveMemory();
    }
    return feed(List.of(machine.tick()));
  }

  /** No work: it may come long after it was told, and who has work is not idle. */
  final Effect<E, S> onWake() {
    return feed(List.of());
  }

  final Effect<E, S> onStop() {
    if (idle.hasBeenOver() && !isIdle()) {
      // It came after the wish to leave memory: whoever is started next takes it up.
      services.entities().find(key, place.id()).tell(signals.wake());
    }
    return Effect().stop();
  }

  final Folded<E, F> fold(List<? extends I> inputs) {
    return host.fold(inputs, services.now());
  }

  final Effect<E, S> feed(List<? extends I> inputs) {
    return feed(inputs, NOTHING);
  }

  final Effect<E, S> feed(List<? extends I> inputs, Runnable whenDurable) {
    var folded = fold(inputs);
    if (folded.events().isEmpty()) {
      leave(folded, whenDurable);
      return Effect().none();
    }
    return storing(folded, () -> leave(folded, whenDurable));
  }

  /**
   * @param then done when the events are stored
   */
  final EffectBuilder<E, S> storing(Folded<E, F> folded, Runnable then) {
    line.close();
    return Effect()
        .persist(folded.events())
        .thenRun(
            stored -> {
              line.open();
              then.run();
            });
  }
}
