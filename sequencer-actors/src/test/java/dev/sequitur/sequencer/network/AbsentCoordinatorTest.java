package dev.sequitur.sequencer.network;

import static dev.sequitur.sequencer.network.TestNetwork.PATIENCE;
import static dev.sequitur.sequencer.network.TestNetwork.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.sequencer.SequencerNode;
import dev.sequitur.transport.FaultRule;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three nodes of one group, in one range: the coordinator changes only by being away. */
class AbsentCoordinatorTest {
  private static final Identity ALICE = Identity.parse("alice@node1");
  private static final Identity BOB = Identity.parse("bob@node2");
  private static final Identity CAROL = Identity.parse("carol@node3");

  @TempDir private static Path directory;
  private static TestNetwork network;

  @BeforeAll
  static void start() {
    network = new TestNetwork(directory, Duration.ofMillis(50));
    for (var name : List.of("node1", "node2", "node3")) {
      network.start(name, TestNode.Kind.OF_ONE_RANGE);
    }
    network.cutBlocks();
  }

  @AfterAll
  static void stop() {
    network.close();
  }

  @Test
  void whoDidNotAnswerIsShownAsAwayUntilItGivesASign() {
    var contract = network.createGroup("record", "records", ALICE, BOB, CAROL);
    var preferred = get(node("node1").coordinator(contract)).coordinator();
    var from = preferred.equals(ALICE.node()) ? BOB : ALICE;
    var others = new HashSet<>(node("node1").peers());
    others.add(node("node1").name());
    others.remove(preferred);
    network
        .faults()
        .add(
            new FaultRule.Partition(
                Set.of(preferred), others, FaultRule.Partition.Direction.BOTH_WAYS));
    var intent = Intents.increment(contract, from, "away");
    network.submit(intent);

    var sender = node(from.node().value());
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              var view = get(sender.coordinator(contract));
              assertThat(view.coordinator()).isNotEqualTo(preferred);
              assertThat(view.ranking().get(0).available()).isFalse();
            });

    network.faults().clear();
    assertThat(network.receipts(List.of(intent))).allMatch(Receipt::success);
  }

  private static SequencerNode node(String name) {
    return network.node(name).sequencer();
  }
}
