package dev.sequitur.sequencer.actor;

import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import dev.sequitur.persistence.serialization.ProtocolSerializable;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Hands durable intents to their senders, which may be in another JVM: again and again until the
 * sender says that it has them. One in each JVM; nothing survives a restart, nothing need.
 */
public final class IntentHandover extends AbstractBehavior<IntentHandover.Command> {
  private static final Duration AGAIN = Duration.ofSeconds(2);

  /** Batches beyond it are not kept; their contracts' senders read the node store instead. */
  private static final int MOST_OPEN = 10_000;

  /** What it is told. */
  public sealed interface Command extends ProtocolSerializable {}

  /** Of one contract, in order of acceptance. */
  public record HandOver(ContractAddress contract, List<PrivateTransaction> transactions)
      implements Command {}

  /** There may be intents of these contracts in the node store that nobody hands over. */
  public record InDoubt(Set<ContractAddress> contracts) implements Command {}

  /** The sender has them. */
  public record Taken(long batch) implements Command {}

  private record Tick() implements Command {}

  private record Open(HandOver what, Instant toldAt) {}

  private final NodeServices services;
  private final Map<Long, Open> open = new LinkedHashMap<>();
  private long lastBatch;

  public static Behavior<Command> create(NodeServices services) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> {
                  timers.startTimerWithFixedDelay(new Tick(), AGAIN);
                  return new IntentHandover(context, services);
                }));
  }

  private IntentHandover(ActorContext<Command> context, NodeServices services) {
    super(context);
    this.services = services;
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(HandOver.class, this::onHandOver)
        .onMessage(Taken.class, this::onTaken)
        .onMessage(Tick.class, this::onTick)
        .onMessage(InDoubt.class, doubt -> reload(doubt.contracts()))
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

  private Behavior<Command> reload(Set<ContractAddress> contracts) {
    contracts.forEach(
        contract -> services.entities().sender(contract).tell(new SenderActor.Reload()));
    return this;
  }
}
