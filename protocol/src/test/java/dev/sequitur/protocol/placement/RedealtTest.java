package dev.sequitur.protocol.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class RedealtTest {
  private static final int MOST = 64;

  private static Set<String> entities(int count) {
    return IntStream.range(0, count).mapToObj(i -> "contract-" + i).collect(Collectors.toSet());
  }

  private static Map<Integer, Set<String>> dealt(Set<String> entities, int shards) {
    var lists = new TreeMap<Integer, Set<String>>();
    for (var entity : entities) {
      lists.computeIfAbsent(ShardNumber.shard(entity, shards), any -> new HashSet<>()).add(entity);
    }
    return lists;
  }

  private static Set<String> all(Map<Integer, Set<String>> lists) {
    return lists.values().stream().flatMap(Set::stream).collect(Collectors.toSet());
  }

  private static Map<Integer, Set<String>> copy(Map<Integer, Set<String>> lists) {
    var copy = new TreeMap<Integer, Set<String>>();
    lists.forEach((shard, its) -> copy.put(shard, new HashSet<>(its)));
    return copy;
  }

  private record Change(int shard, Set<String> entities, boolean isAdded) {
    void carryOut(Map<Integer, Set<String>> lists) {
      var list = lists.computeIfAbsent(shard, any -> new HashSet<>());
      if (isAdded) {
        list.addAll(entities);
      } else {
        list.removeAll(entities);
      }
    }
  }

  private static List<Change> changes(Redealt redealt) {
    var changes = new ArrayList<Change>();
    redealt.added().forEach((shard, its) -> changes.add(new Change(shard, its, true)));
    redealt.removed().forEach((shard, its) -> changes.add(new Change(shard, its, false)));
    return changes;
  }

  private static void withoutEmpty(Map<Integer, Set<String>> lists) {
    lists.values().removeIf(Set::isEmpty);
  }

  @Property(tries = 200)
  void eachEntityIsOnTheListOfItsShardAndOnNoOther(
      @ForAll @IntRange(max = 80) int count,
      @ForAll @IntRange(min = 1, max = MOST) int before,
      @ForAll @IntRange(min = 1, max = MOST) int after) {
    var lists = copy(dealt(entities(count), before));

    changes(Redealt.of(lists, after)).forEach(change -> change.carryOut(lists));

    withoutEmpty(lists);
    assertThat(lists).isEqualTo(dealt(entities(count), after));
  }

  /** A JVM may die between any two changes, and what begins next may have been given any number. */
  @Property(tries = 200)
  void whoeverBeginsAgainAfterAnyOfTheChangesHasLostNothingAndComesToTheSame(
      @ForAll @IntRange(max = 80) int count,
      @ForAll @IntRange(min = 1, max = MOST) int before,
      @ForAll @IntRange(min = 1, max = MOST) int after,
      @ForAll @IntRange(min = 1, max = MOST) int next,
      @ForAll @IntRange(max = 100) int percent) {
    var lists = copy(dealt(entities(count), before));
    var changes = changes(Redealt.of(lists, after));
    changes
        .subList(0, changes.size() * percent / 100)
        .forEach(
            change -> {
              change.carryOut(lists);
              assertThat(all(lists)).isEqualTo(entities(count));
            });

    changes(Redealt.of(lists, next)).forEach(change -> change.carryOut(lists));

    withoutEmpty(lists);
    assertThat(lists).isEqualTo(dealt(entities(count), next));
  }

  @Test
  void whereAllAreWhereTheyBelongNothingChanges() {
    var redealt = Redealt.of(dealt(entities(100), 16), 16);

    assertThat(redealt.added()).isEmpty();
    assertThat(redealt.removed()).isEmpty();
  }

  @Test
  void anEntityThatIsOnBothListsIsTakenFromTheOneOnly() {
    int home = ShardNumber.shard("one", 16);
    var lists = new HashMap<Integer, Set<String>>();
    lists.put(home, Set.of("one"));
    lists.put(home + 16, Set.of("one"));

    var redealt = Redealt.of(lists, 16);

    assertThat(redealt.added()).isEmpty();
    assertThat(redealt.removed()).isEqualTo(Map.of(home + 16, Set.of("one")));
  }
}
