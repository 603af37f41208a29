package dev.sequitur.persistence.serialization;

import dev.sequitur.encoding.Alternatives;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.message.AssembleError;
import dev.sequitur.protocol.message.AssembleRequest;
import dev.sequitur.protocol.message.AssembleResponse;
import dev.sequitur.protocol.message.ChangeSignatures;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification;
import dev.sequitur.protocol.message.DelegationAccepted;
import dev.sequitur.protocol.message.DelegationCommand;
import dev.sequitur.protocol.message.DelegationRejected;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.message.DispatchConfirmationResponse;
import dev.sequitur.protocol.message.Dispatched;
import dev.sequitur.protocol.message.EndorsementError;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.message.EndorsementResponse;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.GroupGenesis;
import dev.sequitur.protocol.message.GroupGenesisAcknowledgement;
import dev.sequitur.protocol.message.GroupGenesisRejected;
import dev.sequitur.protocol.message.GroupMessages;
import dev.sequitur.protocol.message.GroupMessagesAcknowledgement;
import dev.sequitur.protocol.message.GroupWithdrawal;
import dev.sequitur.protocol.message.GroupWithdrawalAcknowledgement;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.PreparedTransactionAcknowledgement;
import dev.sequitur.protocol.message.PreparedTransactionDistribution;
import dev.sequitur.protocol.message.RequestDispatchConfirmation;
import dev.sequitur.protocol.message.ResolveVerifierError;
import dev.sequitur.protocol.message.ResolveVerifierRequest;
import dev.sequitur.protocol.message.ResolveVerifierResponse;
import dev.sequitur.protocol.message.StartupNotification;
import dev.sequitur.protocol.message.StartupNotificationAcknowledgement;
import dev.sequitur.protocol.message.StateContentsRequest;
import dev.sequitur.protocol.message.StateContentsResponse;
import dev.sequitur.protocol.message.StateDistribution;
import dev.sequitur.protocol.message.StateDistributionAcknowledgement;
import dev.sequitur.protocol.message.StateErasure;
import dev.sequitur.protocol.message.StateErasure.StateErasureAnswer;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification;
import dev.sequitur.protocol.message.TraceRequest;
import dev.sequitur.protocol.message.TraceResponse;
import dev.sequitur.protocol.message.TransactionReverted;
import dev.sequitur.protocol.message.TransactionRevertedAcknowledgement;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.transaction.NewGroup;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.protocol.transaction.Transaction;
import java.util.List;
import java.util.stream.Stream;

/** The numbers of the protocol's own alternatives: what is new goes to the end of its list. */
public final class ProtocolSchemas implements SchemaContribution {
  @Override
  public List<Schema<?>> schemas() {
    return List.of(
        Schema.of("Envelope", 1, Envelope.class), Schema.of("Message", 1, Message.class));
  }

  @Override
  public List<Alternatives<?>> alternatives() {
    return Stream.concat(
            Stream.of(
                messages(), delegationRejected(), endorsementError(), acceptance(), transaction()),
            ofLedger().stream())
        .toList();
  }

  /** Of what is sent to the base ledger and comes from it, for the ledger's own format too. */
  public static List<Alternatives<?>> ofLedger() {
    return List.of(call(), result(), outcome());
  }

  private static Alternatives<Message> messages() {
    return Alternatives.of(
        Message.class,
        DelegationCommand.class,
        DelegationAccepted.class,
        DelegationRejected.class,
        AssembleRequest.class,
        AssembleResponse.class,
        AssembleError.class,
        EndorsementRequest.class,
        EndorsementResponse.class,
        EndorsementError.class,
        CoordinatorHeartbeatNotification.class,
        SubmitterHeartbeatNotification.class,
        StartupNotification.class,
        StartupNotificationAcknowledgement.class,
        RequestDispatchConfirmation.class,
        DispatchConfirmationResponse.class,
        Dispatch.class,
        Dispatched.class,
        TransactionReverted.class,
        TransactionRevertedAcknowledgement.class,
        StateDistribution.class,
        StateDistributionAcknowledgement.class,
        PreparedTransactionDistribution.class,
        PreparedTransactionAcknowledgement.class,
        ResolveVerifierRequest.class,
        ResolveVerifierResponse.class,
        ResolveVerifierError.class,
        TraceRequest.class,
        TraceResponse.class,
        GroupGenesis.class,
        GroupGenesisAcknowledgement.class,
        GroupGenesisRejected.class,
        GroupMessages.class,
        GroupMessagesAcknowledgement.class,
        GroupWithdrawal.class,
        GroupWithdrawalAcknowledgement.class,
        StateContentsRequest.class,
        StateContentsResponse.class,
        ChangeSignatures.class,
        StateErasure.class,
        StateErasureAnswer.class);
  }

  private static Alternatives<DelegationRejected.Reason> delegationRejected() {
    return Alternatives.of(
        DelegationRejected.Reason.class,
        DelegationRejected.MismatchedBlockHeight.class,
        DelegationRejected.NotPreferredCoordinator.class,
        DelegationRejected.Overloaded.class,
        DelegationRejected.CannotSubmit.class);
  }

  private static Alternatives<EndorsementError.Reason> endorsementError() {
    return Alternatives.of(
        EndorsementError.Reason.class,
        EndorsementError.MismatchedBlockHeight.class,
        EndorsementError.NotPreferredCoordinator.class,
        EndorsementError.Refused.class,
        EndorsementError.CannotEndorseNow.class);
  }

  private static Alternatives<LedgerTransaction.Call> call() {
    return Alternatives.of(
        LedgerTransaction.Call.class,
        LedgerTransaction.Deploy.class,
        LedgerTransaction.Invoke.class,
        LedgerTransaction.UseNonce.class,
        LedgerTransaction.PublicCall.class,
        LedgerTransaction.ChangeCommittee.class);
  }

  private static Alternatives<LedgerReceipt.Result> result() {
    return Alternatives.of(
        LedgerReceipt.Result.class,
        LedgerReceipt.Deployed.class,
        LedgerReceipt.Fulfilled.class,
        LedgerReceipt.Reverted.class,
        LedgerReceipt.NonceUsed.class,
        LedgerReceipt.Called.class,
        LedgerReceipt.CommitteeChanged.class,
        LedgerReceipt.ChangeRefused.class);
  }

  private static Alternatives<SubmitOutcome> outcome() {
    return Alternatives.of(
        SubmitOutcome.class,
        SubmitOutcome.Pooled.class,
        SubmitOutcome.NonceTooLow.class,
        SubmitOutcome.Underpriced.class,
        SubmitOutcome.PoolFull.class,
        SubmitOutcome.Invalid.class,
        SubmitOutcome.InsufficientFunds.class);
  }

  private static Alternatives<Transaction> transaction() {
    return Alternatives.of(
        Transaction.class, PrivateTransaction.class, PublicTransaction.class, NewGroup.class);
  }

  private static Alternatives<NodeStore.Acceptance> acceptance() {
    return Alternatives.of(
        NodeStore.Acceptance.class,
        NodeStore.Acceptance.Accepted.class,
        NodeStore.Acceptance.IdempotencyConflict.class);
  }
}
