package dev.sequitur.multijvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.node.network.Group;
import dev.sequitur.node.network.Load;
import dev.sequitur.node.network.NetworkPlan;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * One node over two JVMs and a second node of one, under load, while JVMs come and go. How they are
 * restarted in order is {@link RollingRestartIT}.
 */
@Tag("slow")
@Timeout(1_500)
class OneNodeOverSeveralJvmsIT extends OnOneNetwork {
  private static final int LEFT_OUT = 3;
  private static final int GROUPS = 3;

  private Load load;

  @BeforeAll
  static void startIt() {
    start(NetworkPlan.of("sequencer.selection.range-size = 20", 2, 1));
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
