package dev.sequitur.sequencer.actor;

import akka.actor.typed.javadsl.ActorContext;
import akka.cluster.sharding.typed.javadsl.EntityRef;
import akka.persistence.typed.PersistenceId;
import akka.persistence.typed.RecoveryCompleted;
import akka.persistence.typed.SnapshotAdapter;
import akka.persistence.typed.javadsl.CommandHandler;
import akka.persistence.typed.javadsl.Effect;
import akka.persistence.typed.javadsl.EventHandler;
import akka.persistence.typed.javadsl.EventSourcedBehavior;
import akka.persistence.typed.javadsl.RetentionCriteria;
import akka.persistence.typed.javadsl.SignalHandler;
import dev.sequitur.protocol.id.ContractAddress;
import java.util.List;

/**
 * What the durable entities of a contract have in common: one of the rules' machines, whose events
 * are persisted and whose messages and effects leave only then. It begins with its machine's own
 * first input after each recovery, ticks, and leaves memory when it has long had nothing to do.
 *
 * @param <C> commands
 * @param <I> the machine's inputs
 * @param <E> its events
 * @param <S> its state
 * @param <F> its effects
 */
abstract class MachineEntity<C, I, E, S, F> extends EventSourcedBehavior<C, E, S> {
  static final Runnable NOTHING = () -> {};

  final ActorContext<C> context;
  final NodeServices services;
  final ContractAddress contract;
  private final Place<C> place;
  private final Machine<I, E, S, F> machine;
  private final IdleWatch idle;

  /** As decided; what of it is durable may still be on its way to the disk. */
  S state;

  private CommandHandler<C, E, S> handler;
  private boolean begun;

  MachineEntity(String kind, Place<C> place, Machine<I, E, S, F> machine) {
    super(PersistenceId.of(kind, place.contract().value()));
    this.context = place.context();
    this.services = place.services();
    this.contract = place.contract();
    this.place = place;
    this.machine = machine;
    this.idle = place.idleWatch();
  }

  /** Sent to itself at the pace of the node's settings. */
  abstract C tick();

  /** Wakes it; has no other meaning. */
  abstract C wake();

  /** What it does on each command; built once. */
  abstract CommandHandler<C, E, S> handler();

  /** Whether a command keeps it in memory. */
  abstract boolean isWork(C command);

  /** Sends what was decided and now is durable. */
  abstract void leave(Folded<S, E, F> folded, Runnable whenDurable);

  @Override
  public final S emptyState() {
    return machine.initial();
  }

  @Override
  public final EventHandler<S, E> eventHandler() {
    return machine.evolve();
  }

  @Override
  public final SnapshotAdapter<S> snapshotAdapter() {
    return machine.snapshots();
  }

  @Override
  public final RetentionCriteria retentionCriteria() {
    return RetentionCriteria.snapshotEvery(machine.snapshotEvery(), 2).withDeleteEventsOnSnapshot();
  }

  @Override
  public SignalHandler<S> signalHandler() {
    return newSignalHandlerBuilder()
        .onSignal(
            RecoveryCompleted.instance(),
            recovered -> {
              state = recovered;
              place.timers().startTimerWithFixedDelay(tick(), services.setup().rules().tick());
              context.getSelf().tell(wake());
            })
        .build();
  }

  /** Akka asks for it with each command. */
  @Override
  public final CommandHandler<C, E, S> commandHandler() {
    if (handler == null) {
      var commands = handler();
      handler =
          (stored, command) -> {
            if (isWork(command)) {
              idle.touch(services.now());
            }
            return commands.apply(stored, command);
          };
    }
    return handler;
  }

  final Folded<S, E, F> fold(List<? extends I> inputs) {
    var folded = new Folded<S, E, F>(state);
    var now = services.now();
    if (!begun) {
      begun = true;
      folded.add(machine.rules().decide(folded.state(), machine.first().apply(now), now));
    }
    for (var input : inputs) {
      folded.add(machine.rules().decide(folded.state(), input, now));
    }
    state = folded.state();
    return folded;
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
    return Effect().persist(folded.events()).thenRun(stored -> leave(folded, whenDurable));
  }

  final void leaveMemoryIf(boolean isIdle) {
    if (idle.isOver(isIdle, services.now())) {
      place.leaveMemory();
    }
  }

  /**
   * @param next reaches whoever is started after this
   */
  final Effect<E, S> onStop(boolean isIdle, EntityRef<C> next) {
    if (idle.hasBeenOver() && !isIdle) {
      // It came after the wish to leave memory: whoever is started next takes it up.
      next.tell(wake());
    }
    return Effect().stop();
  }
}
