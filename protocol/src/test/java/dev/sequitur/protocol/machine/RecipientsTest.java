package dev.sequitur.protocol.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Messages;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which machines a message reaches. */
class RecipientsTest {
  private static final List<Class<? extends Message>> MACHINES =
      List.of(
          Message.ForSender.class,
          Message.ForCoordinator.class,
          Message.ForEndorser.class,
          Message.ForSubmitter.class,
          Message.ForStateStore.class,
          Message.ForMessageBook.class);

  static Stream<Message.ForMachine> messages() {
    return Stream.of(Messages.OF_BOTH, Messages.OF_THE_FIRST, Messages.OF_NONE)
        .flatMap(List::stream);
  }

  @Test
  void eachKindOfMessageIsAmongTheExamples() {
    assertThat(messages().<Class<?>>map(Object::getClass))
        .containsExactlyInAnyOrderElementsOf(
            Messages.kinds().filter(Message.ForMachine.class::isAssignableFrom).toList());
  }

  @ParameterizedTest
  @MethodSource("messages")
  void aMessageReachesEachMachineOnWhoseListItIsAndNoOther(Message.ForMachine message) {
    var received = new Received<>(new NodeName("node1"), new MessageId(new UUID(0, 1)), message);
    var reached = new Reached();

    reached.deliver(received);

    assertThat(reached.machines).isEqualTo(listsOf(message));
    assertThat(reached.messages).allMatch(received::equals);
  }

  private static List<Class<? extends Message>> listsOf(Message message) {
    return MACHINES.stream().filter(machine -> machine.isInstance(message)).toList();
  }

  private static final class Reached implements Recipients {
    private final List<Class<? extends Message>> machines = new ArrayList<>();
    private final List<Received<?>> messages = new ArrayList<>();

    private void add(Class<? extends Message> machine, Received<?> received) {
      machines.add(machine);
      messages.add(received);
    }

    @Override
    public void sender(Received<? extends Message.ForSender> received) {
      add(Message.ForSender.class, received);
    }

    @Override
    public void coordinator(Received<? extends Message.ForCoordinator> received) {
      add(Message.ForCoordinator.class, received);
    }

    @Override
    public void endorser(Received<? extends Message.ForEndorser> received) {
      add(Message.ForEndorser.class, received);
    }

    @Override
    public void submitter(Received<? extends Message.ForSubmitter> received) {
      add(Message.ForSubmitter.class, received);
    }

    @Override
    public void stateStore(Received<? extends Message.ForStateStore> received) {
      add(Message.ForStateStore.class, received);
    }

    @Override
    public void messageBook(Received<? extends Message.ForMessageBook> received) {
      add(Message.ForMessageBook.class, received);
    }
  }
}
