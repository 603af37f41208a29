package dev.sequitur.transport;

import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.Envelope;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Sorts what one call sends by receiver. */
public final class Batches {
  private Batches() {}

  /** In the order given; the common case, one receiver, makes no copy of an immutable list. */
  public static Map<NodeName, List<Envelope>> byReceiver(List<Envelope> envelopes) {
    if (envelopes.isEmpty()) {
      return Map.of();
    }
    var first = envelopes.get(0).to();
    if (envelopes.stream().allMatch(envelope -> envelope.to().equals(first))) {
      return Map.of(first, List.copyOf(envelopes));
    }
    var batches = new LinkedHashMap<NodeName, List<Envelope>>();
    for (var envelope : envelopes) {
      batches.computeIfAbsent(envelope.to(), node -> new ArrayList<>()).add(envelope);
    }
    return batches;
  }
}
