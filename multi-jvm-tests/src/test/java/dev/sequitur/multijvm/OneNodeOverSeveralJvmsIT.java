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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One node over two JVMs and a second node of one, under load, while JVMs come and go. */
@Tag("slow")
@Timeout(1_500)
class OneNodeOverSeveralJvmsIT {
  private static final int LEFT_OUT = 3;
  private static final int GROUPS = 3;

  /** Between two calls of one caller that are accepted, while JVMs leave and join. */
  private static final Duration MOST_WAIT = Duration.ofSeconds(5);

  /** Contracts whose shards are spread over two JVMs by chance: each has some of them. */
  private static final int SPREAD = 12;

  /** Within which each JVM has its share (decision 0216). */
  private static final Duration SHARES = Duration.ofMinutes(3);

  @TempDir static Path directory;
  private static Network network;

  /** The ledger's blocks tell of all tests, so they are counted together. */
  private static Intents intents;

  private Load load;

  @BeforeAll
  static void start() {
    network = Network.start(directory, NetworkPlan.of("sequencer.selection.range-size = 20", 2, 1));
    intents = new Intents(network);
  }

  @AfterAll
  static void stop() {
    if (network != null) {
      network.close();
    }
  }

  @BeforeEach
  void begin() {
    network.heal();
    load = new Load(network, intents, Group.create(network, 2, GROUPS));
    load.awaitMore(20);
  }

  @AfterEach
  void end() {
    if (load != null) {
      load.close();
    }
  }

  @Test
  void aJvmIsKilledUnderLoadAndEverythingCompletesOnce() {
    network.jvm(1, 1).kill();
    load.awaitMore(60);
    load.stop();

    intents.assertEachCountedOnce();
  }

  /** Also that each has its share of every kind afterwards, coordinators not left out. */
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
      await().atMost(SHARES).untilAsserted(OneNodeOverSeveralJvmsIT::assertEachHasItsShare);
      others.stop();
    }
    load.stop();

    intents.assertEachCountedOnce();
  }

  /** As the node itself says. */
  private static void assertEachHasItsShare() {
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

  @Test
  void theDatabaseGoesAwayAndComesBackUnderLoad() {
    network.postgres().pause();
    load.awaitMore(5);
    network.postgres().resume();
    load.awaitMore(60);
    load.stop();

    intents.assertEachCountedOnce();
  }

  /** Whoever writes on after that would be a second one beside those that took its place. */
  @Test
  void aJvmThatStandsStillIsLeftOutAndEndsItselfWhenItGoesOn() {
    var writing = new WritingJvms(network.postgres(), "node1");
    writing.awaitCount(2);
    network.jvm(1, 2).freeze();
    writing.awaitCount(1);
    load.awaitMore(20);
    network.jvm(1, 2).thaw();

    assertThat(network.jvm(1, 2).awaitExit()).isEqualTo(LEFT_OUT);
    assertThat(network.jvm(1, 2).output()).contains("have left this one out");
    load.awaitMore(20);
    network.jvm(1, 2).startAgain();
    load.awaitMore(20);
    load.stop();

    intents.assertEachCountedOnce();
  }

  /** Two clusters of one node would both go on: each takes the other for gone. */
  @Test
  void aFirstJvmThatFindsNobodyBeginsAnewAndWhoeverLivesInTheOldClusterEnds() {
    network.jvm(1, 2).freeze();
    network.jvm(1, 1).kill();
    network.jvm(1, 1).startAgain();
    new WritingJvms(network.postgres(), "node1").awaitCount(1);
    load.awaitMore(20);
    network.jvm(1, 2).thaw();

    assertThat(network.jvm(1, 2).awaitExit()).isEqualTo(LEFT_OUT);
    assertThat(network.jvm(1, 2).output()).contains("have left this one out");
    network.jvm(1, 2).startAgain();
    load.awaitMore(20);
    load.stop();

    intents.assertEachCountedOnce();
  }
}
