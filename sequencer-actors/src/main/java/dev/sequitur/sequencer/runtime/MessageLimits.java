package dev.sequitur.sequencer.runtime;

import dev.sequitur.protocol.attestation.MerkleTree;
import dev.sequitur.protocol.group.CommitteeChange;
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
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification.DispatchedTransaction;
import dev.sequitur.protocol.message.TraceRequest;
import dev.sequitur.protocol.message.TraceResponse;
import dev.sequitur.protocol.message.TransactionReverted;
import dev.sequitur.protocol.message.TransactionRevertedAcknowledgement;
import dev.sequitur.protocol.settings.SequencerSettings.LimitSettings;
import dev.sequitur.protocol.transaction.AttestationRequest;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.PrivateState;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/**
 * How long the lists in a message may be, but for those that limit themselves when they are made,
 * as that of who may hold a state: far longer than any that a node sends which is set up alike, and
 * short enough that one message cannot fill this node. Other nodes may be set up otherwise, so that
 * there is no limit below {@link #LEAST}.
 */
final class MessageLimits {
  /** States, signatures or parties of one transaction; what the base ledger takes at most. */
  static final int OF_ONE_TRANSACTION = 4_096;

  /** Submissions, and activities, of one dispatch. */
  static final int HAPPENINGS = 1_000;

  private static final int LEAST = 10_000;
  private static final int TIMES = 10;
  private static final int STATES_PER_TRANSACTION = 8;

  private final int batch;
  private final int signedTogether;
  private final int inFlight;

  MessageLimits(LimitSettings own) {
    this.batch =
        atLeast(
            Math.max(own.attestationBatch(), Math.max(own.delegationBatch(), own.assembleBatch())));
    this.signedTogether = Math.min(batch, MerkleTree.MOST_LEAVES);
    this.inFlight = atLeast(own.coordinated());
  }

  private static int atLeast(int setting) {
    return (int) Math.max(LEAST, Math.min(Integer.MAX_VALUE / 16, (long) TIMES * setting));
  }

  boolean allow(Message message) {
    return switch (message) {
      case DelegationCommand command ->
          atMost(batch, command.privateTransactions())
              && atMost(batch, command.passedOver())
              && atMost(batch, command.left())
              && atMost(batch, command.refused())
              && command.left().stream().allMatch(MessageLimits::allows);
      case DelegationAccepted accepted -> atMost(batch, accepted.transactions());
      case DelegationRejected rejected -> atMost(batch, rejected.transactions());
      case AssembleRequest request -> {
        int states = inFlight * STATES_PER_TRANSACTION;
        yield atMost(signedTogether, request.items())
            && atMost(states, request.stateLocks().spent())
            && atMost(states, request.stateLocks().created().keySet());
      }
      case AssembleResponse response -> allows(response.postAssembly());
      case EndorsementRequest request ->
          atMost(signedTogether, request.items())
              && atMost(batch, request.passedOver())
              && request.items().stream().allMatch(MessageLimits::allows)
              && allows(request.attestationRequest());
      case EndorsementResponse response ->
          atMost(batch, response.endorsed()) && atMost(batch, response.refused());
      case RequestDispatchConfirmation request -> atMost(batch, request.items());
      case DispatchConfirmationResponse response ->
          atMost(batch, response.granted()) && atMost(batch, response.denied());
      case CoordinatorHeartbeatNotification heartbeat ->
          atMost(inFlight, heartbeat.transactions())
              && atMost(inFlight, heartbeat.waiting())
              && atMost(inFlight, heartbeat.refused())
              && heartbeat.waiting().stream().allMatch(MessageLimits::allows);
      case SubmitterHeartbeatNotification heartbeat ->
          atMost(inFlight, heartbeat.pending())
              && atMost(inFlight, heartbeat.details())
              && heartbeat.details().stream().allMatch(MessageLimits::allows);
      case Dispatched dispatched -> atMost(inFlight, dispatched.items());
      case StateDistribution distribution ->
          atMost(inFlight * STATES_PER_TRANSACTION, distribution.items());
      case PreparedTransactionDistribution prepared ->
          allows(prepared.prepared(), prepared.outputs());
      case Dispatch dispatch -> allows(dispatch.prepared(), dispatch.outputs());
      // These have no list, or one that limits itself when it is made.
      case GroupGenesis given -> atMost(LEAST, given.genesis().committee().members());
      case ChangeSignatures told ->
          told.signatures().size() <= ChangeSignatures.MOST
              && told.change().quorum().committee().members().size()
                  <= CommitteeChange.MOST_MEMBERS;
      case GroupMessages ignored -> true;
      case GroupMessagesAcknowledgement ignored -> true;
      case GroupGenesisAcknowledgement ignored -> true;
      case GroupGenesisRejected ignored -> true;
      case GroupWithdrawal ignored -> true;
      case GroupWithdrawalAcknowledgement ignored -> true;
      case ResolveVerifierRequest ignored -> true;
      case ResolveVerifierResponse ignored -> true;
      case ResolveVerifierError ignored -> true;
      case TraceRequest ignored -> true;
      case TraceResponse ignored -> true;
      case AssembleError ignored -> true;
      case EndorsementError ignored -> true;
      case StartupNotification ignored -> true;
      case StartupNotificationAcknowledgement ignored -> true;
      case TransactionReverted ignored -> true;
      case TransactionRevertedAcknowledgement ignored -> true;
      case StateDistributionAcknowledgement ignored -> true;
      case StateContentsRequest ignored -> true;
      case StateContentsResponse ignored -> true;
      case StateErasure ignored -> true;
      case StateErasureAnswer ignored -> true;
      case PreparedTransactionAcknowledgement ignored -> true;
    };
  }

  private static boolean allows(DispatchedTransaction detail) {
    return atMost(HAPPENINGS, detail.submissions()) && atMost(HAPPENINGS, detail.activity());
  }

  private static boolean allows(PostAssembly assembly) {
    return allOfOne(
            assembly.inputs(),
            assembly.reads(),
            assembly.outputs(),
            assembly.info(),
            assembly.proof().signatures(),
            assembly.attestationPlan())
        && assembly.attestationPlan().stream().allMatch(MessageLimits::allows);
  }

  private static boolean allows(AttestationRequest line) {
    return allOfOne(line.parties());
  }

  private static boolean allows(CoordinatorHeartbeatNotification.Waiting waiting) {
    return waiting.transactions().size() <= LEAST && waiting.asked().size() <= OF_ONE_TRANSACTION;
  }

  private static boolean allows(EndorsementRequest.Item item) {
    return allOfOne(
        item.inputStates(),
        item.readStates(),
        item.outputStates(),
        item.infoStates(),
        item.proof().signatures(),
        item.verifiers());
  }

  private static boolean allows(DelegationCommand.Left left) {
    return allows(left.prepared(), List.of());
  }

  private static boolean allows(PreparedTransaction prepared, List<PrivateState> outputs) {
    return allOfOne(
        outputs,
        prepared.inputs(),
        prepared.reads(),
        prepared.outputs(),
        prepared.proof().signatures());
  }

  private static boolean allOfOne(List<?>... lists) {
    return Stream.of(lists).allMatch(list -> atMost(OF_ONE_TRANSACTION, list));
  }

  private static boolean atMost(int most, Collection<?> list) {
    return list.size() <= most;
  }
}
