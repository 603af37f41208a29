package dev.sequitur.trace;

import static dev.sequitur.transport.Envelopes.CONTRACT;
import static dev.sequitur.transport.Envelopes.NODE1;
import static dev.sequitur.transport.Envelopes.NODE2;
import static dev.sequitur.transport.Envelopes.NODE3;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.message.TracePart;
import dev.sequitur.protocol.message.TracedMessage;
import dev.sequitur.trace.TraceRing.TraceLimits;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TraceExcerptTest {
  private static final TransactionId TRANSACTION = Conversation.transaction(1);
  private static final String DISTRIBUTION = "StateDistribution";

  private final TraceRing ring =
      new TraceRing(TraceLimits.DEFAULT, InstantSource.fixed(Instant.EPOCH));
  private final TraceExcerpt excerpt = new TraceExcerpt(ring);

  /** The process of the coordinator and submitter. */
  @BeforeEach
  void recordTheExchange() {
    ring.addLocalNode(NODE2);
    for (var envelope : new Conversation(TRANSACTION).messages()) {
      if (envelope.from().equals(NODE2)) {
        ring.sent(List.of(envelope));
      } else {
        ring.received(List.of(envelope));
      }
    }
  }

  @Test
  void theSenderAndWhoGotStatesMaySeeThatTheyWereDistributed() {
    assertThat(shownTo(NODE1)).contains(DISTRIBUTION, DISTRIBUTION + "Acknowledgement");
    assertThat(shownTo(NODE3)).contains(DISTRIBUTION, DISTRIBUTION + "Acknowledgement");
  }

  @Test
  void anotherMemberDoesNotLearnWhoGotStates() {
    assertThat(shownTo(new NodeName("node4")))
        .contains("DelegationCommand", "EndorsementRequest", "Dispatched")
        .doesNotContain(DISTRIBUTION, DISTRIBUTION + "Acknowledgement");
  }

  @Test
  void whatConcernsAnotherContractIsNotShown() {
    var other = new ContractAddress("0x" + "99".repeat(20));

    assertThat(excerpt.forMember(NODE1, other, TRANSACTION, 1).messages()).isEmpty();
  }

  @Test
  void onlyTheTransactionThatWasAskedForIsNamed() {
    assertThat(excerpt.forMember(NODE1, CONTRACT, TRANSACTION, 1).messages())
        .allSatisfy(message -> assertThat(message.transactions()).containsExactly(TRANSACTION));
  }

  @Test
  void whatThereIsNoRoomForIsCounted() {
    var one = new Conversation(TRANSACTION);
    IntStream.range(0, 110).forEach(i -> ring.sent(one.messages()));

    var part = excerpt.forMember(NODE1, CONTRACT, TRANSACTION, 1);

    assertThat(part.messages()).hasSize(TracePart.MOST_MESSAGES);
    assertThat(part.leftOut()).isPositive();
  }

  private List<String> shownTo(NodeName asker) {
    return excerpt.forMember(asker, CONTRACT, TRANSACTION, 1).messages().stream()
        .map(TracedMessage::type)
        .toList();
  }
}
