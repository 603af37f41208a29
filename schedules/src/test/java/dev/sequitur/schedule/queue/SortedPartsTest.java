package dev.sequitur.schedule.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Sorted parts are read as one, and no further than it is asked for. */
class SortedPartsTest {
  @Property(tries = 300)
  void allOfThemComeInOrder(
      @ForAll @Size(max = 5) List<@Size(max = 9) List<@IntRange(max = 20) Integer>> parts) {
    var sorted = parts.stream().map(part -> part.stream().sorted().toList()).toList();
    var all = new ArrayList<Integer>();
    new SortedParts<>(sorted.stream().map(List::iterator).toList(), Comparator.naturalOrder())
        .forEachRemaining(all::add);
    assertThat(all).isEqualTo(parts.stream().flatMap(List::stream).sorted().toList());
  }

  /** One more of each part than was taken: a part may be a million. */
  @Test
  void aPartIsReadNoFurtherThanItIsTaken() {
    Iterator<Integer> endless = IntStream.iterate(0, next -> next + 2).iterator();
    var odd = IntStream.iterate(1, next -> next + 2).peek(next -> assertThat(next).isLessThan(9));
    var merged = new SortedParts<>(List.of(endless, odd.iterator()), Comparator.naturalOrder());
    for (int next = 0; next < 6; next++) {
      assertThat(merged.next()).isEqualTo(next);
    }
  }
}
