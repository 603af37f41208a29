package dev.sequitur.sequencer.trace;

import static dev.sequitur.sequencer.transport.Envelopes.NODE1;
import static dev.sequitur.sequencer.transport.Envelopes.NODE2;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.sequencer.view.TracedMessage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
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
  void theOrderOfTheListDoesNotMatter() throws IOException {
    var messages = new ArrayList<>(trace());
    Collections.reverse(messages);

    assertThat(MermaidSequence.render(messages)).isEqualTo(golden());
  }

  private static List<TracedMessage> trace() {
    var transaction = Conversation.transaction(1);
    var ring = new TraceRing(TraceLimits.DEFAULT, InstantSource.fixed(Instant.EPOCH));
    ring.sent(new Conversation(transaction).messages());
    return ring.trace(transaction);
  }

  private static String golden() throws IOException {
    try (var file = MermaidSequenceTest.class.getResourceAsStream("exchange.mmd")) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void anAnswerComesAfterWhatItAnswersThoughItsClockIsBehind() {
    var request = message(1, 1, Instant.ofEpochSecond(10), Optional.empty());
    var answer = message(2, 1, Instant.ofEpochSecond(9), Optional.of(request.messageId()));

    assertThat(CausalOrder.of(List.of(answer, request))).containsExactly(request, answer);
  }

  @Test
  void aMessageThatTwoProcessesHaveSeenIsDrawnOnce() {
    var atSender = message(1, 5, Instant.ofEpochSecond(10), Optional.empty());
    var atReceiver = message(1, 900, Instant.ofEpochSecond(11), Optional.empty());

    assertThat(CausalOrder.of(List.of(atReceiver, atSender))).containsExactly(atSender);
  }

  @Test
  void messagesThatAnswerEachOtherAreDrawnOnceEach() {
    var first = message(1, 1, Instant.EPOCH, Optional.of(id(2)));
    var second = message(2, 2, Instant.EPOCH, Optional.of(id(1)));

    assertThat(CausalOrder.of(List.of(first, second))).containsExactlyInAnyOrder(first, second);
  }

  @Test
  void whatMermaidWouldMisreadIsEscaped() {
    var message =
        new TracedMessage(
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

    assertThat(MermaidSequence.render(List.of(message)))
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

  private static TracedMessage message(
      long id, long number, Instant time, Optional<MessageId> answered) {
    return new TracedMessage(
        number,
        time,
        id(id),
        answered,
        NODE1,
        "sender",
        NODE2,
        "coordinator",
        Optional.empty(),
        "DelegationCommand",
        List.of(),
        "");
  }
}
