package dev.sequitur.multijvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A sender fails (RCV-5): the sender's JVM dies with a transaction held at each of its persistence
 * points, in a group of its own for each. All members endorse.
 */
@Timeout(1_500)
class SenderFailsIT {
  private static final int SENDER = 1;

  @TempDir Path directory;

  /** What is in its memory is gone at once, and its LevelDB is all that it comes back with. */
  @Test
  void itDiesAtEachPersistencePointAndComesBack() {
    try (var network =
        Network.start(directory, NetworkPlan.of(NetworkPlan.ONE_RANGE, 1, 1, 1, 1))) {
      var intents = new Intents(network);
      var points = new PersistencePoints(network, intents, SENDER);
      points.holdOneAtEach();
      var unseen = points.holdOneThatIsInABlockUnseen();
      network.node(SENDER).kill();
      assertThat(LedgerOracle.read(network.ledger()).has(unseen)).isTrue();
      network.heal();

      intents.assertEachCountedOnce();
    }
  }

  /**
   * Each of its two JVMs dies once, so that whichever had a group's sender, it has to wake in the
   * other.
   */
  @Test
  @Tag("slow")
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
