package dev.sequitur.trace;

import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.TracedMessage;
import dev.sequitur.trace.MessageKind.Exchange;
import dev.sequitur.trace.TransactionTrace.Line;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Draws an exchange of messages as a Mermaid sequence diagram. */
public final class MermaidSequence {
  private record Participant(String role, NodeName node) {}

  private MermaidSequence() {}

  /**
   * One line for each message, one participant for each role that a node plays, in order of
   * appearance; a note on what is missing.
   *
   * @return lines, each ended by a newline
   */
  public static String render(TransactionTrace trace) {
    var ordered = trace.lines().stream().map(Line::message).toList();
    var participants = participants(ordered);
    var diagram = new StringBuilder("sequenceDiagram\n  autonumber\n");
    participants.forEach(
        (participant, id) ->
            diagram
                .append("  participant %s as ".formatted(id))
                .append(escape(participant.role() + " " + participant.node()))
                .append('\n'));
    for (var message : ordered) {
      diagram
          .append("  ")
          .append(participants.get(sender(message)))
          .append(arrow(message))
          .append(participants.get(receiver(message)))
          .append(": ")
          .append(escape(text(message)))
          .append('\n');
    }
    if (!participants.isEmpty()) {
      missing(trace).ifPresent(note -> diagram.append("  Note over p1: " + note + "\n"));
    }
    return diagram.toString();
  }

  private static Optional<String> missing(TransactionTrace trace) {
    var notes = new ArrayList<String>();
    if (!trace.silent().isEmpty()) {
      var nodes = trace.silent().stream().map(NodeName::value).collect(Collectors.joining(", "));
      notes.add("no answer from " + nodes);
    }
    if (trace.leftOut() > 0) {
      notes.add(trace.leftOut() + " more messages are left out");
    }
    return notes.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", notes));
  }

  private static Map<Participant, String> participants(List<TracedMessage> messages) {
    var participants = new LinkedHashMap<Participant, String>();
    for (var message : messages) {
      for (var participant : List.of(sender(message), receiver(message))) {
        participants.putIfAbsent(participant, "p" + (participants.size() + 1));
      }
    }
    return participants;
  }

  private static Participant sender(TracedMessage message) {
    return new Participant(message.fromRole(), message.from());
  }

  private static Participant receiver(TracedMessage message) {
    return new Participant(message.toRole(), message.to());
  }

  private static String arrow(TracedMessage message) {
    return MessageKind.named(message.type())
        .map(MessageKind::exchange)
        .orElse(Exchange.REQUEST)
        .arrow();
  }

  private static String text(TracedMessage message) {
    return message.detail().isEmpty()
        ? message.type()
        : message.type() + " (" + message.detail() + ")";
  }

  /** What would end a line, begin a comment or be read as HTML becomes an entity of Mermaid's. */
  private static String escape(String text) {
    var escaped = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char character = text.charAt(i);
      switch (character) {
        case '#', ';', '<', '>', '&', '"', '%', '{', '}', '\\' ->
            escaped.append('#').append((int) character).append(';');
        default -> escaped.append(Character.isISOControl(character) ? ' ' : character);
      }
    }
    return escaped.toString();
  }
}
