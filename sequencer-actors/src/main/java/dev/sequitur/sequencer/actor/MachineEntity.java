package dev.sequitur.sequencer.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.TimerScheduler;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import akka.cluster.sharding.typed.javadsl.EntityRef;
import akka.persistence.typed.PersistenceId;
import akka.persistence.typed.RecoveryCompleted;
import akka.persistence.typed.javadsl.CommandHandler;
import akka.persistence.typed.javadsl.Effect;
import akka.persistence.typed.javadsl.EventSourcedBehavior;
import akka.persistence.typed.javadsl.SignalHandler;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.sequencer.runtime.NodeServices;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;

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
  final IdleWatch idle;
  private final TimerScheduler<C> timers;
  private final ActorRef<ClusterSharding.ShardCommand> shard;

  /** As decided; what of it is durable may still be on its way to the disk. */
  S state;

  private boolean begun;

  /**
   * @param contract the entity's key
   * @param shard asked when the entity wants to leave memory
   */
  record Place<C>(
      ActorContext<C> context,
      TimerScheduler<C> timers,
      NodeServices services,
      ContractAddress contract,
      ActorRef<ClusterSharding.ShardCommand> shard) {

    static <C> Behavior<C> behavior(
        NodeServices services,
        ContractAddress contract,
        ActorRef<ClusterSharding.ShardCommand> shard,
        Function<Place<C>, Behavior<C>> entity) {
      return Behaviors.setup(
          context ->
              Behaviors.withTimers(
                  timers -> entity.apply(new Place<>(context, timers, services, contract, shard))));
    }
  }

  MachineEntity(String kind, Place<C> place) {
    super(PersistenceId.of(kind, place.contract().value()));
    this.context = place.context();
    this.timers = place.timers();
    this.services = place.services();
    this.contract = place.contract();
    this.shard = place.shard();
    this.idle = new IdleWatch(services.setup().rules().idleAfter(), services.now());
  }

  abstract Decision<S, E, F> decide(S before, I input, Instant now);

  /** What the machine is told first after a recovery. */
  abstract I first(Instant now);

  /** Sent to itself at the pace of the node's settings. */
  abstract C tick();

  /** Wakes it; has no other meaning. */
  abstract C wake();

  abstract Effect<E, S> onCommand(C command);

  /** Sends what was decided and now is durable. */
  abstract void leave(Folded<S, E, F> folded, Runnable whenDurable);

  @Override
  public SignalHandler<S> signalHandler() {
    return newSignalHandlerBuilder()
        .onSignal(
            RecoveryCompleted.instance(),
            recovered -> {
              state = recovered;
              timers.startTimerWithFixedDelay(tick(), services.setup().rules().tick());
              context.getSelf().tell(wake());
            })
        .build();
  }

  @Override
  public CommandHandler<C, E, S> commandHandler() {
    return newCommandHandlerBuilder().forAnyState().onAnyCommand(this::onCommand);
  }

  final Folded<S, E, F> fold(List<? extends I> inputs) {
    var folded = new Folded<S, E, F>(state);
    var now = services.now();
    if (!begun) {
      begun = true;
      folded.add(decide(folded.state(), first(now), now));
    }
    for (var input : inputs) {
      folded.add(decide(folded.state(), input, now));
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
      shard.tell(new ClusterSharding.Passivate<>(context.getSelf()));
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
