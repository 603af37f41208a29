package dev.sequitur.simulation;

import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.machine.Outgoing;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.ProtocolVersion;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** The network between the nodes. A node's messages to itself are never lost. */
final class Wire {
  private final Simulation simulation;
  private final RandomGenerator random;
  private final List<Installed> faults = new ArrayList<>();
  private final List<Consumer<Envelope>> observers = new ArrayList<>();
  private final Map<String, Long> sent = new TreeMap<>();
  private final Set<Class<? extends Message>> forged = new HashSet<>();
  private long messages;

  private record Installed(Optional<Fault> counted, LinkFault fault) {}

  Wire(Simulation simulation, RandomGenerator random) {
    this.simulation = simulation;
    this.random = random;
  }

  /** Until the returned action is run. */
  Runnable add(LinkFault fault) {
    return add(new Installed(Optional.empty(), fault));
  }

  /** The same, and every envelope that it concerns counts as one of {@code counted}. */
  Runnable add(Fault counted, LinkFault fault) {
    return add(new Installed(Optional.of(counted), fault));
  }

  private Runnable add(Installed installed) {
    faults.add(installed);
    return () -> faults.remove(installed);
  }

  void heal() {
    faults.clear();
  }

  /** By kind of message. */
  Map<String, Long> sent() {
    return sent;
  }

  /** The kinds of what no machine has sent. */
  Set<Class<? extends Message>> forged() {
    return forged;
  }

  /** All but heartbeats, which cost the same whether there is one transaction or a thousand. */
  long sentWithoutHeartbeats() {
    return sent.entrySet().stream()
        .filter(
            entry ->
                !entry.getKey().equals(CoordinatorHeartbeatNotification.class.getSimpleName())
                    && !entry.getKey().equals(SubmitterHeartbeatNotification.class.getSimpleName()))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** Who sees what honest machines send. */
  void watch(Consumer<Envelope> observer) {
    observers.add(observer);
  }

  /** What no machine of {@code from} has sent. The network carries it like anything else. */
  void forge(NodeName from, NodeName to, Message message) {
    var envelope = envelope(from, Outgoing.of(to, message));
    simulation.trace().add(simulation.now(), from, "=>", envelope);
    simulation.coordinating().onForged(envelope);
    simulation.messaging().onForged(from);
    forged.add(message.getClass());
    simulation.after(
        Duration.ofNanos(500_000 + random.nextLong(4_000_000)),
        () -> simulation.node(to).deliver(envelope));
  }

  private Envelope envelope(NodeName from, Outgoing outgoing) {
    return new Envelope(
        ProtocolVersion.CURRENT,
        new MessageId(new UUID(0, messages++)),
        outgoing.inReplyTo(),
        from,
        outgoing.to(),
        List.of(),
        outgoing.message());
  }

  Envelope send(NodeLife jvm, Outgoing outgoing) {
    var from = jvm.name();
    var envelope = envelope(from, outgoing);
    observers.forEach(observer -> observer.accept(envelope));
    sent.merge(outgoing.message().getClass().getSimpleName(), 1L, Long::sum);
    var deliveries = List.of(Duration.ofNanos(500_000 + random.nextLong(4_000_000)));
    if (!from.equals(outgoing.to())) {
      for (var each : faults) {
        var before = deliveries;
        deliveries = each.fault().apply(envelope, before, random);
        if (!deliveries.equals(before)) {
          each.counted().ifPresent(simulation::injected);
        }
      }
    }
    simulation.conduct().onSent(envelope, jvm.speaker());
    simulation.invariants().onSent(envelope, jvm);
    simulation.coordinating().onSent(envelope, jvm);
    simulation.trace().add(simulation.now(), from, deliveries.isEmpty() ? "-x" : "->", envelope);
    for (var wait : deliveries) {
      simulation.after(wait, () -> simulation.node(envelope.to()).deliver(envelope));
    }
    return envelope;
  }
}
