package dev.sequitur.trace;

import static dev.sequitur.transport.Envelopes.NODE1;
import static dev.sequitur.transport.Envelopes.NODE2;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.trace.TraceRing.TraceLimits;
import dev.sequitur.trace.TransactionTrace.Line;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeftOutHeartbeatsTest {
  @Test
  void whatIsNoHeartbeatStaysAndKeepsItsNumber() {
    var transaction = Conversation.transaction(1);
    var ring = new TraceRing(TraceLimits.DEFAULT, InstantSource.fixed(Instant.EPOCH));
    ring.sent(new Conversation(transaction).messages());
    var lines =
        ring.trace(transaction).stream().map(message -> new Line(message, List.of(NODE1))).toList();
    var whole = new TransactionTrace(lines, List.of(NODE2), 3);
    assertThat(lines).filteredOn(LeftOutHeartbeatsTest::isHeartbeat).isNotEmpty();

    var rest = whole.withoutHeartbeats();

    assertThat(rest.lines())
        .isNotEmpty()
        .containsExactlyElementsOf(lines.stream().filter(line -> !isHeartbeat(line)).toList());
    assertThat(rest.silent()).containsExactly(NODE2);
    assertThat(rest.leftOut()).isEqualTo(3);
  }

  private static boolean isHeartbeat(Line line) {
    return line.message().type().contains("Heartbeat");
  }
}
