package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.TransactionId;
import java.util.List;

/** One message of the protocol; its envelope says who sent it to whom. */
public sealed interface Message
    permits Message.OfContract,
        ResolveVerifierRequest,
        ResolveVerifierResponse,
        ResolveVerifierError {

  /** The transactions this is about, for tracing; empty if it is about none. */
  default List<TransactionId> transactions() {
    return List.of();
  }

  /** A message about one contract: believed only from a member of its committee (A20). */
  sealed interface OfContract extends Message
      permits DelegationCommand,
          DelegationAccepted,
          DelegationRejected,
          AssembleRequest,
          AssembleResponse,
          AssembleError,
          EndorsementRequest,
          EndorsementResponse,
          EndorsementError,
          CoordinatorHeartbeatNotification,
          SubmitterHeartbeatNotification,
          StartupNotification,
          StartupNotificationAcknowledgement,
          RequestDispatchConfirmation,
          DispatchConfirmationResponse,
          DispatchConfirmationError,
          Dispatch,
          Dispatched,
          TransactionReverted,
          TransactionRevertedAcknowledgement,
          StateDistribution,
          StateDistributionAcknowledgement,
          PreparedTransactionDistribution,
          PreparedTransactionAcknowledgement,
          TraceRequest,
          TraceResponse {
    ContractAddress contract();
  }
}
