package dev.sequitur.protocol.placement;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What changes in the lists of entities that the shards of one kind remember, once there is another
 * number of shards. What is missing is added before anything is taken away: so an entity is on some
 * list at each moment, and whoever begins again after a crash comes to the same.
 *
 * @param added of each shard that gets any, in the order of their numbers
 * @param removed of each shard that has any that belong elsewhere
 */
public record Redealt(Map<Integer, Set<String>> added, Map<Integer, Set<String>> removed) {
  /**
   * @param lists of all shards that remember anything, also of numbers that there are no more
   * @param shards how many there are now
   */
  public static Redealt of(Map<Integer, Set<String>> lists, int shards) {
    var added = new TreeMap<Integer, Set<String>>();
    var removed = new TreeMap<Integer, Set<String>>();
    lists.forEach(
        (shard, entities) -> {
          for (var entity : entities) {
            int home = ShardNumber.shard(entity, shards);
            if (home != shard) {
              removed.computeIfAbsent(shard, any -> new TreeSet<>()).add(entity);
              if (!lists.getOrDefault(home, Set.of()).contains(entity)) {
                added.computeIfAbsent(home, any -> new TreeSet<>()).add(entity);
              }
            }
          }
        });
    return new Redealt(added, removed);
  }
}
