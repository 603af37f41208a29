package dev.sequitur.simulation;

import dev.sequitur.protocol.coordinator.CoordinatorInput;
import dev.sequitur.protocol.distribution.StateStore;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.StartupNotification;
import dev.sequitur.protocol.message.StateDistribution;
import dev.sequitur.protocol.message.StateDistributionAcknowledgement;
import dev.sequitur.protocol.message.TransactionRevertedAcknowledgement;
import dev.sequitur.protocol.sender.SenderInput;
import dev.sequitur.protocol.submitter.SubmitterInput;

/** Which machines a message is for, as Inbound has it. */
final class Routing {
  private Routing() {}

  @SuppressWarnings("unchecked") // The class of the message is the type argument.
  static void route(Entities entities, Envelope envelope) {
    var message = (Message.OfContract) envelope.payload();
    var received = new Received<>(envelope.from(), envelope.messageId(), message);
    if (message instanceof EndorsementRequest) {
      entities.endorser().receive(received);
    } else if (message instanceof StateDistribution) {
      var given = (Received<StateDistribution>) (Received<?>) received;
      entities.states().tell(new StateStore.Input.Given(given));
    } else if (message instanceof StateDistributionAcknowledgement acknowledgement) {
      entities.states().tell(new StateStore.Input.Acknowledged(acknowledgement));
    } else if (message instanceof CoordinatorHeartbeatNotification
        || message instanceof StartupNotification) {
      entities.sender().tell(new SenderInput.FromNode(received));
      entities.coordinator().tell(new CoordinatorInput.FromNode(received));
      entities.endorser().receive(received);
    } else if (message instanceof TransactionRevertedAcknowledgement acknowledgement) {
      entities.coordinator().tell(new CoordinatorInput.FromNode(received));
      entities.submitter().tell(new SubmitterInput.Acknowledged(acknowledgement));
    } else if (isForSender(message)) {
      entities.sender().tell(new SenderInput.FromNode(received));
    } else if (!(message instanceof Dispatch)) {
      entities.coordinator().tell(new CoordinatorInput.FromNode(received));
    }
  }

  private static boolean isForSender(Message message) {
    return switch (message.getClass().getSimpleName()) {
      case "DelegationAccepted",
          "DelegationRejected",
          "AssembleRequest",
          "RequestDispatchConfirmation",
          "Dispatched",
          "TransactionReverted",
          "SubmitterHeartbeatNotification",
          "PreparedTransactionDistribution" ->
          true;
      default -> false;
    };
  }
}
