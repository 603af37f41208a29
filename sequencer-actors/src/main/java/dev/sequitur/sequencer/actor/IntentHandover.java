package dev.sequitur.sequencer.actor;

import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.actor.typed.javadsl.TimerScheduler;
import akka.cluster.ClusterEvent.MemberRemoved;
import akka.cluster.MemberStatus;
import akka.cluster.typed.Cluster;
import akka.cluster.typed.Subscribe;
import dev.sequitur.cluster.JvmName;
import dev.sequitur.cluster.serialization.ProtocolSerializable;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.sequencer.runtime.NodeServices;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Hands durable intents to their senders, which may be in another JVM: again and again until the
 * sender says that it has them. What another JVM had still to hand over when it was lost is found
 * in the node store, once that JVM can store nothing more there. One in each JVM; nothing survives
 * a restart, nothing need.
 */
public final class IntentHandover extends AbstractBehavior<IntentHandover.Command> {
  private static final Duration AGAIN = Duration.ofSeconds(2);
  private static final Duration MOST_BETWEEN = Duration.ofSeconds(30);

  /** Batches beyond it are not kept; their contracts' senders read the node store instead. */
  private static final int MOST_OPEN = 10_000;

  /** What it is told. */
  public sealed interface Command extends ProtocolSerializable {}

  /** Of one contract, in order of acceptance. */
  public record HandOver(ContractAddress contract, List<PrivateTransaction> transactions)
      implements Command {}

  /** It may or may not have been stored that there are intents of these contracts. */
  public record InDoubt(Set<ContractAddress> contracts) implements Command {}

  /** The sender has them. */
  public record Taken(long batch) implements Command {}

  private record Tick() implements Command {}

  /** A JVM of this node has gone for good. */
  private record JvmLost(MemberRemoved which) implements Command {}

  record TakeOver(JvmName jvm, Duration pause) implements Command {}

  private record TakenOver(JvmName jvm, Set<ContractAddress> contracts) implements Command {}

  private record NotTakenOver(TakeOver attempt, Throwable cause) implements Command {}

  private record Open(HandOver what, Instant toldAt) {}

  private final NodeServices services;
  private final TimerScheduler<Command> timers;
  private final Map<Long, Open> open = new LinkedHashMap<>();
  private long lastBatch;

  public static Behavior<Command> create(NodeServices services) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> {
                  timers.startTimerWithFixedDelay(new Tick(), AGAIN);
                  return new IntentHandover(context, timers, services);
                }));
  }

  private IntentHandover(
      ActorContext<Command> context, TimerScheduler<Command> timers, NodeServices services) {
    super(context);
    this.timers = timers;
    this.services = services;
    Cluster.get(context.getSystem())
        .subscriptions()
        .tell(
            Subscribe.create(
                context.messageAdapter(MemberRemoved.class, JvmLost::new), MemberRemoved.class));
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(HandOver.class, this::onHandOver)
        .onMessage(Taken.class, this::onTaken)
        .onMessage(Tick.class, this::onTick)
        .onMessage(InDoubt.class, doubt -> reload(doubt.contracts()))
        .onMessage(JvmLost.class, this::onJvmLost)
        .onMessage(TakeOver.class, this::onTakeOver)
        .onMessage(TakenOver.class, this::onTakenOver)
        .onMessage(NotTakenOver.class, this::onNotTakenOver)
        .build();
  }

  private Behavior<Command> onHandOver(HandOver what) {
    if (open.size() >= MOST_OPEN) {
      return reload(Set.of(what.contract()));
    }
    long batch = ++lastBatch;
    open.put(batch, new Open(what, services.now()));
    tell(batch, what);
    return this;
  }

  private void tell(long batch, HandOver what) {
    services
        .entities()
        .sender(what.contract())
        .tell(
            new SenderActor.IntentsHanded(
                what.transactions(), batch, getContext().getSelf().narrow()));
  }

  private Behavior<Command> onTaken(Taken taken) {
    open.remove(taken.batch());
    return this;
  }

  private Behavior<Command> onTick(Tick tick) {
    var now = services.now();
    for (Iterator<Map.Entry<Long, Open>> each = open.entrySet().iterator(); each.hasNext(); ) {
      var entry = each.next();
      if (entry.getValue().toldAt().plus(AGAIN).isAfter(now)) {
        // Those after it were told later.
        break;
      }
      tell(entry.getKey(), entry.getValue().what());
    }
    return this;
  }

  /**
   * A JVM that leaves the cluster sees all others removed, in whatever state they are; it must not
   * take over from them.
   */
  private Behavior<Command> onJvmLost(JvmLost lost) {
    var previous = lost.which().previousStatus();
    boolean wasLeaving =
        previous.equals(MemberStatus.down()) || previous.equals(MemberStatus.exiting());
    var self = Cluster.get(getContext().getSystem()).selfMember();
    if (wasLeaving && self.status().equals(MemberStatus.up())) {
      var jvm = JvmName.of(lost.which().member().uniqueAddress());
      getContext().getSelf().tell(new TakeOver(jvm, AGAIN));
    }
    return this;
  }

  private Behavior<Command> onTakeOver(TakeOver attempt) {
    var jvm = attempt.jvm();
    getContext()
        .pipeToSelf(
            services.setup().ports().store().takeOver(jvm.toString()),
            (contracts, failure) ->
                failure == null
                    ? new TakenOver(jvm, contracts)
                    : new NotTakenOver(attempt, failure));
    return this;
  }

  private Behavior<Command> onTakenOver(TakenOver done) {
    getContext()
        .getLog()
        .info("Took over from {}; {} contracts have work", done.jvm(), done.contracts().size());
    return reload(done.contracts());
  }

  /** The database is slow or away. */
  private Behavior<Command> onNotTakenOver(NotTakenOver failed) {
    var pause = failed.attempt().pause();
    getContext()
        .getLog()
        .warn(
            "Cannot take over from {} now, trying again in {}",
            failed.attempt().jvm(),
            pause,
            failed.cause());
    var longer = pause.multipliedBy(2);
    var next = longer.compareTo(MOST_BETWEEN) < 0 ? longer : MOST_BETWEEN;
    timers.startSingleTimer(
        failed.attempt().jvm(), new TakeOver(failed.attempt().jvm(), next), pause);
    return this;
  }

  private Behavior<Command> reload(Set<ContractAddress> contracts) {
    contracts.forEach(
        contract -> services.entities().sender(contract).tell(new SenderActor.Reload()));
    return this;
  }
}
