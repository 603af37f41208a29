package dev.sequitur.trace;

import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.TracePart;
import dev.sequitur.protocol.message.TracedMessage;
import dev.sequitur.protocol.message.TracedMessage.Sight;
import dev.sequitur.trace.TransactionTrace.Line;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeSet;

/**
 * Puts together what several processes have seen of one exchange.
 *
 * <p>Clocks of different machines differ, so what orders is: each process's own numbers, that a
 * message is sent before it is received, and that an answer comes after what it answers. Only what
 * none of these orders goes by the clocks. Processes that contradict each other, because one of
 * them lies, end in some order.
 */
public final class CausalOrder {
  private static final Comparator<Event> BY_CLOCK =
      Comparator.comparing((Event event) -> event.message.time())
          .thenComparingInt(event -> event.testimony)
          .thenComparingLong(event -> event.message.number())
          .thenComparingInt(event -> event.index);

  private final List<Testimony> testimonies;
  private final List<Event> events = new ArrayList<>();
  private final Map<MessageId, List<Event>> byMessage = new HashMap<>();

  /** What a node says that one of its processes has seen. */
  public record Testimony(NodeName node, TracePart part) {}

  /** One process has seen a message pass. */
  private static final class Event {
    private final TracedMessage message;
    private final int testimony;
    private final int index;
    private final List<Event> followers = new ArrayList<>();
    private int causes;
    private boolean placed;

    private Event(TracedMessage message, int testimony, int index) {
      this.message = message;
      this.testimony = testimony;
      this.index = index;
    }

    private void before(Event later) {
      followers.add(later);
      later.causes++;
    }
  }

  private CausalOrder(List<Testimony> testimonies) {
    this.testimonies = testimonies;
  }

  /**
   * Each message once, where it was first seen.
   *
   * @param testimonies the most trusted first: it is believed where two differ on a message; else
   *     its sender, then its receiver
   */
  public static List<Line> of(List<Testimony> testimonies) {
    var order = new CausalOrder(testimonies);
    order.addEvents();
    order.sendBeforeReceive();
    order.questionBeforeAnswer();
    return order.lines(order.sorted());
  }

  private void addEvents() {
    for (int i = 0; i < testimonies.size(); i++) {
      Event previous = null;
      var messages = new ArrayList<>(testimonies.get(i).part().messages());
      messages.sort(Comparator.comparingLong(TracedMessage::number));
      for (var message : messages) {
        var event = new Event(message, i, events.size());
        events.add(event);
        byMessage.computeIfAbsent(message.messageId(), id -> new ArrayList<>()).add(event);
        if (previous != null) {
          previous.before(event);
        }
        previous = event;
      }
    }
  }

  private void sendBeforeReceive() {
    for (var sightings : byMessage.values()) {
      for (var sent : sightings) {
        if (sent.message.sight() == Sight.SENT) {
          sightings.stream()
              .filter(other -> other.message.sight() == Sight.RECEIVED)
              .forEach(sent::before);
        }
      }
    }
  }

  private void questionBeforeAnswer() {
    for (var answer : events) {
      answer
          .message
          .correlationId()
          .map(byMessage::get)
          .ifPresent(questions -> questions.forEach(question -> question.before(answer)));
    }
  }

  private List<Event> sorted() {
    var ready = new PriorityQueue<>(BY_CLOCK);
    var waiting = new TreeSet<>(BY_CLOCK);
    events.forEach(event -> (event.causes == 0 ? ready : waiting).add(event));
    var sorted = new ArrayList<Event>(events.size());
    while (!ready.isEmpty() || !waiting.isEmpty()) {
      // Nothing ready means a contradiction: the clocks decide, so that it ends.
      var next = ready.isEmpty() ? waiting.pollFirst() : ready.poll();
      next.placed = true;
      sorted.add(next);
      for (var follower : next.followers) {
        follower.causes--;
        if (follower.causes == 0 && !follower.placed) {
          waiting.remove(follower);
          ready.add(follower);
        }
      }
    }
    return sorted;
  }

  private List<Line> lines(List<Event> sorted) {
    var first = new LinkedHashMap<MessageId, List<Event>>();
    sorted.forEach(
        event ->
            first.putIfAbsent(event.message.messageId(), byMessage.get(event.message.messageId())));
    var lines = new ArrayList<Line>(first.size());
    for (var sightings : first.values()) {
      var best = sightings.stream().min(Comparator.comparingInt(this::distrust)).orElseThrow();
      var seenBy =
          sightings.stream()
              .map(event -> testimonies.get(event.testimony).node())
              .distinct()
              .sorted()
              .toList();
      lines.add(new Line(best.message.withNumber(lines.size() + 1), seenBy));
    }
    return lines;
  }

  private int distrust(Event event) {
    var node = testimonies.get(event.testimony).node();
    if (event.testimony == 0) {
      return 0;
    }
    if (node.equals(event.message.from())) {
      return 1;
    }
    return node.equals(event.message.to()) ? 2 : 3;
  }
}
