package dev.sequitur.protocol.trie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HashTrieTest {
  private static final int SEEDS = 20;
  private static final int CHANGES = 2_000;

  /** A key whose hash says little. */
  private record Key(int number, int hashes) {
    @Override
    public int hashCode() {
      return number % hashes;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 40, Integer.MAX_VALUE})
  void holdsWhatAHashMapHoldsWhateverTheHashes(int hashes) {
    for (int seed = 1; seed <= SEEDS; seed++) {
      var random = new Random(seed);
      var trie = HashTrie.<Key, Integer>empty();
      var expected = new HashMap<Key, Integer>();
      for (int change = 0; change < CHANGES; change++) {
        var key = new Key(random.nextInt(hashes == 1 ? 50 : 300), hashes);
        if (random.nextInt(5) < 3) {
          trie = trie.plus(key, change);
          expected.put(key, change);
        } else {
          trie = trie.minus(key);
          expected.remove(key);
        }
        assertThat(trie.get(key)).isEqualTo(expected.get(key));
        assertThat(trie).hasSize(expected.size());
      }
      assertSame(trie, expected);
      for (var key : List.copyOf(expected.keySet())) {
        trie = trie.minus(key);
      }
      assertThat(trie).isSameAs(HashTrie.empty());
    }
  }

  private static void assertSame(HashTrie<Key, Integer> trie, Map<Key, Integer> expected) {
    assertThat(trie).isEqualTo(expected).hasSameHashCodeAs(expected);
    assertThat(trie.keySet()).isEqualTo(expected.keySet());
    assertThat(trie.entrySet()).isEqualTo(expected.entrySet());
    assertThat(trie.values()).containsExactlyInAnyOrderElementsOf(expected.values());
  }

  @Test
  void staysAsItIsWhenOthersAreMadeOfIt() {
    var before = HashTrie.from(Map.of("a", 1, "b", 2));

    before.plus("c", 3);
    before.plus("a", 4);
    before.minus("b");

    assertThat(before).isEqualTo(Map.of("a", 1, "b", 2));
  }

  @Test
  void itsViewsHaveWhatItHasAndNothingElse() {
    var map = HashTrie.from(Map.of("a", 1, "b", 2));

    assertThat(map.keySet().contains("a")).isTrue();
    assertThat(map.keySet().contains("c")).isFalse();
    assertThat(map.keySet()).hasSize(2);
    assertThat(map.entrySet()).hasSize(2);
    assertThat(map.values()).hasSize(2).containsExactlyInAnyOrder(1, 2);
  }

  @Test
  void aSetIsSuchAMapOfItsElements() {
    assertThat(HashTrie.emptySet()).isEmpty();
    assertThat(HashTrie.setOf(List.of("a", "b", "a"))).isEqualTo(Set.of("a", "b"));
    assertThat(HashTrie.setOf(List.of("a")).plus("b").minus("a")).containsExactly("b");
  }

  @Test
  void isIteratedInTheSameOrderHoweverItCameAbout() {
    var numbers = IntStream.range(0, 1_000).boxed().toList();
    var upwards = HashTrie.<Integer, Integer>empty();
    for (var number : numbers) {
      upwards = upwards.plus(number, number);
    }
    var downwards = HashTrie.<Integer, Integer>empty();
    for (int number = 1_500; number >= 0; number--) {
      downwards = downwards.plus(number, number);
    }
    for (int number = 1_000; number <= 1_500; number++) {
      downwards = downwards.minus(number);
    }

    assertThat(new ArrayList<>(upwards.keySet())).isEqualTo(new ArrayList<>(downwards.keySet()));
  }

  @Test
  void isTheSameMapWhereNothingChanges() {
    var map = HashTrie.from(Map.of("a", "x"));

    assertThat(map.plus("a", map.get("a"))).isSameAs(map);
    assertThat(map.minus("b")).isSameAs(map);
    assertThat(map.minusAll(List.of("b", "c"))).isSameAs(map);
  }

  @Test
  void isChangedByNobody() {
    var map = HashTrie.from(Map.of("a", 1));

    assertThatThrownBy(() -> map.put("b", 2)).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> map.remove("a")).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(map::clear).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> map.entrySet().iterator().next().setValue(2))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void hasNoNextAfterTheLast() {
    var keys = HashTrie.from(Map.of("a", 1)).keySet().iterator();
    keys.next();

    assertThat(keys).isExhausted();
    assertThatThrownBy(keys::next).isInstanceOf(NoSuchElementException.class);
  }
}
