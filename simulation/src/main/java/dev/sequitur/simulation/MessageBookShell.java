package dev.sequitur.simulation;

import dev.sequitur.protocol.errand.MessageBookErrands;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.messaging.MessageBook;
import dev.sequitur.protocol.messaging.MessageBookEvent;
import dev.sequitur.protocol.messaging.MessageBookState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** The message book of one contract on a simulated node. */
final class MessageBookShell
    extends LoadedShell<MessageBook.Input, MessageBookState, MessageBookEvent, MessageBook.Effect> {
  static final String NAME = "messages";

  private final NodeName self;
  private final PrivacyGroup group;
  private final MessageBookErrands errands;

  MessageBookShell(
      NodeLife node, MessageBook book, PrivacyGroup group, List<MessageBookEvent> journal) {
    super(node, NAME, book.machine(), journal);
    this.self = node.name();
    this.group = group;
    this.errands =
        new MessageBookErrands(new SimulatedMessages(node), self, group.contract(), new Edge());
  }

  @Override
  ContractAddress contract() {
    return group.contract();
  }

  /** From a caller; until the book is loaded it waits. */
  void write(Bytes data) {
    onceLoaded(
        () ->
            tell(
                errands.write(
                    Optional.empty(),
                    "topic",
                    data,
                    outcome ->
                        node.simulation().messaging().onAnswered(self, contract(), outcome))));
  }

  void deliver(Received<? extends Message.ForMessageBook> received) {
    onceLoaded(() -> tell(MessageBook.Input.of(received)));
  }

  /** With the messages that are on the disk now. */
  @Override
  MessageBookState recovered() {
    var disk = node.disk();
    return super.recovered()
        .found(
            self,
            disk.newestMessages(contract()),
            disk.newestNumbers(contract(), self, MessageBook.MOST_WAITING));
  }

  @Override
  CompletionStage<Void> alongside(List<MessageBook.Effect> effects) {
    return errands.keep(effects);
  }

  @Override
  void perform(List<MessageBook.Effect> effects, Runnable whenDurable) {
    errands.run(effects);
    whenDurable.run();
  }

  /** As an actor's own messages they wait for their turn, and are never lost. */
  private final class Edge implements MessageBookErrands.Edge {
    @Override
    public void tell(MessageBook.Input input) {
      node.later(Duration.ZERO, () -> take(input));
    }

    private void take(MessageBook.Input input) {
      if (input instanceof MessageBook.Input.Found) {
        begin(input);
      } else {
        MessageBookShell.this.tell(input);
      }
    }

    @Override
    public void failed(Throwable cause) {
      MessageBookShell.this.failed("Reading messages between members", cause);
    }
  }
}
