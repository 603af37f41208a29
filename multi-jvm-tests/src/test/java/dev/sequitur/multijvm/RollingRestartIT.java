package dev.sequitur.multijvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.node.network.Group;
import dev.sequitur.node.network.Intents;
import dev.sequitur.node.network.Jvm;
import dev.sequitur.node.network.Load;
import dev.sequitur.node.network.Network;
import dev.sequitur.node.network.NetworkPlan;
import dev.sequitur.node.network.Parties;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node of two JVMs gets a new version, one JVM after the other, under load: nobody waits for long
 * meanwhile. One of them dies and stands still while shards come to it. Each has its share
 * afterwards. Then the node gets more shards.
 */
@Tag("slow")
@Tag("alone")
@Timeout(1_500)
class RollingRestartIT {
  private static final int GROUPS = 3;

  /** Between two calls of one caller that are accepted, while JVMs leave and join. */
  private static final Duration MOST_WAIT = Duration.ofSeconds(5);

  /**
   * Contracts whose shards are spread over two JVMs: more than eight move, and so not all of a kind
   * at once.
   */
  private static final int SPREAD = 24;

  private static final int MORE_SHARDS = 256;

  /** Starts of a JVM until its shards are seen on their way. */
  private static final int MOST_ROUNDS = 10;

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
  void bothJvmsAreRestartedAndOneFailsWhileShardsMoveWithoutALostOrDoubledTransaction() {
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
      dieAndStandStillWhileShardsCome(network.jvm(1, 2));
      await().atMost(SHARES).untilAsserted(this::assertEachHasItsShare);
      others.stop();
    }
    load.stop();
    giveMoreShards(spread);

    intents.assertEachCountedOnce();
  }

  private void dieAndStandStillWhileShardsCome(Jvm jvm) {
    awaitShardsOnTheirWayTo(jvm);
    jvm.kill();
    load.awaitMore(20);
    jvm.startAgain();
    awaitShardsOnTheirWayTo(jvm);
    jvm.freeze();
    await()
        .alias("the JVM that stands still is left out")
        .atMost(Parties.PATIENCE)
        .until(() -> jvms(network.jvm(1, 1)).size() == 1);
    jvm.thaw();
    assertThat(jvm.awaitExit()).as("it has been left out").isEqualTo(3);
    jvm.startAgain();
  }

  /** What is seen of the shards that come to a JVM. */
  private enum Coming {
    NOT_YET,
    SOME_ARE_THERE,
    ALL_ARE_THERE
  }

  /** If all have come before anybody looked, they come once more. */
  private void awaitShardsOnTheirWayTo(Jvm jvm) {
    for (int rounds = 1; awaitComing(jvm) == Coming.ALL_ARE_THERE; rounds++) {
      assertThat(rounds).as("starts of which all shards came unseen").isLessThan(MOST_ROUNDS);
      jvm.kill();
      jvm.startAgain();
    }
  }

  private Coming awaitComing(Jvm jvm) {
    return await()
        .atMost(SHARES)
        .pollInterval(Duration.ofMillis(50))
        .until(() -> coming(jvm), coming -> coming != Coming.NOT_YET);
  }

  /** None while it has no answer: it is busy with what comes to it. */
  private static JsonNode jvms(Jvm jvm) {
    return jvm.caller().answer("node_jvms", "[]").path("result");
  }

  private static Coming coming(Jvm jvm) {
    int shards = 0;
    int toCome = 0;
    for (var each : jvms(jvm)) {
      for (var kind : each.path("kinds")) {
        if (each.path("asked").asBoolean()) {
          shards += kind.path("shards").asInt();
          toCome += kind.path("toCome").asInt();
        }
      }
    }
    if (shards == 0) {
      return Coming.NOT_YET;
    }
    return toCome > 0 ? Coming.SOME_ARE_THERE : Coming.ALL_ARE_THERE;
  }

  /** All JVMs were killed, with transactions of each contract under way. */
  private void giveMoreShards(List<Group> groups) {
    groups.forEach(group -> intents.send(1, group));
    network.jvms(1).forEach(Jvm::kill);
    var first = network.jvm(1, 1);
    first.configure("cluster.shards = " + MORE_SHARDS);
    first.startAgain();

    var second = network.jvm(1, 2);
    second.begin();
    assertThat(second.awaitExit()).isOne();
    assertThat(second.output())
        .contains("cluster.shards is 128 here and 256 in the JVMs of this node that run");

    second.configure("cluster.shards = " + MORE_SHARDS);
    second.startAgain();
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
