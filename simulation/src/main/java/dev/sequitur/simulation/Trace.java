package dev.sequitur.simulation;

import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.Message;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Locale;
import java.util.function.Predicate;

/** What happened last, made readable only when somebody asks. */
final class Trace {
  private static final int LIMIT = 20_000;

  private final ArrayDeque<Line> lines = new ArrayDeque<>();

  private record Line(Instant time, NodeName node, String what, Object about) {
    @Override
    public String toString() {
      long millis = Duration.between(Timeline.START, time).toMillis();
      return String.format("%9.3f %-8s %s %s", millis / 1000.0, node, what, words(about));
    }

    private static String words(Object about) {
      if (about instanceof Envelope envelope) {
        var payload = envelope.payload();
        return envelope.to()
            + " "
            + payload.getClass().getSimpleName()
            + " "
            + payload.transactions()
            + detail(payload);
      }
      String text = String.valueOf(about);
      return text.length() <= 160 ? text : text.substring(0, 160) + "…";
    }

    private static String detail(Object payload) {
      String text = payload.toString();
      int reason = text.toLowerCase(Locale.ROOT).indexOf("reason=");
      return reason < 0 ? "" : " " + text.substring(reason, Math.min(text.length(), reason + 120));
    }
  }

  void add(Instant time, NodeName node, String what, Object about) {
    boolean heartbeat =
        about instanceof Envelope envelope && envelope.payload() instanceof Message.Heartbeat;
    if (heartbeat) {
      return;
    }
    if (lines.size() == LIMIT) {
      lines.removeFirst();
    }
    lines.add(new Line(time, node, what, about));
  }

  /** The newest {@code count} lines that {@code which} wants, oldest first. */
  String newest(int count, Predicate<String> which) {
    var chosen = new ArrayDeque<String>();
    for (var newest = lines.descendingIterator(); newest.hasNext() && chosen.size() < count; ) {
      String line = newest.next().toString();
      if (which.test(line)) {
        chosen.addFirst(line);
      }
    }
    return String.join("\n", chosen);
  }
}
