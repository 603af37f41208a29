package dev.sequitur.protocol.placement;

import java.util.List;

/**
 * How much each shard counts for when shards are dealt out: what its entities do, as it was counted
 * last, and a little for being there.
 *
 * @param number of newer ones is higher
 * @param of each shard, at its number; empty while all count alike
 */
public record ShardWeights(long number, List<Integer> of) {
  /** All count alike. */
  public static final ShardWeights NONE = new ShardWeights(0, List.of());

  public ShardWeights {
    of = List.copyOf(of);
    if (of.stream().anyMatch(weight -> weight < 1)) {
      throw new IllegalArgumentException("A shard weighs 1 or more: " + of);
    }
  }
}
