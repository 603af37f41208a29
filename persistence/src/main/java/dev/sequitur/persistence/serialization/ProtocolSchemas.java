package dev.sequitur.persistence.serialization;

import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.message.AssembleError;
import dev.sequitur.protocol.message.AssembleRequest;
import dev.sequitur.protocol.message.AssembleResponse;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification;
import dev.sequitur.protocol.message.DelegationAccepted;
import dev.sequitur.protocol.message.DelegationCommand;
import dev.sequitur.protocol.message.DelegationRejected;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.message.DispatchConfirmationError;
import dev.sequitur.protocol.message.DispatchConfirmationResponse;
import dev.sequitur.protocol.message.Dispatched;
import dev.sequitur.protocol.message.EndorsementError;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.message.EndorsementResponse;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.PreparedTransactionAcknowledgement;
import dev.sequitur.protocol.message.PreparedTransactionDistribution;
import dev.sequitur.protocol.message.RequestDispatchConfirmation;
import dev.sequitur.protocol.message.ResolveVerifierError;
import dev.sequitur.protocol.message.ResolveVerifierRequest;
import dev.sequitur.protocol.message.ResolveVerifierResponse;
import dev.sequitur.protocol.message.StartupNotification;
import dev.sequitur.protocol.message.StartupNotificationAcknowledgement;
import dev.sequitur.protocol.message.StateDistribution;
import dev.sequitur.protocol.message.StateDistributionAcknowledgement;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification;
import dev.sequitur.protocol.message.TraceRequest;
import dev.sequitur.protocol.message.TraceResponse;
import dev.sequitur.protocol.message.TransactionReverted;
import dev.sequitur.protocol.message.TransactionRevertedAcknowledgement;
import dev.sequitur.protocol.port.NodeStore;
import java.util.List;

/** The names of the protocol's own alternatives: the specification's. */
public final class ProtocolSchemas implements SchemaContribution {
  @Override
  public List<Schema<?>> schemas() {
    return List.of(
        Schema.of("Envelope", 1, Envelope.class), Schema.of("Message", 1, Message.class));
  }

  @Override
  public List<Alternatives<?>> alternatives() {
    return List.of(
        messages(),
        delegationRejected(),
        endorsementError(),
        call(),
        result(),
        outcome(),
        acceptance());
  }

  private static Alternatives<Message> messages() {
    return Alternatives.of(Message.class)
        .name("DelegationCommand", DelegationCommand.class)
        .name("DelegationAccepted", DelegationAccepted.class)
        .name("DelegationRejected", DelegationRejected.class)
        .name("AssembleRequest", AssembleRequest.class)
        .name("AssembleResponse", AssembleResponse.class)
        .name("AssembleError", AssembleError.class)
        .name("EndorsementRequest", EndorsementRequest.class)
        .name("EndorsementResponse", EndorsementResponse.class)
        .name("EndorsementError", EndorsementError.class)
        .name("CoordinatorHeartbeatNotification", CoordinatorHeartbeatNotification.class)
        .name("SubmitterHeartbeatNotification", SubmitterHeartbeatNotification.class)
        .name("StartupNotification", StartupNotification.class)
        .name("StartupNotificationAcknowledgement", StartupNotificationAcknowledgement.class)
        .name("RequestDispatchConfirmation", RequestDispatchConfirmation.class)
        .name("DispatchConfirmationResponse", DispatchConfirmationResponse.class)
        .name("DispatchConfirmationError", DispatchConfirmationError.class)
        .name("Dispatch", Dispatch.class)
        .name("Dispatched", Dispatched.class)
        .name("TransactionReverted", TransactionReverted.class)
        .name("TransactionRevertedAcknowledgement", TransactionRevertedAcknowledgement.class)
        .name("StateDistribution", StateDistribution.class)
        .name("StateDistributionAcknowledgement", StateDistributionAcknowledgement.class)
        .name("PreparedTransactionDistribution", PreparedTransactionDistribution.class)
        .name("PreparedTransactionAcknowledgement", PreparedTransactionAcknowledgement.class)
        .name("ResolveVerifierRequest", ResolveVerifierRequest.class)
        .name("ResolveVerifierResponse", ResolveVerifierResponse.class)
        .name("ResolveVerifierError", ResolveVerifierError.class)
        .name("TraceRequest", TraceRequest.class)
        .name("TraceResponse", TraceResponse.class)
        .build();
  }

  private static Alternatives<DelegationRejected.Reason> delegationRejected() {
    return Alternatives.of(DelegationRejected.Reason.class)
        .name("MismatchedBlockHeight", DelegationRejected.MismatchedBlockHeight.class)
        .name("NotPreferredCoordinator", DelegationRejected.NotPreferredCoordinator.class)
        .name("Overloaded", DelegationRejected.Overloaded.class)
        .build();
  }

  private static Alternatives<EndorsementError.Reason> endorsementError() {
    return Alternatives.of(EndorsementError.Reason.class)
        .name("MismatchedBlockHeight", EndorsementError.MismatchedBlockHeight.class)
        .name("NotPreferredCoordinator", EndorsementError.NotPreferredCoordinator.class)
        .name("Refused", EndorsementError.Refused.class)
        .build();
  }

  private static Alternatives<LedgerTransaction.Call> call() {
    return Alternatives.of(LedgerTransaction.Call.class)
        .name("Deploy", LedgerTransaction.Deploy.class)
        .name("Invoke", LedgerTransaction.Invoke.class)
        .name("UseNonce", LedgerTransaction.UseNonce.class)
        .build();
  }

  private static Alternatives<LedgerReceipt.Result> result() {
    return Alternatives.of(LedgerReceipt.Result.class)
        .name("Deployed", LedgerReceipt.Deployed.class)
        .name("Fulfilled", LedgerReceipt.Fulfilled.class)
        .name("Reverted", LedgerReceipt.Reverted.class)
        .name("NonceUsed", LedgerReceipt.NonceUsed.class)
        .build();
  }

  private static Alternatives<SubmitOutcome> outcome() {
    return Alternatives.of(SubmitOutcome.class)
        .name("Pooled", SubmitOutcome.Pooled.class)
        .name("NonceTooLow", SubmitOutcome.NonceTooLow.class)
        .name("Underpriced", SubmitOutcome.Underpriced.class)
        .name("PoolFull", SubmitOutcome.PoolFull.class)
        .name("Invalid", SubmitOutcome.Invalid.class)
        .build();
  }

  private static Alternatives<NodeStore.Acceptance> acceptance() {
    return Alternatives.of(NodeStore.Acceptance.class)
        .name("Accepted", NodeStore.Acceptance.Accepted.class)
        .name("IdempotencyConflict", NodeStore.Acceptance.IdempotencyConflict.class)
        .build();
  }
}
