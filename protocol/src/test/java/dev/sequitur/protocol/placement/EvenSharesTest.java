package dev.sequitur.protocol.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class EvenSharesTest {
  private static final int SHARDS = ShardNumber.USUAL;

  /** Names as JVMs have them: alike but for some digits. */
  private static List<String> jvms(int count, int seed) {
    return IntStream.range(0, count).mapToObj(i -> "10.0." + seed + "." + i + ":25520").toList();
  }

  private static Map<String, Long> shares(List<String> places) {
    return places.stream()
        .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
  }

  private static long moved(Collection<String> before, Collection<String> after) {
    var from = EvenShares.of(SHARDS, before);
    var to = EvenShares.of(SHARDS, after);
    return IntStream.range(0, SHARDS).filter(i -> !from.get(i).equals(to.get(i))).count();
  }

  @Property(tries = 300)
  void noJvmHasMoreThanItsShareRoundedUp(
      @ForAll @IntRange(min = 1, max = 40) int count, @ForAll @IntRange(max = 255) int seed) {
    var shares = shares(EvenShares.of(SHARDS, jvms(count, seed)));

    assertThat(Collections.max(shares.values())).isLessThanOrEqualTo(Math.ceilDiv(SHARDS, count));
  }

  /** The bound that 128 shards are enough for; with 20 and more there are few for each. */
  @Property(tries = 300)
  void upToNineteenJvmsTheBusiestHasAtMost115HundredthsOfItsFairShare(
      @ForAll @IntRange(min = 1, max = 19) int count, @ForAll @IntRange(max = 255) int seed) {
    var shares = shares(EvenShares.of(SHARDS, jvms(count, seed)));

    assertThat(Collections.max(shares.values()) * count / (double) SHARDS)
        .isLessThanOrEqualTo(1.15);
  }

  /** As it is after the number was lowered. */
  @Test
  void aShardWhoseNumberThereIsNoMoreIsSomewhereAndStaysThere() {
    var belong = EvenShares.of(SHARDS, jvms(3, 0));

    assertThat(EvenShares.home(SHARDS + 5, belong)).isEqualTo(belong.get(5));
    assertThat(EvenShares.misplaced(Map.of("133", belong.get(5)), belong)).isEmpty();
  }

  @Property(tries = 300)
  void tenJvmsAreAllUsed(@ForAll @IntRange(max = 255) int seed) {
    var shares = shares(EvenShares.of(SHARDS, jvms(10, seed)));

    assertThat(shares).hasSize(10);
    assertThat(Collections.min(shares.values())).isGreaterThanOrEqualTo(11);
  }

  /** A JVM that joins cannot take less than its share, and little else moves. */
  @Property(tries = 300)
  void aJvmThatJoinsOrLeavesMovesLittleMoreThanItsShare(
      @ForAll @IntRange(min = 1, max = 10) int count, @ForAll @IntRange(max = 255) int seed) {
    var before = jvms(count, seed);
    var after = jvms(count + 1, seed);

    assertThat(moved(before, after) * (count + 1) / (double) SHARDS).isLessThanOrEqualTo(2);
  }

  /** The more JVMs the less room is left in the others, so that more go round. */
  @Test
  void onAverageOneThatJoinsMovesATenthToSixTenthsMoreThanItsShare() {
    assertThat(movedOnAverage(1)).isLessThan(1.1);
    assertThat(movedOnAverage(2)).isLessThan(1.15);
    assertThat(movedOnAverage(3)).isLessThan(1.2);
    assertThat(movedOnAverage(9)).isLessThan(1.6);
  }

  /** Of the shards that one JVM has after it has joined so many, each time another network. */
  private static double movedOnAverage(int count) {
    return IntStream.range(0, 200)
            .mapToLong(seed -> moved(jvms(count, seed), jvms(count + 1, seed)))
            .average()
            .orElseThrow()
        * (count + 1)
        / SHARDS;
  }

  @Property(tries = 100)
  void theOrderInWhichJvmsAreNamedDoesNotMatter(
      @ForAll @IntRange(min = 1, max = 12) int count, @ForAll long seed) {
    var shuffled = new ArrayList<>(jvms(count, 0));
    Collections.shuffle(shuffled, new Random(seed));

    assertThat(EvenShares.of(SHARDS, shuffled)).isEqualTo(EvenShares.of(SHARDS, jvms(count, 0)));
  }

  @Test
  void aJvmThatComesBackHasWhatItHadBefore() {
    var all = new HashSet<>(jvms(3, 0));
    var before = EvenShares.of(SHARDS, all);
    all.remove("10.0.0.1:25520");
    EvenShares.of(SHARDS, all);
    all.add("10.0.0.1:25520");

    assertThat(EvenShares.of(SHARDS, all)).isEqualTo(before);
  }

  @Test
  void misplacedIsWhatIsElsewhereThanItBelongsInTheOrderOfNumbers() {
    var at = Map.of("0", "a", "1", "b", "2", "a", "10", "b", "3", "a");

    var belong =
        IntStream.range(0, 11).mapToObj(shard -> shard == 1 || shard == 3 ? "b" : "a").toList();

    assertThat(EvenShares.misplaced(at, belong)).containsExactly("3", "10");
  }
}
