package dev.sequitur.trace;

import static dev.sequitur.transport.Envelopes.NODE1;
import static dev.sequitur.transport.Envelopes.NODE2;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.message.TracedMessage;
import dev.sequitur.protocol.message.TracedMessage.Sight;
import dev.sequitur.trace.TraceRing.TraceLimits;
import dev.sequitur.trace.TransactionTrace.Line;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class MermaidSequenceTest {

  @Test
  void anExchangeIsDrawnAsInTheGoldenFile() throws IOException {
    var messages = trace();

    assertThat(MermaidSequence.render(messages)).isEqualTo(golden());
  }

  @Test
  void whatIsMissingIsNoted() {
    var lines = trace().lines();
    var incomplete = new TransactionTrace(lines, List.of(NODE1, NODE2), 3);

    assertThat(MermaidSequence.render(incomplete))
        .endsWith("  Note over p1: no answer from node1, node2, 3 more messages are left out\n");
  }

  private static TransactionTrace trace() {
    var transaction = Conversation.transaction(1);
    var ring = new TraceRing(TraceLimits.DEFAULT, InstantSource.fixed(Instant.EPOCH));
    ring.sent(new Conversation(transaction).messages());
    return whole(ring.trace(transaction));
  }

  private static TransactionTrace whole(List<TracedMessage> messages) {
    var lines = messages.stream().map(message -> new Line(message, List.of(NODE1))).toList();
    return new TransactionTrace(lines, List.of(), 0);
  }

  private static String golden() throws IOException {
    try (var file = MermaidSequenceTest.class.getResourceAsStream("exchange.mmd")) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void whatMermaidWouldMisreadIsEscaped() {
    var message =
        new TracedMessage(
            Sight.SENT,
            1,
            Instant.EPOCH,
            id(1),
            Optional.empty(),
            NODE1,
            "sender",
            NODE2,
            "coordinator",
            Optional.empty(),
            "Strange",
            List.of(),
            "a;b#c<d>\"e\"\n%%{init}: end");

    assertThat(MermaidSequence.render(whole(List.of(message))))
        .isEqualTo(
            """
            sequenceDiagram
              autonumber
              participant p1 as sender node1
              participant p2 as coordinator node2
              p1->>p2: Strange (a#59;b#35;c#60;d#62;#34;e#34; #37;#37;#123;init#125;: end)
            """);
  }

  private static MessageId id(long number) {
    return new MessageId(new UUID(0, number));
  }
}
