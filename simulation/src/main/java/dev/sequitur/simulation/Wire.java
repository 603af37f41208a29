package dev.sequitur.simulation;

import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.machine.Outgoing;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.ProtocolVersion;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** The network between the nodes. A node's messages to itself are never lost. */
final class Wire {
  private final Simulation simulation;
  private final RandomGenerator random;
  private final List<LinkFault> faults = new ArrayList<>();
  private final Map<String, Long> sent = new TreeMap<>();
  private long messages;

  Wire(Simulation simulation, RandomGenerator random) {
    this.simulation = simulation;
    this.random = random;
  }

  /** Until the returned action is run. */
  Runnable add(LinkFault fault) {
    faults.add(fault);
    return () -> faults.remove(fault);
  }

  void heal() {
    faults.clear();
  }

  /** By kind of message. */
  Map<String, Long> sent() {
    return sent;
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

  Envelope send(NodeName from, Outgoing outgoing) {
    var envelope =
        new Envelope(
            ProtocolVersion.CURRENT,
            new MessageId(new UUID(0, messages++)),
            outgoing.inReplyTo(),
            from,
            outgoing.to(),
            Optional.empty(),
            outgoing.message());
    sent.merge(outgoing.message().getClass().getSimpleName(), 1L, Long::sum);
    var deliveries = List.of(Duration.ofNanos(500_000 + random.nextLong(4_000_000)));
    if (!from.equals(outgoing.to())) {
      for (var fault : List.copyOf(faults)) {
        deliveries = fault.apply(envelope, deliveries, random);
      }
    }
    simulation.trace().add(simulation.now(), from, deliveries.isEmpty() ? "-x" : "->", envelope);
    for (var wait : deliveries) {
      simulation.after(wait, () -> simulation.node(envelope.to()).deliver(envelope));
    }
    return envelope;
  }
}
