package dev.sequitur.protocol.paged;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** However the pages of a map came about, they lie equally deep, in order, and are well filled. */
class PageTest {
  private static final int KEYS = 1_000;

  /** What a page of a large map holds on average, at least. */
  private static final int WELL_FILLED = 6;

  private Page root = Page.EMPTY;
  private int leaves;

  private void plus(int key) {
    var next = root.plus(key, -key);
    root = next.isTooLong() ? next.split(key) : next;
  }

  private void minus(int key) {
    root = root.minus(key).withoutNeedlessRoot();
  }

  private void minusAll(SortedSet<Integer> keys) {
    root = root.minusAll(keys.toArray(), 0, keys.size(), gone -> {}).withoutNeedlessRoot();
  }

  @Property(tries = 100)
  void afterAnyChanges(
      @ForAll @Size(max = 3_000) List<@IntRange(max = 2 * KEYS - 1) Integer> changes,
      @ForAll @Size(max = KEYS) List<@IntRange(max = KEYS - 1) Integer> removed) {
    root = Page.EMPTY;
    changes.forEach(
        change -> {
          if (change < KEYS) {
            plus(change);
          } else {
            minus(change - KEYS);
          }
        });
    assertKeepsTheRules();
    minusAll(new TreeSet<>(removed));
    assertKeepsTheRules();
  }

  @Test
  void whenAllButAFewHaveLeftOneByOne() {
    IntStream.range(0, 10_000).forEach(this::plus);
    assertKeepsTheRules();
    assertThat(leaves).as("full ones, since they came in order").isEqualTo((10_000 + 31) / 32);

    IntStream.range(0, 10_000).filter(key -> key % 100 != 0).forEach(this::minus);

    assertKeepsTheRules();
    assertThat(root.size()).isEqualTo(100);
  }

  @Test
  void whenAllButAFewHaveLeftAtOnce() {
    IntStream.range(0, 10_000).forEach(this::plus);

    minusAll(
        new TreeSet<>(IntStream.range(0, 10_000).filter(key -> key % 100 != 0).boxed().toList()));

    assertKeepsTheRules();
    assertThat(root.size()).isEqualTo(100);
  }

  @Test
  void ofPagesThatLeaveWholeNoneIsLeft() {
    IntStream.range(0, 10_000).forEach(this::plus);

    minusAll(new TreeSet<>(IntStream.range(32, 4 * 32).boxed().toList()));

    assertKeepsTheRules();
    assertThat(leaves).isEqualTo((10_000 + 31) / 32 - 3);
  }

  private void assertKeepsTheRules() {
    leaves = 0;
    assertThat(root.isLeaf() || root.length() > 1).as("a root above one page is needless").isTrue();
    depth(root, Integer.MIN_VALUE, Integer.MAX_VALUE);
    assertThat(leaves * WELL_FILLED).isLessThanOrEqualTo(root.size() + 2 * Page.MOST);
  }

  /**
   * @param from the least key that may stand here
   * @param end exclusive
   */
  private int depth(Page page, int from, int end) {
    assertThat(page.isTooLong()).isFalse();
    int least = from;
    for (int i = 0; i < page.length(); i++) {
      int key = (Integer) page.key(i);
      assertThat(key).isGreaterThanOrEqualTo(least).isLessThan(end);
      least = key + 1;
    }
    if (page.isLeaf()) {
      leaves++;
      assertThat(page.size()).isEqualTo(page.length());
      return 0;
    }
    int entries = 0;
    int below = -1;
    for (int i = 0; i < page.length(); i++) {
      var child = page.child(i);
      assertThat(child.length()).as("no page is empty").isPositive();
      int last = i + 1 == page.length() ? end : (Integer) page.key(i + 1);
      int depth = depth(child, (Integer) page.key(i), last);
      assertThat(below == -1 || below == depth).as("pages lie equally deep").isTrue();
      below = depth;
      entries += child.size();
    }
    assertThat(page.size()).isEqualTo(entries);
    return below + 1;
  }
}
