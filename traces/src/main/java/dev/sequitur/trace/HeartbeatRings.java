package dev.sequitur.trace;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.message.TracedMessage;
import dev.sequitur.trace.TraceRing.TraceLimits;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;

/** The newest heartbeats of the contracts that were heard of last. Thread-safe by its lock. */
final class HeartbeatRings {
  private final TraceLimits limits;

  /** The contract heard of longest ago comes first. */
  private final LinkedHashMap<ContractAddress, Deque<TracedMessage>> byContract =
      new LinkedHashMap<>(16, 0.75f, true);

  HeartbeatRings(TraceLimits limits) {
    this.limits = limits;
  }

  synchronized void add(ContractAddress contract, TracedMessage heartbeat) {
    var ring = byContract.computeIfAbsent(contract, address -> new ArrayDeque<>());
    if (ring.size() == limits.heartbeatsPerContract()) {
      ring.removeFirst();
    }
    ring.addLast(heartbeat);
    if (byContract.size() > limits.contracts()) {
      var eldest = byContract.keySet().iterator();
      eldest.next();
      eldest.remove();
    }
  }

  synchronized List<TracedMessage> of(ContractAddress contract) {
    // Reading is no sign of life: it must not change which contract is forgotten next.
    return byContract.entrySet().stream()
        .filter(entry -> entry.getKey().equals(contract))
        .flatMap(entry -> entry.getValue().stream())
        .toList();
  }

  synchronized List<TracedMessage> concerning(TransactionId transaction) {
    return byContract.values().stream()
        .flatMap(Deque::stream)
        .filter(heartbeat -> TraceRing.concerns(heartbeat, transaction))
        .toList();
  }
}
