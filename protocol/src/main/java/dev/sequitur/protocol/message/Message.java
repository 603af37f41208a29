package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.message.StateErasure.StateErasureAnswer;
import java.util.List;

/** One message of the protocol; its envelope says who sent it to whom. */
public sealed interface Message {

  /** The transactions this is about, for tracing; empty if it is about none. */
  default List<TransactionId> transactions() {
    return List.of();
  }

  /** A message about one contract: believed only from a member of its committee (EXC-4). */
  sealed interface OfContract extends Message {
    ContractAddress contract();
  }

  /** A message about one identity's key, which belongs to no contract yet. */
  sealed interface OfVerifier extends Message
      permits ResolveVerifierRequest, ResolveVerifierResponse, ResolveVerifierError {}

  /**
   * A message about a group that has no contract yet: believed only from the node of one of its
   * members.
   */
  sealed interface OfGroup extends Message
      permits GroupGenesis,
          GroupGenesisAcknowledgement,
          GroupGenesisRejected,
          GroupWithdrawal,
          GroupWithdrawalAcknowledgement {
    RequestId requestId();
  }

  /**
   * A message about a change of a group's committee. Who is to become a member may not know the
   * group: what it tells is believed for the signatures in it.
   */
  sealed interface OfChange extends Message permits ChangeSignatures {
    ContractAddress contract();
  }

  /** A message about what a node has seen of one transaction. */
  sealed interface OfTrace extends OfContract permits TraceRequest, TraceResponse {}

  /**
   * A message that the machines of its contract answer to. It is on the list of each that it is
   * for; what is on several has a line of its own in {@code Recipients}.
   */
  sealed interface ForMachine extends OfContract
      permits ForSender,
          ForCoordinator,
          ForEndorser,
          ForSubmitter,
          ForStateStore,
          ForMessageBook,
          Dispatch {}

  /** What a sender answers to. */
  sealed interface ForSender extends ForMachine
      permits DelegationAccepted,
          DelegationRejected,
          AssembleRequest,
          Heartbeat,
          StartupNotification,
          RequestDispatchConfirmation,
          Dispatched,
          TransactionReverted,
          PreparedTransactionDistribution {}

  /** Comes again and again as long as there is something to tell. */
  sealed interface Heartbeat extends ForSender
      permits CoordinatorHeartbeatNotification, SubmitterHeartbeatNotification {}

  /** What a coordinator answers to. */
  sealed interface ForCoordinator extends ForMachine
      permits DelegationCommand,
          AssembleResponse,
          AssembleError,
          EndorsementResponse,
          EndorsementError,
          CoordinatorHeartbeatNotification,
          StartupNotification,
          StartupNotificationAcknowledgement,
          DispatchConfirmationResponse,
          TransactionRevertedAcknowledgement,
          PreparedTransactionAcknowledgement {}

  /** What an endorser answers to. */
  sealed interface ForEndorser extends ForMachine
      permits EndorsementRequest, CoordinatorHeartbeatNotification, StartupNotification {}

  /** What a submitter answers to. */
  sealed interface ForSubmitter extends ForMachine permits TransactionRevertedAcknowledgement {}

  /** What a state store answers to. */
  sealed interface ForStateStore extends ForMachine
      permits StateDistribution,
          StateDistributionAcknowledgement,
          StateContentsRequest,
          StateContentsResponse,
          StateErasure,
          StateErasureAnswer {}

  /** What a message book answers to. */
  sealed interface ForMessageBook extends ForMachine
      permits GroupMessages, GroupMessagesAcknowledgement {}
}
