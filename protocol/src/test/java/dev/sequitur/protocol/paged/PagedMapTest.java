package dev.sequitur.protocol.paged;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
  void manyAtOnceLeaveAsOneAfterTheOtherWould(
      @ForAll @Size(max = 3_000) List<@IntRange(max = 2_999) Integer> present,
      @ForAll @Size(max = 1_000) List<@IntRange(min = -5, max = 3_005) Integer> removed) {
    var map = PagedMap.<Integer, Integer>empty();
    for (int key : present) {
      map = map.plus(key, -key);
    }
    var rest = map.minusAll(new TreeSet<>(removed));
    var expected = map;
    for (int key : removed) {
      expected = expected.minus(key);
    }

    assertThat(rest).hasSize(expected.size());
    assertThat(List.copyOf(rest.entrySet())).isEqualTo(List.copyOf(expected.entrySet()));
    for (int key = -5; key < 3_005; key += 3) {
      rest = rest.plus(key, key);
      assertThat(rest.get(key)).isEqualTo(key);
    }
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
