package dev.sequitur.trace;

import static dev.sequitur.transport.Envelopes.NODE1;
import static dev.sequitur.transport.Envelopes.NODE2;
import static dev.sequitur.transport.Envelopes.NODE3;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.TracePart;
import dev.sequitur.protocol.message.TracedMessage;
import dev.sequitur.protocol.message.TracedMessage.Sight;
import dev.sequitur.trace.CausalOrder.Testimony;
import dev.sequitur.trace.TraceRing.TraceLimits;
import dev.sequitur.trace.TransactionTrace.Line;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CausalOrderTest {
  private static final List<Envelope> EXCHANGE =
      new Conversation(Conversation.transaction(1)).messages();
  private static final List<String> IN_ORDER =
      EXCHANGE.stream().map(envelope -> envelope.payload().getClass().getSimpleName()).toList();

  /** Each node in a process of its own, whose clock is hours from the others'. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void theOrderIsThatOfTheExchangeWhateverTheClocksSay(long seed) {
    var random = new Random(seed);
    var testimonies = new ArrayList<>(seenByEachNode(random));
    Collections.shuffle(testimonies, random);

    assertThat(types(CausalOrder.of(testimonies))).isEqualTo(IN_ORDER);
  }

  @Test
  void eachMessageIsThereOnceWithAllWhoSawIt() {
    var lines = CausalOrder.of(seenByEachNode(new Random(1)));

    assertThat(lines).hasSameSizeAs(EXCHANGE);
    assertThat(lines.get(0).seenBy()).containsExactly(NODE1, NODE2);
    assertThat(lines).extracting(line -> line.message().number()).startsWith(1L, 2L, 3L);
  }

  @Test
  void aNodeThatIsSilentLeavesItsMessagesToThoseWhoGotOrSentThem() {
    var testimonies = new ArrayList<>(seenByEachNode(new Random(2)));
    testimonies.removeIf(testimony -> testimony.node().equals(NODE2));

    var types = types(CausalOrder.of(testimonies));

    assertThat(types).containsExactlyInAnyOrderElementsOf(IN_ORDER);
    assertThat(types).containsSubsequence("DelegationCommand", "DelegationAccepted");
    assertThat(types).containsSubsequence("AssembleRequest", "AssembleResponse");
    assertThat(types).containsSubsequence("EndorsementRequest", "EndorsementError");
  }

  @Test
  void anAnswerComesAfterWhatItAnswersThoughOnlyItsReceiverSawIt() {
    var question = message(Sight.RECEIVED, 1, 1, Instant.ofEpochSecond(10), Optional.empty());
    var answer = message(Sight.RECEIVED, 2, 1, Instant.ofEpochSecond(9), Optional.of(id(1)));

    var lines = CausalOrder.of(List.of(testimony(NODE1, answer), testimony(NODE2, question)));

    assertThat(lines).extracting(line -> line.message().messageId()).containsExactly(id(1), id(2));
  }

  @Test
  void whatTheNodeItselfSawOutweighsWhatOthersSay() {
    var own = message(Sight.RECEIVED, 1, 1, Instant.EPOCH, Optional.empty());
    var claimed = message(Sight.SENT, 1, 7, Instant.EPOCH.plusSeconds(5), Optional.empty());

    var lines = CausalOrder.of(List.of(testimony(NODE2, own), testimony(NODE1, claimed)));

    assertThat(lines).hasSize(1);
    assertThat(lines.get(0).message().sight()).isEqualTo(Sight.RECEIVED);
    assertThat(lines.get(0).seenBy()).containsExactly(NODE1, NODE2);
  }

  @Test
  void contradictionsEndInSomeOrder() {
    var first = message(Sight.SENT, 1, 1, Instant.EPOCH, Optional.of(id(2)));
    var second = message(Sight.SENT, 2, 2, Instant.EPOCH, Optional.of(id(1)));
    var turned = message(Sight.SENT, 2, 1, Instant.EPOCH, Optional.of(id(2)));

    assertThat(
            CausalOrder.of(
                List.of(testimony(NODE1, first, second), testimony(NODE2, turned, first))))
        .hasSize(2);
  }

  private static List<Testimony> seenByEachNode(Random random) {
    Map<NodeName, TraceRing> rings = new LinkedHashMap<>();
    for (var node : List.of(NODE1, NODE2, NODE3)) {
      var offset = Duration.ofMinutes(random.nextInt(1_000));
      var ring = new TraceRing(TraceLimits.DEFAULT, () -> Instant.EPOCH.plus(offset));
      ring.addLocalNode(node);
      rings.put(node, ring);
    }
    for (var envelope : EXCHANGE) {
      rings.get(envelope.from()).sent(List.of(envelope));
      rings.get(envelope.to()).received(List.of(envelope));
    }
    var testimonies = new ArrayList<Testimony>();
    rings.forEach(
        (node, ring) ->
            testimonies.add(
                new Testimony(node, new TraceExcerpt(ring).own(Conversation.transaction(1), 1))));
    return testimonies;
  }

  private static List<String> types(List<Line> lines) {
    return lines.stream().map(line -> line.message().type()).toList();
  }

  private static Testimony testimony(NodeName node, TracedMessage... messages) {
    return new Testimony(node, new TracePart(new UUID(9, 9), 1, List.of(messages), 0));
  }

  private static MessageId id(long number) {
    return new MessageId(new UUID(0, number));
  }

  private static TracedMessage message(
      Sight sight, long id, long number, Instant time, Optional<MessageId> answered) {
    return new TracedMessage(
        sight,
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
