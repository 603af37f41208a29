package dev.sequitur.protocol.placement;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Which JVM each shard belongs to: rendezvous hashing with bounded loads. Each pair of a shard and
 * a JVM has a score; the pairs are taken in the order of their scores, and a JVM that has its share
 * takes no more. A share is the number of shards for each JVM, rounded up. Where shards have
 * weights, some then move from JVMs that have too much.
 *
 * <p>Depends on nothing but the JVMs that are there and the weights. So all kinds of entities are
 * placed alike, and whoever deals out shards next goes on where the one before has ended.
 */
public final class EvenShares {
  private EvenShares() {}

  /** All shards count alike. */
  public static List<String> of(int shards, Collection<String> jvms) {
    return of(shards, jvms, ShardWeights.NONE);
  }

  /**
   * @param shards how many there are; they are numbered from 0
   * @param jvms by any name that stays theirs, in any order; at least one
   * @param weights of the shards; those of another number of shards tell nothing
   * @return the JVM of each shard, at its number
   */
  public static List<String> of(int shards, Collection<String> jvms, ShardWeights weights) {
    var even = byNumber(shards, jvms);
    return weights.of().size() == shards
        ? new WeightedShares(even, weights.of(), List.copyOf(new TreeSet<>(jvms))).evened()
        : even;
  }

  private static List<String> byNumber(int shards, Collection<String> jvms) {
    var names = List.copyOf(new TreeSet<>(jvms));
    var pairs = new ArrayList<Pair>(shards * names.size());
    for (var jvm : names) {
      for (int shard = 0; shard < shards; shard++) {
        pairs.add(new Pair(Scores.of(jvm, shard), shard, jvm));
      }
    }
    // Sorting keeps the order of pairs with equal scores.
    pairs.sort(Comparator.comparingLong(Pair::score).reversed());
    int share = Math.ceilDiv(shards, names.size());
    var places = new String[shards];
    var taken = new HashMap<String, Integer>();
    for (var pair : pairs) {
      if (places[pair.shard] == null && taken.getOrDefault(pair.jvm, 0) < share) {
        places[pair.shard] = pair.jvm;
        taken.merge(pair.jvm, 1, Integer::sum);
      }
    }
    return List.of(places);
  }

  /**
   * The JVM that a shard belongs to. One whose number there is no more, since there were more
   * shards once, has nothing in it; Akka remembers it all the same, so it is somewhere.
   *
   * @param belong as {@link #of} says
   */
  public static String home(int shard, List<String> belong) {
    return belong.get(shard % belong.size());
  }

  /**
   * The shards that are in another JVM than they belong to, in order.
   *
   * @param at of each shard that is somewhere, the JVM where it is
   * @param belong as {@link #of} says
   */
  public static List<String> misplaced(Map<String, String> at, List<String> belong) {
    return at.entrySet().stream()
        .filter(each -> !home(Integer.parseInt(each.getKey()), belong).equals(each.getValue()))
        .map(Map.Entry::getKey)
        .sorted(Comparator.comparingInt(Integer::parseInt))
        .toList();
  }

  private record Pair(long score, int shard, String jvm) {}
}
