package dev.sequitur.multijvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sequitur.node.network.Group;
import dev.sequitur.node.network.Intents;
import dev.sequitur.node.network.Jvm;
import dev.sequitur.node.network.Network;
import dev.sequitur.node.network.NetworkPlan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node of two JVMs gets a new version, one JVM after the other, under load: nobody waits for long
 * meanwhile, and each has its share afterwards.
 */
@Tag("slow")
@Timeout(1_500)
class RollingRestartIT {
  private static final int GROUPS = 3;

  /** Between two calls of one caller that are accepted, while JVMs leave and join. */
  private static final Duration MOST_WAIT = Duration.ofSeconds(5);

  /** Contracts whose shards are spread over two JVMs by chance: each has some of them. */
  private static final int SPREAD = 12;

  /** Within which each JVM has its share (decision 0216). */
  private static final Duration SHARES = Duration.ofMinutes(3);

  @TempDir Path directory;
  private Network network;
  private Intents intents;
  private Load load;

  @BeforeEach
  void begin() {
    network = Network.start(directory, NetworkPlan.of("sequencer.selection.range-size = 20", 2, 1));
    intents = new Intents(network);
    load = new Load(network, intents, Group.create(network, 2, GROUPS));
    load.awaitMore(20);
  }

  @AfterEach
  void end() {
    if (load != null) {
      load.close();
    }
    if (network != null) {
      network.close();
    }
  }

  /** Its share of every kind, coordinators not left out. */
  @Test
  void bothJvmsAreRestartedOneAfterTheOtherWithoutALostOrDoubledTransactionOrALongWait() {
    var spread = Group.create(network, 2, SPREAD);
    spread.forEach(group -> intents.send(1, group));
    load.watch();
    restart(network.jvm(1, 1));
    assertThat(network.jvm(1, 2).isAlive()).as("the JVM that stays").isTrue();
    restart(network.jvm(1, 2));
    assertThat(network.jvm(1, 1).isAlive()).as("the JVM that came back").isTrue();
    var gap = load.longestGap();
    assertThat(gap.lasted())
        .as("the longest time that a caller waited: %s", gap)
        .isLessThan(MOST_WAIT);
    // A shard that moved while it was empty has no place again before somebody needs it.
    try (var others = new Load(network, intents, spread)) {
      await().atMost(SHARES).untilAsserted(this::assertEachHasItsShare);
      others.stop();
    }
    load.stop();

    intents.assertEachCountedOnce();
  }

  /** As the node itself says. */
  private void assertEachHasItsShare() {
    var jvms = network.jvm(1, 1).caller().result("node_jvms", "[]");
    assertThat(jvms).hasSize(2);
    for (var jvm : jvms) {
      assertThat(jvm.path("answers").asBoolean()).as(jvm.toString()).isTrue();
      var kinds = new HashSet<String>();
      for (var kind : jvm.path("kinds")) {
        if (kind.path("shards").asInt() > 0) {
          kinds.add(kind.path("kind").asText());
        }
        assertThat(kind.path("toGo").asInt()).as(jvm.toString()).isZero();
        assertThat(kind.path("toCome").asInt()).as(jvm.toString()).isZero();
      }
      assertThat(kinds).contains("sender", "submitter", "endorser", "coordinator");
    }
  }

  /** As a new version is rolled out. */
  private void restart(Jvm jvm) {
    jvm.stop();
    load.awaitMore(20);
    jvm.startAgain();
    load.awaitMore(20);
  }
}
