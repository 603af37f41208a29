package dev.sequitur.protocol.paged;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class PagedMapTest {
  @Property(tries = 200)
  void holdsWhatASortedMapWouldHoldInTheSameOrder(
      @ForAll @Size(max = 3_000) List<@IntRange(max = 4_999) Integer> script) {
    var map = PagedMap.<Integer, Integer>empty();
    var model = new TreeMap<Integer, Integer>();
    for (int i = 0; i < script.size(); i++) {
      int key = script.get(i) / 3;
      if (script.get(i) % 3 == 0) {
        map = map.minus(key);
        model.remove(key);
      } else {
        map = map.plus(key, i);
        model.put(key, i);
      }
      assertThat(map.size()).isEqualTo(model.size());
    }
    assertThat(List.copyOf(map.entrySet())).isEqualTo(List.copyOf(model.entrySet()));
    for (int key = 0; key < 1_700; key += 7) {
      assertThat(map.get(key)).isEqualTo(model.get(key));
      assertThat(map.containsKey(key)).isEqualTo(model.containsKey(key));
      assertThat(listed(map.from(key))).isEqualTo(List.copyOf(model.tailMap(key).entrySet()));
    }
  }

  @Property(tries = 200)
  void findsTheLastUpToAKeyAsASortedMapWould(
      @ForAll @Size(max = 3_000) List<@IntRange(max = 4_999) Integer> script) {
    var map = PagedMap.<Integer, Integer>empty();
    var expected = new TreeMap<Integer, Integer>();
    for (int key : script) {
      boolean removes = key % 3 == 0;
      map = removes ? map.minus(key - 1) : map.plus(key, key);
      if (removes) {
        expected.remove(key - 1);
      } else {
        expected.put(key, key);
      }
    }
    for (int key = -1; key <= 5_000; key += 7) {
      assertThat(map.upTo(key)).isEqualTo(Optional.ofNullable(expected.floorEntry(key)));
    }
  }

  @Property(tries = 200)
  void manyAtOnceLeaveAsOneAfterTheOtherWould(
      @ForAll @Size(max = 3_000) List<@IntRange(max = 2_999) Integer> present,
      @ForAll @Size(max = 1_000) List<@IntRange(min = -5, max = 3_005) Integer> removed) {
    var map = PagedMap.<Integer, Integer>empty();
    for (int key : present) {
      map = map.plus(key, -key);
    }
    var gone = new ArrayList<Integer>();
    var rest = map.minusAll(new TreeSet<>(removed), gone::add);
    var expected = map;
    for (int key : removed) {
      expected = expected.minus(key);
    }
    var went = new TreeSet<>(removed);
    went.retainAll(map.keySet());

    assertThat(gone).isEqualTo(went.stream().map(key -> -key).toList());
    assertThat(rest).hasSize(expected.size());
    assertThat(List.copyOf(rest.entrySet())).isEqualTo(List.copyOf(expected.entrySet()));
    for (int key = -5; key < 3_005; key += 3) {
      rest = rest.plus(key, key);
      assertThat(rest.get(key)).isEqualTo(key);
    }
  }

  @Property(tries = 200)
  void whatIsBuiltIsWhatOneAfterTheOtherWouldMake(
      @ForAll @IntRange(max = 5_000) int inOrder,
      @ForAll @Size(max = 50) List<@IntRange(max = 5_100) Integer> later) {
    var builder = new PagedMapBuilder<Integer, Integer>();
    var model = new TreeMap<Integer, Integer>();
    for (int key = 0; key < inOrder; key++) {
      builder.add(key, -key);
      model.put(key, -key);
    }
    for (int key : later) {
      builder.add(key, key);
      model.put(key, key);
    }

    var built = builder.finish();
    assertThat(List.copyOf(built.entrySet())).isEqualTo(List.copyOf(model.entrySet()));
    for (int key = -3; key < 5_110; key += 3) {
      assertThat(built.get(key)).isEqualTo(model.get(key));
      built = built.plus(key, 1).minus(key + 1);
      model.put(key, 1);
      model.remove(key + 1);
    }
    assertThat(List.copyOf(built.entrySet())).isEqualTo(List.copyOf(model.entrySet()));
  }

  @Property(tries = 200)
  void tellsWhatTwoMapsDifferIn(
      @ForAll @Size(max = 3_000) List<@IntRange(max = 4_999) Integer> first,
      @ForAll @Size(max = 300) List<@IntRange(max = 4_999) Integer> script) {
    var before = PagedMap.<Integer, Integer>empty();
    for (int key : first) {
      before = before.plus(key / 2, 0);
    }
    var after = before;
    for (int i = 0; i < script.size(); i++) {
      int key = script.get(i) / 2;
      after = script.get(i) % 2 == 0 ? after.minus(key) : after.plus(key, 1_000 + i);
    }

    var told = new ArrayList<String>();
    PagedMap.differences(before, after, (key, old, now) -> told.add(key + ":" + old + ">" + now));

    var keys = new TreeSet<>(before.keySet());
    keys.addAll(after.keySet());
    var expected = new ArrayList<String>();
    for (int key : keys) {
      if (!Objects.equals(before.get(key), after.get(key))) {
        expected.add(key + ":" + before.get(key) + ">" + after.get(key));
      }
    }
    assertThat(told).isEqualTo(expected);
  }

  @Test
  void sharedPagesArePassed() {
    var builder = new PagedMapBuilder<Compared, Integer>();
    for (int i = 0; i < 100_000; i++) {
      builder.add(new Compared(i), i);
    }
    var before = builder.finish();
    var after = before.plus(new Compared(70_000), -1).minus(new Compared(3));
    Compared.comparisons = 0;

    var told = new ArrayList<Integer>();
    PagedMap.differences(before, after, (key, old, now) -> told.add(key.number()));

    assertThat(told).containsExactly(3, 70_000);
    assertThat(Compared.comparisons).isLessThan(200);
  }

  @Test
  void fewThatGoAreNotComparedWithAllThatStay() {
    var builder = new PagedMapBuilder<Compared, Integer>();
    var every20th = new TreeSet<Compared>();
    for (int i = 0; i < 100_000; i++) {
      builder.add(new Compared(i), i);
      if (i % 20 == 0) {
        every20th.add(new Compared(i));
      }
    }
    var map = builder.finish();
    Compared.comparisons = 0;

    assertThat(map.minusAll(every20th)).hasSize(95_000);

    assertThat(Compared.comparisons / every20th.size()).isLessThan(15);
  }

  /** Counts how often keys are compared. */
  private record Compared(int number) implements Comparable<Compared> {
    private static int comparisons;

    @Override
    public int compareTo(Compared other) {
      comparisons++;
      return Integer.compare(number, other.number);
    }
  }

  @Test
  void givesTheVeryKeyThatItHas() {
    var key = "k".concat("ey");
    var map = PagedMap.<String, Integer>empty().plus(key, 1).plus("other", 2);

    assertThat(map.sharedKey("k".concat("ey"))).containsSame(key);
    assertThat(map.sharedKey("a")).isEmpty();
  }

  @Test
  void keysInOrderAndAgainstItAreTakenInAndLeaveFromEitherEnd() {
    var up = PagedMap.<Integer, Integer>empty();
    var down = PagedMap.<Integer, Integer>empty();
    for (int i = 0; i < 10_000; i++) {
      up = up.plus(i, -i);
      down = down.plus(9_999 - i, i - 9_999);
    }
    assertThat(up).isEqualTo(down).hasSize(10_000);

    for (int i = 0; i < 10_000; i++) {
      assertThat(up.first().orElseThrow().getKey()).isEqualTo(i);
      up = up.minus(i);
      down = down.minus(9_999 - i);
    }
    assertThat(up).isEqualTo(down).isEmpty();
    assertThat(up.first()).isEmpty();
  }

  @Test
  void anEarlierMapStaysAsItWas() {
    var before = PagedMap.<Integer, String>empty();
    for (int i = 0; i < 1_000; i++) {
      before = before.plus(i, "before");
    }
    var after = before;
    for (int i = 0; i < 1_000; i++) {
      after = i % 2 == 0 ? after.minus(i) : after.plus(i, "after");
    }

    assertThat(before).hasSize(1_000);
    assertThat(before.values()).containsOnly("before");
    assertThat(after).hasSize(500);
    assertThat(after.values()).containsOnly("after");
  }

  @Test
  void whatChangesNothingGivesTheSameMap() {
    var map = PagedMap.<Integer, String>empty().plus(1, "one");

    assertThat(map.plus(1, "one")).isSameAs(map);
    assertThat(map.minus(2)).isSameAs(map);
    assertThatThrownBy(() -> map.put(2, "two")).isInstanceOf(UnsupportedOperationException.class);
  }

  private static <K, V> List<Map.Entry<K, V>> listed(Iterable<Map.Entry<K, V>> entries) {
    var list = new ArrayList<Map.Entry<K, V>>();
    entries.forEach(list::add);
    return list;
  }
}
