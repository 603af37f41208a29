package dev.sequitur.cluster.placement;

import dev.sequitur.protocol.placement.EvenShares;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How many shards of a kind a JVM is yet to give away, and to get: those that are elsewhere than
 * {@link EvenShares} says.
 */
public record ShardMoves(int toGo, int toCome) {
  private static final ShardMoves NONE = new ShardMoves(0, 0);

  /**
   * @param at the shards that each JVM has
   * @param belong the JVM of each shard, as {@link EvenShares} says
   * @return of each JVM that has any, or gets one
   */
  public static Map<String, ShardMoves> of(Map<String, Set<Integer>> at, List<String> belong) {
    var moves = new HashMap<String, ShardMoves>();
    at.forEach(
        (jvm, its) -> {
          moves.merge(jvm, NONE, ShardMoves::plus);
          for (int shard : its) {
            var home = EvenShares.home(shard, belong);
            if (!home.equals(jvm)) {
              moves.merge(jvm, new ShardMoves(1, 0), ShardMoves::plus);
              moves.merge(home, new ShardMoves(0, 1), ShardMoves::plus);
            }
          }
        });
    return Map.copyOf(moves);
  }

  private ShardMoves plus(ShardMoves other) {
    return new ShardMoves(toGo + other.toGo, toCome + other.toCome);
  }
}
