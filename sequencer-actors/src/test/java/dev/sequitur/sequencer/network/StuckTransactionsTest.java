package dev.sequitur.sequencer.network;

import static dev.sequitur.sequencer.network.TestNetwork.PATIENCE;
import static dev.sequitur.sequencer.network.TestNetwork.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.transport.FaultRule;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes of one group, of which one is cut off: what the other says of what waits for it. */
class StuckTransactionsTest {
  private static final Identity ALICE = Identity.parse("alice@node1");
  private static final Identity BOB = Identity.parse("bob@node2");

  @TempDir private Path directory;
  private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
  private TestNetwork network;

  @BeforeEach
  void start() {
    InstantSource clock = () -> InstantSource.system().instant().plus(ahead.get());
    network = new TestNetwork(directory, Duration.ofMillis(50));
    network.start("node1", TestNode.Kind.OF_ONE_RANGE.withClock(clock));
    network.start("node2", TestNode.Kind.OF_ONE_RANGE.withClock(clock));
    network.cutBlocks();
  }

  @AfterEach
  void stop() {
    network.close();
  }

  @Test
  void whatHasWaitedForLongIsARemarkOfTheNodeAndInTheStatusOfItsGroup() {
    var contract = network.createGroup("record", "records", ALICE, BOB);
    network
        .faults()
        .add(
            new FaultRule.Partition(
                Set.of(BOB.node()), Set.of(ALICE.node()), FaultRule.Partition.Direction.BOTH_WAYS));
    var intent = Intents.increment(contract, ALICE, "waits");
    var id = network.submit(intent);
    var node = network.node("node1").sequencer();
    // It has come to its sender, and waits for the other one's endorsement.
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(get(node.status(contract)).sender().oldest())
                    .singleElement()
                    .satisfies(one -> assertThat(one.nodes()).containsExactly(BOB.node())));
    assertThat(node.health().remarks()).isEmpty();

    ahead.set(Duration.ofMinutes(11));

    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(node.health().remarks())
                    .singleElement()
                    .asString()
                    .startsWith("1 transaction accepted more than 10 minutes ago has not ended")
                    .contains("it is up to node2")
                    .doesNotContain(id.toString()));
    var oldest = get(node.status(contract)).sender().oldest();
    assertThat(oldest)
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.transaction()).isEqualTo(id);
              assertThat(one.age()).isGreaterThan(Duration.ofMinutes(10));
            });
    assertThat(get(node.transactionStatus(id)).orElseThrow().transaction()).isEqualTo(id);

    network.faults().clear();
    assertThat(network.receipts(List.of(intent))).allMatch(Receipt::success);
    assertThat(node.health().remarks()).isEmpty();
  }
}
