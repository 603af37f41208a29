package dev.sequitur.sequencer.trace;

import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.sequencer.view.TracedMessage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Puts together what one or several processes have seen of the same exchange. */
public final class CausalOrder {
  private CausalOrder() {}

  /**
   * Each message once, by time and number, but an answer never before what it answers: clocks of
   * different machines differ.
   */
  public static List<TracedMessage> of(List<TracedMessage> messages) {
    var byId = new LinkedHashMap<MessageId, TracedMessage>();
    messages.stream()
        .sorted(Comparator.comparing(TracedMessage::time).thenComparingLong(TracedMessage::number))
        .forEach(message -> byId.putIfAbsent(message.messageId(), message));
    var ordered = new ArrayList<TracedMessage>(byId.size());
    var placed = new HashSet<MessageId>();
    for (var message : byId.values()) {
      place(message, byId, placed, ordered);
    }
    return List.copyOf(ordered);
  }

  /** Places the chain of messages that this one answers, the first cause first. */
  private static void place(
      TracedMessage message,
      Map<MessageId, TracedMessage> byId,
      Set<MessageId> placed,
      List<TracedMessage> ordered) {
    var chain = new ArrayDeque<TracedMessage>();
    var next = message;
    while (next != null && placed.add(next.messageId())) {
      chain.push(next);
      next = next.correlationId().map(byId::get).orElse(null);
    }
    ordered.addAll(chain);
  }
}
