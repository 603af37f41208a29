package dev.sequitur.scheduler.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.placement.EvenShares;
import dev.sequitur.scheduler.QueueName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * In which JVMs the partitions of a queue are: each in the shard of its name, as every entity, and
 * the shards in even shares.
 */
class PartitionPlacesTest {
  /** As in {@code node-profile.conf}. */
  private static final int SHARDS = 128;

  private static final QueueName ORDERS = new QueueName("orders");

  private static List<String> jvms(int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(number -> "akka://node1@10.0.0." + number + ":25520")
        .toList();
  }

  /** The JVM of each of so many partitions. */
  private static List<String> places(int partitions, List<String> jvms) {
    var shards = EvenShares.of(SHARDS, jvms);
    return IntStream.range(0, partitions)
        .mapToObj(index -> shards.get(Math.abs(ORDERS.entity(index).value().hashCode() % SHARDS)))
        .toList();
  }

  private static List<Integer> counts(List<String> places, List<String> jvms) {
    return jvms.stream().map(jvm -> Collections.frequency(places, jvm)).toList();
  }

  /** The figures of docs/scheduler.md. */
  @Test
  void morePartitionsThanJvmsAreInEvenerShares() {
    assertThat(counts(places(16, jvms(2)), jvms(2))).containsExactly(11, 5);
    assertThat(counts(places(16, jvms(3)), jvms(3))).containsExactly(5, 4, 7);
    assertThat(counts(places(64, jvms(2)), jvms(2))).containsExactly(33, 31);
    assertThat(counts(places(64, jvms(3)), jvms(3))).containsExactly(18, 24, 22);
  }

  @Test
  void thoseOfAJvmThatDiesGoToAllOthersAndFewElseMove() {
    for (int dead = 0; dead < 4; dead++) {
      var before = places(64, jvms(4));
      var left = new ArrayList<>(jvms(4));
      var gone = left.remove(dead);
      var after = places(64, left);
      assertThat(after).doesNotContain(gone).containsAll(left);
      int others = 0;
      for (int index = 0; index < 64; index++) {
        others +=
            before.get(index).equals(gone) || before.get(index).equals(after.get(index)) ? 0 : 1;
      }
      assertThat(others).as("moved though their JVM lives").isLessThanOrEqualTo(2);
    }
  }
}
