package dev.sequitur.multijvm;

import static org.awaitility.Awaitility.await;

import dev.sequitur.node.network.Intents;
import dev.sequitur.node.network.Jvm;
import dev.sequitur.node.network.Network;
import dev.sequitur.node.network.NetworkPlan;
import dev.sequitur.node.network.Parties;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A sender fails (RCV-5): the sender's JVM dies with a transaction held at each of its persistence
 * points, in a group of its own for each. All members endorse. On the shipped ledger, and on a
 * chain.
 */
@Tag("slow")
@Timeout(1_500)
class SenderFailsIT {
  private static final int SENDER = 1;

  @TempDir Path directory;

  /** What is in its memory is gone at once, and its LevelDB is all that it comes back with. */
  @Test
  void itDiesAtEachPersistencePointAndComesBack() {
    diesAndComesBack(NetworkPlan.Ledger.OURS);
  }

  @Test
  void itDiesAtEachPersistencePointAndComesBackOnAChain() {
    diesAndComesBack(NetworkPlan.Ledger.CHAIN);
  }

  private void diesAndComesBack(NetworkPlan.Ledger ledger) {
    var plan = NetworkPlan.of(NetworkPlan.ONE_RANGE, 1, 1, 1, 1).on(ledger);
    try (var network = Network.start(directory, plan)) {
      var intents = new Intents(network);
      var points = new PersistencePoints(network, intents, SENDER);
      points.holdOneAtEach();
      // No node of a chain can be told to hide its newest blocks.
      var unseen =
          switch (ledger) {
            case OURS -> points.holdOneThatIsInABlockUnseen();
            case CHAIN -> points.holdOneThatIsInNoBlockYet();
          };
      network.node(SENDER).kill();
      network.thawLedger();
      await().atMost(Parties.PATIENCE).until(() -> network.oracle().has(unseen));
      network.heal();

      intents.assertEachCountedOnce();
    }
  }

  /**
   * Each of its two JVMs dies once, so that whichever had a group's sender, it has to wake in the
   * other.
   */
  @Test
  void itsShardWakesElsewhereAtEachPersistencePoint() {
    try (var network = Network.start(directory, NetworkPlan.of(NetworkPlan.ONE_RANGE, 2, 1, 1))) {
      var intents = new Intents(network);
      for (var jvm : network.jvms(SENDER)) {
        var points = new PersistencePoints(network, intents, SENDER);
        points.holdOneAtEach();
        jvm.kill();
        network.jvms().stream().filter(Jvm::isAlive).forEach(alive -> alive.faults().clear());
        intents.awaitSuccess();
        intents.assertLedger();
        network.heal();
      }

      intents.assertEachCountedOnce();
    }
  }
}
