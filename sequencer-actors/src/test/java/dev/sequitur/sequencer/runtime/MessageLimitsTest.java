package dev.sequitur.sequencer.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.fixture.Arbitrary;
import dev.sequitur.protocol.attestation.MerkleTree;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.HeartbeatSequence;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.message.AssembleRequest;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification;
import dev.sequitur.protocol.message.DelegationCommand;
import dev.sequitur.protocol.message.Dispatched;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.message.EndorsementResponse;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification;
import dev.sequitur.protocol.settings.LimitSettings;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which messages of other nodes are too long to be looked at. */
class MessageLimitsTest {
  private static final Arbitrary ANY = new Arbitrary(7);
  private static final int TOO_MANY = 200_001;

  private final MessageLimits limits = new MessageLimits(LimitSettings.DEFAULT);

  static Stream<Message> ordinary() {
    return Arbitrary.leaves(Message.class).map(type -> (Message) ANY.next(type));
  }

  @ParameterizedTest
  @MethodSource("ordinary")
  void ordinaryMessagesAreTaken(Message message) {
    assertThat(limits.allow(message)).isTrue();
  }

  static Stream<Message> tooLong() {
    var heartbeat = ANY.next(CoordinatorHeartbeatNotification.class);
    var held = ANY.next(SubmitterHeartbeatNotification.class);
    var pending = ANY.next(SubmitterHeartbeatNotification.Pending.class);
    var detail =
        new SubmitterHeartbeatNotification.DispatchedTransaction(
            ANY.next(TransactionId.class),
            many(ANY.next(SubmitterHeartbeatNotification.Submission.class)),
            List.of());
    var request = ANY.next(AssembleRequest.class);
    return Stream.of(
        delegation(many(ANY.next(PrivateTransaction.class))),
        new CoordinatorHeartbeatNotification(
            heartbeat.heartbeatId(),
            heartbeat.timestamp(),
            heartbeat.contract(),
            many(ANY.next(TransactionId.class))),
        new Dispatched(
            heartbeat.contract(), many(ANY.next(Dispatched.Item.class)), new NodeName("node1")),
        heartbeat(held, many(pending), List.of()),
        heartbeat(held, List.of(), List.of(detail)),
        new AssembleRequest(
            request.assembleRequestId(),
            request.contract(),
            request.blockHeight(),
            request.stateLocks(),
            many(ANY.next(AssembleRequest.Item.class))),
        asking(many(ANY.next(EndorsementRequest.Item.class))),
        answering(many(ANY.next(IntentKey.class)), List.of()),
        answering(List.of(), many(ANY.next(EndorsementResponse.Refused.class))));
  }

  /** However long an operator lets batches become: nobody can sign a longer tree. */
  @Test
  void noMoreIsTakenThanCanBeSignedTogether() {
    var generous =
        new MessageLimits(LimitSettings.DEFAULT.withDelegationBatch(MerkleTree.MOST_LEAVES));
    var item = ANY.next(EndorsementRequest.Item.class);

    assertThat(generous.allow(asking(Collections.nCopies(MerkleTree.MOST_LEAVES, item)))).isTrue();
    assertThat(generous.allow(asking(Collections.nCopies(MerkleTree.MOST_LEAVES + 1, item))))
        .isFalse();
    var transaction = ANY.next(PrivateTransaction.class);
    assertThat(
            generous.allow(
                delegation(Collections.nCopies(MerkleTree.MOST_LEAVES + 1, transaction))))
        .isTrue();
  }

  private static EndorsementRequest asking(List<EndorsementRequest.Item> items) {
    var like = ANY.next(EndorsementRequest.class);
    return new EndorsementRequest(
        like.attestationRequest(),
        like.idempotencyKey(),
        like.contract(),
        like.party(),
        items,
        like.coordinator(),
        like.blockHeight());
  }

  private static EndorsementResponse answering(
      List<IntentKey> endorsed, List<EndorsementResponse.Refused> refused) {
    var like = ANY.next(EndorsementResponse.class);
    return new EndorsementResponse(
        like.idempotencyKey(),
        like.contract(),
        like.party(),
        like.attestationRequestName(),
        endorsed,
        like.endorsement(),
        refused);
  }

  /** As text they would be too long for a name, too. */
  @ParameterizedTest(name = "{index}")
  @MethodSource("tooLong")
  void messagesThatNoNodeSendsAreNotTaken(Message message) {
    assertThat(limits.allow(message)).isFalse();
  }

  @Test
  void whatIsOfNoKnownKindIsNotTaken() {
    assertThatThrownBy(() -> limits.allow(null)).isNotNull();
  }

  private static SubmitterHeartbeatNotification heartbeat(
      SubmitterHeartbeatNotification like,
      List<SubmitterHeartbeatNotification.Pending> pending,
      List<SubmitterHeartbeatNotification.DispatchedTransaction> details) {
    return new SubmitterHeartbeatNotification(
        new HeartbeatSequence(1, 1), Instant.EPOCH, like.contract(), pending, details);
  }

  private static DelegationCommand delegation(List<PrivateTransaction> transactions) {
    var node = new NodeName("node1");
    return new DelegationCommand(
        new DelegationId(node, 1, 1),
        node,
        transactions.get(0).contract(),
        transactions,
        new BlockHeight(1));
  }

  private static <T> List<T> many(T value) {
    return Collections.nCopies(TOO_MANY, value);
  }
}
