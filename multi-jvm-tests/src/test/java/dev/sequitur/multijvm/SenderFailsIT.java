package dev.sequitur.multijvm;

import dev.sequitur.node.network.Intents;
import dev.sequitur.node.network.Jvm;
import dev.sequitur.node.network.Network;
import dev.sequitur.node.network.NetworkPlan;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A sender's JVM dies (RCV-5) with a transaction held at each of its persistence points, in a group
 * of its own for each, and its node has another JVM. All members endorse. Of a node of one JVM see
 * {@link NodeFailsIT}.
 */
@Tag("slow")
@Timeout(1_500)
class SenderFailsIT {
  private static final int SENDER = 1;

  @TempDir Path directory;

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
