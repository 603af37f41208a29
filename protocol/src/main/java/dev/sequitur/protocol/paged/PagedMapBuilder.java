package dev.sequitur.protocol.paged;

import java.util.ArrayList;
import java.util.List;

/**
 * Makes a {@link PagedMap} of many entries. Those that come in the order of their keys fill one
 * page after another, each written once; the first that does not, and all after it, are put into
 * their places one by one. Confined to one thread.
 */
public final class PagedMapBuilder<K extends Comparable<? super K>, V> {
  /** Pages that are being filled, the leaf first and each branch above those below it. */
  private final List<Filling> levels = new ArrayList<>();

  private K last;
  private PagedMap<K, V> finished;

  /** A later value of the same key takes the place of the earlier one. */
  public void add(K key, V value) {
    if (finished != null) {
      finished = finished.plus(key, value);
    } else if (last == null || key.compareTo(last) > 0) {
      append(0, key, value);
      last = key;
    } else {
      finished = finish().plus(key, value);
    }
  }

  private void append(int level, Object key, Object content) {
    if (level == levels.size()) {
      levels.add(new Filling());
    }
    var filling = levels.get(level);
    if (filling.length == Page.MOST) {
      append(level + 1, filling.keys[0], filling.page(level == 0));
      filling.length = 0;
    }
    filling.keys[filling.length] = key;
    filling.contents[filling.length++] = content;
  }

  /** All that was added. More may be added after it. */
  public PagedMap<K, V> finish() {
    if (finished == null) {
      for (int level = 0; level + 1 < levels.size(); level++) {
        var filling = levels.get(level);
        append(level + 1, filling.keys[0], filling.page(level == 0));
      }
      finished =
          levels.isEmpty()
              ? PagedMap.empty()
              : PagedMap.of(levels.get(levels.size() - 1).page(levels.size() == 1));
    }
    return finished;
  }

  private static final class Filling {
    final Object[] keys = new Object[Page.MOST];
    final Object[] contents = new Object[Page.MOST];
    int length;

    Page page(boolean leaf) {
      return Page.of(leaf, keys, contents, length);
    }
  }
}
