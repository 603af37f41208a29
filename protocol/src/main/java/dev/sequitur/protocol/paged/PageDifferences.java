package dev.sequitur.protocol.paged;

/**
 * Walks through two maps side by side in the order of their keys, past all that lies in pages that
 * both share: what two versions of a large map differ in takes as long as it is large.
 */
final class PageDifferences<K extends Comparable<? super K>, V> {
  private final PageWalk before;
  private final PageWalk after;
  private final PagedMap.Difference<K, V> taking;

  PageDifferences(Page before, Page after, PagedMap.Difference<K, V> taking) {
    this.before = new PageWalk(before);
    this.after = new PageWalk(after);
    this.taking = taking;
  }

  void tell() {
    while (!before.isAtEnd() || !after.isAtEnd()) {
      if (before.isAtEnd()) {
        open(after);
      } else if (after.isAtEnd()) {
        open(before);
      } else {
        step();
      }
    }
  }

  /** Of two pages that are not the same the taller is opened, so that equal ones meet below. */
  private void step() {
    if (before.height() == 0 && after.height() == 0) {
      compare();
    } else if (before.height() > 0 && before.content() == after.content()) {
      before.pass();
      after.pass();
    } else if (before.height() == after.height()) {
      before.enter();
      after.enter();
    } else {
      (before.height() > after.height() ? before : after).enter();
    }
  }

  /** What is left of one map when the other has ended. */
  private void open(PageWalk rest) {
    if (rest.height() > 0) {
      rest.enter();
    } else {
      tell(rest);
    }
  }

  private void compare() {
    int order = before.key() == after.key() ? 0 : key(before).compareTo(key(after));
    if (order < 0) {
      tell(before);
    } else if (order > 0) {
      tell(after);
    } else {
      if (before.content() != after.content()) {
        taking.differs(key(after), value(before), value(after));
      }
      before.pass();
      after.pass();
    }
  }

  /** An entry that only one of the maps has. */
  private void tell(PageWalk one) {
    taking.differs(key(one), one == before ? value(one) : null, one == after ? value(one) : null);
    one.pass();
  }

  // A map's keys and values were put into it as such.
  @SuppressWarnings("unchecked")
  private K key(PageWalk at) {
    return (K) at.key();
  }

  @SuppressWarnings("unchecked")
  private V value(PageWalk at) {
    return (V) at.content();
  }
}
