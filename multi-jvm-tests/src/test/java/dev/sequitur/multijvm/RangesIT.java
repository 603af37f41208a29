package dev.sequitur.multijvm;

import static org.awaitility.Awaitility.await;

import dev.sequitur.node.network.Group;
import dev.sequitur.node.network.Load;
import dev.sequitur.node.network.NetworkPlan;
import dev.sequitur.node.network.Parties;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Switchover (SWO-1), and nodes that see different heights (DLG-8): the coordinator changes every
 * few blocks while transactions are dispatched.
 */
@Timeout(1_500)
@Tag("slow")
class RangesIT extends OnOneNetwork {
  private static final int BLOCKS_IN_A_RANGE = 8;
  private static final int RANGES = 8;

  private List<Group> groups;
  private Load load;

  @BeforeAll
  static void startIt() {
    var settings = "sequencer.selection.range-size = " + BLOCKS_IN_A_RANGE;
    start(NetworkPlan.of(settings, 1, 1, 1, 1));
  }

  @BeforeEach
  void begin() {
    groups = List.of(Group.create(network, 4), Group.create(network, 4));
    load = new Load(network, intents, groups);
  }

  @AfterEach
  void end() {
    load.close();
    network.heal();
  }

  @Test
  void coordinatorsChangeWhileTransactionsAreDispatchedAndEachCountsOnce() {
    load.awaitMore(10);
    awaitRanges();
    load.stop();

    intents.assertEachCountedOnce();
  }

  /** Two nodes never see the newest blocks, each as many less: for a while in another range. */
  @Test
  void twoNodesAreBehindThroughoutAndEachCountsOnce() {
    network.node(2).faults().lag(2);
    network.node(3).faults().lag(5);
    load.awaitMore(10);
    awaitRanges();
    // Between the two questions blocks may come, on a busy machine more than it is behind.
    await()
        .atMost(Parties.PATIENCE)
        .until(
            () -> {
              long ahead = height(1);
              return height(3) < ahead;
            });
    load.stop();
    intents.awaitSuccess();
    intents.assertLedger();

    network.heal();
    intents.assertEachCountedOnce();
  }

  private static void awaitRanges() {
    long until = height(1) + (long) RANGES * BLOCKS_IN_A_RANGE;
    await().atMost(Parties.PATIENCE).until(() -> height(1) >= until);
  }

  private static long height(int node) {
    var hex = network.result(node, "bidx_getConfirmedBlockHeight", "[]").asText();
    return Long.decode(hex);
  }
}
