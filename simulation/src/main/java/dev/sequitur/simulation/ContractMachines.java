package dev.sequitur.simulation;

import dev.sequitur.protocol.endorser.Endorser;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.machine.Recipients;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.TransactionRevertedAcknowledgement;
import dev.sequitur.protocol.sender.SenderInput;
import dev.sequitur.protocol.submitter.SubmitterInput;
import java.util.List;

/** The machines of one contract on one node. */
record ContractMachines(
    SenderShell sender,
    CoordinatorShell coordinator,
    EndorserShell endorser,
    SubmitterShell submitter,
    StateStoreShell states,
    MessageBookShell messages)
    implements Recipients {
  /** The same with another life of the sender. */
  ContractMachines with(SenderShell other) {
    return new ContractMachines(other, coordinator, endorser, submitter, states, messages);
  }

  @Override
  public void sender(Received<? extends Message.ForSender> received) {
    sender.tell(new SenderInput.FromNode(received));
  }

  @Override
  public void coordinator(Received<? extends Message.ForCoordinator> received) {
    coordinator.receive(received);
  }

  @Override
  public void endorser(Received<? extends Message.ForEndorser> received) {
    endorser.tell(new Endorser.Input.FromNode(received));
  }

  @Override
  public void submitter(Received<? extends Message.ForSubmitter> received) {
    switch (received.message()) {
      case TransactionRevertedAcknowledgement message ->
          submitter.tell(new SubmitterInput.Acknowledged(received.with(message)));
    }
  }

  @Override
  public void stateStore(Received<? extends Message.ForStateStore> received) {
    states.take(errands -> errands.deliver(List.of(received)));
  }

  @Override
  public void messageBook(Received<? extends Message.ForMessageBook> received) {
    messages.deliver(received);
  }
}
