package dev.sequitur.simulation;

import dev.sequitur.protocol.coordinator.CoordinatorInput;
import dev.sequitur.protocol.distribution.StateStore;
import dev.sequitur.protocol.machine.Received;
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
import dev.sequitur.protocol.message.StartupNotification;
import dev.sequitur.protocol.message.StartupNotificationAcknowledgement;
import dev.sequitur.protocol.message.StateDistribution;
import dev.sequitur.protocol.message.StateDistributionAcknowledgement;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification;
import dev.sequitur.protocol.message.TransactionReverted;
import dev.sequitur.protocol.message.TransactionRevertedAcknowledgement;
import dev.sequitur.protocol.sender.SenderInput;
import dev.sequitur.protocol.submitter.SubmitterInput;

/** Which machines a message is for, as Inbound has it. */
final class Routing {
  private Routing() {}

  /**
   * @throws IllegalStateException if nobody here answers to a message of its kind
   */
  @SuppressWarnings("unchecked") // The class of the message is the type argument.
  static void route(Entities entities, Envelope envelope) {
    var message = (Message.OfContract) envelope.payload();
    var received = new Received<>(envelope.from(), envelope.messageId(), message);
    if (message instanceof EndorsementRequest) {
      entities.endorser().receive(received);
    } else if (message instanceof StateDistribution) {
      var given = (Received<StateDistribution>) (Received<?>) received;
      entities.states().tell(new StateStore.Input.Given(given));
    } else if (message instanceof StateDistributionAcknowledgement) {
      var acknowledged = (Received<StateDistributionAcknowledgement>) (Received<?>) received;
      entities.states().tell(new StateStore.Input.Acknowledged(acknowledged));
    } else if (message instanceof CoordinatorHeartbeatNotification
        || message instanceof StartupNotification) {
      entities.sender().tell(new SenderInput.FromNode(received));
      entities.coordinator().tell(new CoordinatorInput.FromNode(received));
      entities.endorser().receive(received);
    } else if (message instanceof TransactionRevertedAcknowledgement) {
      var acknowledged = (Received<TransactionRevertedAcknowledgement>) (Received<?>) received;
      entities.coordinator().tell(new CoordinatorInput.FromNode(received));
      entities.submitter().tell(new SubmitterInput.Acknowledged(acknowledged));
    } else if (isForSender(message)) {
      entities.sender().tell(new SenderInput.FromNode(received));
    } else if (isForCoordinator(message)) {
      entities.coordinator().tell(new CoordinatorInput.FromNode(received));
    } else if (!(message instanceof Dispatch)) {
      // A dispatch is believed of nobody (A27).
      throw new IllegalStateException("Nobody answers to " + message.getClass());
    }
  }

  private static boolean isForSender(Message message) {
    return message instanceof DelegationAccepted
        || message instanceof DelegationRejected
        || message instanceof AssembleRequest
        || message instanceof RequestDispatchConfirmation
        || message instanceof Dispatched
        || message instanceof TransactionReverted
        || message instanceof SubmitterHeartbeatNotification
        || message instanceof PreparedTransactionDistribution;
  }

  private static boolean isForCoordinator(Message message) {
    return message instanceof DelegationCommand
        || message instanceof AssembleResponse
        || message instanceof AssembleError
        || message instanceof EndorsementResponse
        || message instanceof EndorsementError
        || message instanceof DispatchConfirmationResponse
        || message instanceof DispatchConfirmationError
        || message instanceof StartupNotificationAcknowledgement
        || message instanceof PreparedTransactionAcknowledgement;
  }
}
