package dev.sequitur.protocol.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ShardNumberTest {
  private static final String FIRST = "akka://node1@jvm1:25520#1";
  private static final String SECOND = "akka://node1@jvm2:25520#2";

  @Test
  void aJvmWithTheNumberOfTheOthersStartsBesideThem() {
    assertThat(ShardNumber.refusal(128, 128, List.of(FIRST, SECOND))).isEmpty();
  }

  @Test
  void theNumberChangesWhileNobodyRuns() {
    assertThat(ShardNumber.refusal(256, 128, List.of())).isEmpty();
    assertThat(ShardNumber.refusal(128, 256, List.of())).isEmpty();
  }

  @Test
  void aJvmWithAnotherNumberThanThoseThatRunIsToldWhatToDo() {
    assertThat(ShardNumber.refusal(256, 128, List.of(SECOND, FIRST)))
        .contains(
            "cluster.shards is 256 here and 128 in the JVMs of this node that run"
                + " (akka://node1@jvm1:25520#1, akka://node1@jvm2:25520#2): give this JVM the same,"
                + " or stop all of them, change it in the file of each, and start them again.");
  }

  /** As Akka names shards, for names whose hash is negative too. */
  @Test
  void anEntityIsInAShardOfItsName() {
    assertThat(ShardNumber.shard("orders", 128)).isEqualTo(Math.abs("orders".hashCode() % 128));
    assertThat("polygenelubricants".hashCode()).isEqualTo(Integer.MIN_VALUE);
    assertThat(ShardNumber.shard("polygenelubricants", 100)).isBetween(0, 99);
  }
}
