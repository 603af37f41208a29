package dev.sequitur.trace;

import static dev.sequitur.transport.Envelopes.CONTRACT;
import static dev.sequitur.transport.Envelopes.NODE1;
import static dev.sequitur.transport.Envelopes.NODE2;
import static dev.sequitur.transport.Envelopes.NODE3;

import dev.sequitur.crypto.IntentSalt;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.BlockRange;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.HeartbeatSequence;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.message.AssembleRequest;
import dev.sequitur.protocol.message.AssembleResponse;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification;
import dev.sequitur.protocol.message.DelegationAccepted;
import dev.sequitur.protocol.message.DelegationCommand;
import dev.sequitur.protocol.message.Dispatched;
import dev.sequitur.protocol.message.EndorsementError;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.ProtocolVersion;
import dev.sequitur.protocol.message.StateDistribution;
import dev.sequitur.protocol.message.StateDistributionAcknowledgement;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification;
import dev.sequitur.protocol.message.TransactionReverted;
import dev.sequitur.protocol.message.TransactionRevertedAcknowledgement;
import dev.sequitur.protocol.transaction.AttestationRequest;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Proof;
import dev.sequitur.protocol.transaction.StateLocks;
import dev.sequitur.protocol.transaction.SubmitMode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The messages about one transaction of node1, coordinated by node2, endorsed by node3. */
final class Conversation {
  static final String SECRET = "secret";
  private static final Identity ALICE = new Identity("alice", NODE1);
  private static final Identity CAROL = new Identity("carol", NODE3);
  private static final BlockHeight HEIGHT = new BlockHeight(42);
  private static final RequestId REQUEST = new RequestId("request-1");

  private final DelegationId delegation = new DelegationId(NODE1, 1, 1);
  private final TransactionId transaction;
  private long nextMessage = 1;

  Conversation(TransactionId transaction) {
    this.transaction = transaction;
  }

  static TransactionId transaction(long number) {
    return new TransactionId(new UUID(0, number));
  }

  /** From the delegation until the states are distributed. */
  List<Envelope> messages() {
    var delegate = envelope(NODE1, NODE2, delegationCommand());
    var accepted = answer(delegate, delegationAccepted());
    var assemble = envelope(NODE2, NODE1, assembleRequest());
    var assembled =
        answer(assemble, new AssembleResponse(transaction, REQUEST, CONTRACT, assembly()));
    var endorse = envelope(NODE2, NODE3, endorsementRequest());
    var refused =
        answer(
            endorse,
            new EndorsementError(
                REQUEST, CONTRACT, new EndorsementError.Refused(SECRET), CAROL, "owner"));
    var distribute = envelope(NODE2, NODE3, distribution());
    var stored = answer(distribute, new StateDistributionAcknowledgement(REQUEST, CONTRACT));
    var dispatched =
        envelope(
            NODE2,
            NODE1,
            new Dispatched(CONTRACT, List.of(new Dispatched.Item(transaction, delegation)), NODE2));
    return List.of(
        delegate,
        accepted,
        assemble,
        assembled,
        endorse,
        refused,
        distribute,
        stored,
        dispatched,
        coordinatorHeartbeat());
  }

  Envelope coordinatorHeartbeat() {
    return envelope(
        NODE2,
        NODE1,
        new CoordinatorHeartbeatNotification(
            new HeartbeatSequence(1, 1), Instant.EPOCH, CONTRACT, List.of(transaction)));
  }

  Envelope submitterHeartbeat() {
    var pending = new SubmitterHeartbeatNotification.Pending(transaction, new BlockRange(1));
    return envelope(
        NODE2,
        NODE1,
        new SubmitterHeartbeatNotification(
            new HeartbeatSequence(1, 1), Instant.EPOCH, CONTRACT, List.of(pending), List.of()));
  }

  Envelope reverted(Optional<TransactionHash> hash) {
    return envelope(
        NODE2, NODE1, new TransactionReverted(REQUEST, transaction, CONTRACT, hash, SECRET, true));
  }

  Envelope revertedAcknowledgement(Envelope reverted) {
    return answer(reverted, new TransactionRevertedAcknowledgement(REQUEST, CONTRACT));
  }

  private Message delegationCommand() {
    return new DelegationCommand(delegation, NODE2, CONTRACT, List.of(intent()), HEIGHT);
  }

  private DelegationAccepted delegationAccepted() {
    return new DelegationAccepted(
        delegation, NODE2, CONTRACT, List.of(transaction), new HeartbeatSequence(1, 1));
  }

  private AssembleRequest assembleRequest() {
    var item = new AssembleRequest.Item(transaction, delegation, Bytes.utf8(SECRET), Bytes.EMPTY);
    return new AssembleRequest(REQUEST, CONTRACT, HEIGHT, StateLocks.NONE, List.of(item));
  }

  private EndorsementRequest endorsementRequest() {
    return new EndorsementRequest(
        new AttestationRequest("owner", List.of(CAROL), 1),
        REQUEST,
        CONTRACT,
        CAROL,
        List.of(
            new EndorsementRequest.Item(
                intent(),
                Bytes.utf8(SECRET),
                List.of(),
                Proof.NONE,
                List.of(),
                List.of(),
                List.of(state()),
                List.of(),
                delegation)),
        NODE2,
        HEIGHT);
  }

  private StateDistribution distribution() {
    return new StateDistribution(
        REQUEST, CONTRACT, List.of(new StateDistribution.Item(transaction, state())));
  }

  private PostAssembly assembly() {
    return new PostAssembly(
        List.of(),
        List.of(),
        List.of(state()),
        List.of(),
        Bytes.utf8(SECRET),
        List.of(),
        Proof.NONE);
  }

  private static PrivateState state() {
    return new PrivateState(
        new StateId(Hash.sha256(new byte[0])),
        CONTRACT,
        "coin",
        SECRET,
        Bytes.utf8(SECRET),
        List.of(ALICE));
  }

  private PrivateTransaction intent() {
    return new PrivateTransaction(
        transaction,
        CONTRACT,
        "token",
        "transfer",
        ALICE,
        Bytes.utf8(SECRET),
        SubmitMode.AUTO,
        List.of(),
        IntentSalt.random());
  }

  private Envelope answer(Envelope request, Message payload) {
    return envelope(request.to(), request.from(), Optional.of(request.messageId()), payload);
  }

  private Envelope envelope(NodeName from, NodeName to, Message payload) {
    return envelope(from, to, Optional.empty(), payload);
  }

  private Envelope envelope(
      NodeName from, NodeName to, Optional<MessageId> answered, Message payload) {
    var id = new MessageId(new UUID(transaction.value().getLeastSignificantBits(), nextMessage++));
    return new Envelope(ProtocolVersion.CURRENT, id, answered, from, to, List.of(), payload);
  }
}
