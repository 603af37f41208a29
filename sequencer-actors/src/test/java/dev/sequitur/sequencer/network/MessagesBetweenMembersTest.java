package dev.sequitur.sequencer.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sequitur.protocol.group.GroupMessage;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.messaging.MessageBook;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.PrivateTransactions.RefusedIntent;
import dev.sequitur.transport.FaultRule;
import dev.sequitur.transport.FaultScope;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three nodes tell each other something, over a network that loses, doubles and reorders it. */
class MessagesBetweenMembersTest {
  private static final Identity ALICE = Identity.parse("alice@node1");
  private static final Identity BOB = Identity.parse("bob@node2");
  private static final Identity CAROL = Identity.parse("carol@node3");
  private static final List<String> NODES = List.of("node1", "node2", "node3");

  @TempDir private static Path directory;
  private static TestNetwork network;
  private static ContractAddress group;
  private static ContractAddress withoutCarol;

  @BeforeAll
  static void start() {
    network = new TestNetwork(directory, Duration.ofMillis(50));
    NODES.forEach(network::start);
    network.cutBlocks();
    group = network.createGroup("record", "all", ALICE, BOB, CAROL);
    withoutCarol = network.createGroup("record", "two", ALICE, BOB);
  }

  @AfterAll
  static void stop() {
    network.close();
  }

  @Test
  void eachNodeHasThemOnceAndInTheOrderOfTheirSenderAlsoAfterOneWasAway() {
    network.faults().add(new FaultRule.Drop(FaultScope.ALL, 0.2));
    network.faults().add(new FaultRule.Duplicate(FaultScope.ALL, 0.2));
    network.faults().add(new FaultRule.Reorder(FaultScope.ALL, 0.5, Duration.ofMillis(50)));
    var before = send("node1", 0, 5);
    var others = send("node2", 0, 20);
    network.stop("node3");
    before.addAll(send("node1", 5, 40));
    network.stop("node1");
    network.start("node3");
    network.start("node1");
    before.addAll(send("node1", 40, 50));
    network.faults().clear();

    for (var node : NODES) {
      await()
          .atMost(TestNetwork.PATIENCE)
          .untilAsserted(
              () -> {
                assertThat(texts(node, "node1")).isEqualTo(before);
                assertThat(texts(node, "node2")).isEqualTo(others);
              });
      var all =
          TestNetwork.get(store(node).messages(0, 1_000)).stream()
              .map(NodeStore.NumberedMessage::message)
              .filter(message -> message.contract().equals(group))
              .map(GroupMessage::id)
              .toList();
      assertThat(all).hasSize(70).doesNotHaveDuplicates();
    }
  }

  @Test
  void whoIsInNoGroupIsToldNothingAndTellsNothing() {
    var sent = network.node("node1").sequencer();
    TestNetwork.get(sent.sendMessage(withoutCarol, Optional.empty(), "t", Bytes.utf8("secret")));
    var number = newest("node1", withoutCarol);
    assertThat(number).isPresent();
    await().atMost(TestNetwork.PATIENCE).until(() -> newest("node2", withoutCarol).equals(number));

    assertThat(newest("node3", withoutCarol)).isEmpty();
    assertThatThrownBy(
            () ->
                TestNetwork.get(
                    network
                        .node("node3")
                        .sequencer()
                        .sendMessage(withoutCarol, Optional.empty(), "t", Bytes.EMPTY)))
        .isInstanceOf(RefusedIntent.class);
  }

  private static Optional<Long> newest(String node, ContractAddress contract) {
    var newest = TestNetwork.get(store(node).newestMessages(contract));
    return Optional.ofNullable(newest.get(new NodeName("node1")));
  }

  private static List<String> send(String node, int from, int to) {
    var sent = new ArrayList<String>();
    for (int i = from; i < to; i++) {
      var text = node + " says " + i;
      var outcome =
          TestNetwork.get(
              network
                  .node(node)
                  .sequencer()
                  .sendMessage(group, Optional.empty(), "topic", Bytes.utf8(text)));
      assertThat(outcome)
          .isInstanceOfSatisfying(
              MessageBook.Outcome.Sent.class,
              done ->
                  assertThat(TestNetwork.get(store(node).message(done.id())))
                      .hasValueSatisfying(
                          kept ->
                              assertThat(kept.message().content().data())
                                  .isEqualTo(Bytes.utf8(text))));
      sent.add(text);
    }
    return sent;
  }

  private static List<String> texts(String node, String from) {
    return TestNetwork.get(store(node).messagesAfter(group, new NodeName(from), 0, 1_000)).stream()
        .map(GroupMessage::content)
        .map(content -> content.data().toUtf8())
        .toList();
  }

  private static NodeStore store(String node) {
    return network.node(node).sequencer().store();
  }
}
