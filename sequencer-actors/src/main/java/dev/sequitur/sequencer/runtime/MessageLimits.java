package dev.sequitur.sequencer.runtime;

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
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification.DispatchedTransaction;
import dev.sequitur.protocol.message.TraceRequest;
import dev.sequitur.protocol.message.TraceResponse;
import dev.sequitur.protocol.message.TransactionReverted;
import dev.sequitur.protocol.message.TransactionRevertedAcknowledgement;
import dev.sequitur.protocol.settings.LimitSettings;
import dev.sequitur.protocol.transaction.AttestationRequest;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.PrivateState;
import java.util.Collection;
import java.util.List;

/**
 * How long the lists in a message may be: far longer than any that a node sends which is set up
 * alike, and short enough that one message cannot fill this node. Other nodes may be set up
 * otherwise, so that there is no limit below {@link #LEAST}.
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
  private final int inFlight;

  MessageLimits(LimitSettings own) {
    this.batch = atLeast(Math.max(own.delegationBatch(), own.assembleBatch()));
    this.inFlight = atLeast(own.coordinated());
  }

  private static int atLeast(int setting) {
    return (int) Math.max(LEAST, Math.min(Integer.MAX_VALUE / 16, (long) TIMES * setting));
  }

  boolean allow(Message message) {
    if (message instanceof DelegationCommand command) {
      return atMost(batch, command.privateTransactions());
    } else if (message instanceof DelegationAccepted accepted) {
      return atMost(batch, accepted.transactions());
    } else if (message instanceof DelegationRejected rejected) {
      return atMost(batch, rejected.transactions());
    } else if (message instanceof AssembleRequest request) {
      int states = inFlight * STATES_PER_TRANSACTION;
      return atMost(batch, request.items())
          && atMost(states, request.stateLocks().spent())
          && atMost(states, request.stateLocks().created().keySet());
    } else if (message instanceof AssembleResponse response) {
      return allows(response.postAssembly());
    } else if (message instanceof EndorsementRequest request) {
      return allows(request);
    } else if (message instanceof CoordinatorHeartbeatNotification heartbeat) {
      return atMost(inFlight, heartbeat.transactions());
    } else if (message instanceof SubmitterHeartbeatNotification heartbeat) {
      return atMost(inFlight, heartbeat.pending())
          && atMost(inFlight, heartbeat.details())
          && heartbeat.details().stream().allMatch(MessageLimits::allows);
    } else if (message instanceof StateDistribution distribution) {
      return atMost(inFlight * STATES_PER_TRANSACTION, distribution.items());
    } else if (message instanceof PreparedTransactionDistribution prepared) {
      return allows(prepared.prepared(), prepared.outputs());
    } else if (message instanceof Dispatch dispatch) {
      return allows(dispatch.prepared(), dispatch.outputs());
    } else if (isOfFixedLength(message)) {
      return true;
    }
    throw new IllegalStateException("Nothing limits " + message.getClass());
  }

  /** It has no list, or one that limits itself when it is made. */
  private static boolean isOfFixedLength(Message message) {
    return message instanceof AssembleError
        || message instanceof EndorsementResponse
        || message instanceof EndorsementError
        || message instanceof StartupNotification
        || message instanceof StartupNotificationAcknowledgement
        || message instanceof RequestDispatchConfirmation
        || message instanceof DispatchConfirmationResponse
        || message instanceof DispatchConfirmationError
        || message instanceof Dispatched
        || message instanceof TransactionReverted
        || message instanceof TransactionRevertedAcknowledgement
        || message instanceof StateDistributionAcknowledgement
        || message instanceof PreparedTransactionAcknowledgement
        || message instanceof TraceRequest
        || message instanceof TraceResponse
        || message instanceof ResolveVerifierRequest
        || message instanceof ResolveVerifierResponse
        || message instanceof ResolveVerifierError;
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
            assembly.signatures(),
            assembly.attestationPlan())
        && assembly.attestationPlan().stream().allMatch(MessageLimits::allows);
  }

  private static boolean allows(AttestationRequest line) {
    return allOfOne(line.parties());
  }

  private static boolean allows(EndorsementRequest request) {
    return allOfOne(
            request.inputStates(),
            request.readStates(),
            request.outputStates(),
            request.infoStates(),
            request.signatures(),
            request.verifiers())
        && allows(request.attestationRequest());
  }

  private static boolean allows(PreparedTransaction prepared, List<PrivateState> outputs) {
    return allOfOne(
        prepared.inputs(), prepared.reads(), prepared.outputs(), prepared.endorsements(), outputs);
  }

  private static boolean allOfOne(List<?>... lists) {
    return List.of(lists).stream().allMatch(list -> atMost(OF_ONE_TRANSACTION, list));
  }

  private static boolean atMost(int most, Collection<?> list) {
    return list.size() <= most;
  }
}
