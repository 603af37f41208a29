package dev.sequitur.cluster.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.placement.EvenShares;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ShardMovesTest {
  private static final int SHARDS = 16;
  private static final List<String> JVMS = List.of("a", "b");
  private static final List<String> BOTH = EvenShares.of(SHARDS, JVMS);

  private static Map<String, Set<Integer>> where(List<String> places) {
    var at = new HashMap<String, Set<Integer>>();
    for (int shard = 0; shard < places.size(); shard++) {
      at.computeIfAbsent(places.get(shard), any -> new HashSet<>()).add(shard);
    }
    return at;
  }

  @Test
  void whereAllAreWhereTheyBelongNothingMoves() {
    assertThat(ShardMoves.of(where(EvenShares.of(SHARDS, JVMS)), BOTH))
        .containsEntry("a", new ShardMoves(0, 0))
        .containsEntry("b", new ShardMoves(0, 0));
  }

  @Test
  void aJvmThatHasJoinedGetsItsShareFromWhoHasAll() {
    var all = where(EvenShares.of(SHARDS, List.of("a")));

    assertThat(ShardMoves.of(all, BOTH))
        .containsEntry("a", new ShardMoves(8, 0))
        .containsEntry("b", new ShardMoves(0, 8));
  }

  @Test
  void aJvmThatLeavesGivesAllAway() {
    var both = where(EvenShares.of(SHARDS, JVMS));

    assertThat(ShardMoves.of(both, EvenShares.of(SHARDS, List.of("a"))))
        .containsEntry("b", new ShardMoves(8, 0))
        .containsEntry("a", new ShardMoves(0, 8));
  }

  @Test
  void aShardThatIsNowhereDoesNotMove() {
    assertThat(ShardMoves.of(Map.of("a", Set.of()), BOTH))
        .containsOnly(Map.entry("a", new ShardMoves(0, 0)));
  }
}
