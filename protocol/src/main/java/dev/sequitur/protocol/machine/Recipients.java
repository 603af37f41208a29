package dev.sequitur.protocol.machine;

import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.StartupNotification;
import dev.sequitur.protocol.message.TransactionRevertedAcknowledgement;

/** The machines of one contract on one node, as the messages of other nodes reach them. */
public interface Recipients {
  void sender(Received<? extends Message.ForSender> received);

  void coordinator(Received<? extends Message.ForCoordinator> received);

  void endorser(Received<? extends Message.ForEndorser> received);

  void submitter(Received<? extends Message.ForSubmitter> received);

  void stateStore(Received<? extends Message.ForStateStore> received);

  void messageBook(Received<? extends Message.ForMessageBook> received);

  /** Gives a message to each machine that answers to it. */
  default void deliver(Received<? extends Message.ForMachine> received) {
    switch (received.message()) {
      case CoordinatorHeartbeatNotification message -> evidence(received.with(message));
      case StartupNotification message -> evidence(received.with(message));
      case TransactionRevertedAcknowledgement message -> {
        coordinator(received.with(message));
        submitter(received.with(message));
      }
      case Message.ForSender message -> sender(received.with(message));
      case Message.ForCoordinator message -> coordinator(received.with(message));
      case Message.ForEndorser message -> endorser(received.with(message));
      case Message.ForStateStore message -> stateStore(received.with(message));
      case Message.ForMessageBook message -> messageBook(received.with(message));
      // Its submitter is on the coordinator's node: it is never believed of another (DSP-7).
      case Dispatch ignored -> {}
    }
  }

  /** Of which coordinators live. */
  private <M extends Message.ForSender & Message.ForCoordinator & Message.ForEndorser>
      void evidence(Received<M> received) {
    sender(received);
    coordinator(received);
    endorser(received);
  }
}
