package dev.sequitur.simulation;

import dev.sequitur.protocol.endorser.Endorser;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.machine.Recipients;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.TransactionRevertedAcknowledgement;
import dev.sequitur.protocol.sender.SenderInput;
import dev.sequitur.protocol.submitter.SubmitterInput;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

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

  Stream<Shell<?, ?, ?, ?>> all() {
    return Stream.of(sender, coordinator, endorser, submitter, states, messages);
  }

  /**
   * The same with other lives of some, which begin and are told what was held back for those.
   *
   * @param others of all
   */
  ContractMachines replaced(Predicate<Shell<?, ?, ?, ?>> which, ContractMachines others) {
    return new ContractMachines(
        which.test(sender) ? others.sender : sender,
        which.test(coordinator) ? others.coordinator : coordinator,
        which.test(endorser) ? others.endorser : endorser,
        which.test(submitter) ? others.submitter : submitter,
        which.test(states) ? others.states : states,
        which.test(messages) ? others.messages : messages);
  }

  /** Those that were not in {@code before} begin, and are told what was held back for them. */
  void begin(ContractMachines before) {
    if (sender != before.sender) {
      sender.start();
      sender.takeHeld(before.sender);
    }
    if (coordinator != before.coordinator) {
      coordinator.takeHeld(before.coordinator);
    }
    if (endorser != before.endorser) {
      endorser.takeHeld(before.endorser);
    }
    if (submitter != before.submitter) {
      submitter.start();
      submitter.takeHeld(before.submitter);
    }
    if (states != before.states) {
      states.start();
      states.takeHeld(before.states);
    }
    if (messages != before.messages) {
      messages.start();
      messages.takeHeld(before.messages);
    }
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
