package dev.sequitur.protocol.paged;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A node of a {@link PagedMap}. A leaf's contents are its values; a branch's are pages, and its
 * keys are at most the first key of each. Arrays are as long as what is in them, and nobody changes
 * them.
 */
final class Page {
  /** Where a change costs least: longer pages copy more, shorter ones make a deeper tree. */
  static final int MOST = 32;

  static final Page EMPTY = new Page(true, new Object[0], new Object[0], 0);

  private final boolean leaf;
  private final Object[] keys;
  private final Object[] contents;
  private final int size;

  private Page(boolean leaf, Object[] keys, Object[] contents, int size) {
    this.leaf = leaf;
    this.keys = keys;
    this.contents = contents;
    this.size = size;
  }

  /** Of the first {@code length} of both arrays, which are copied. */
  static Page of(boolean leaf, Object[] keys, Object[] contents, int length) {
    return new Page(leaf, keys, contents, 0).part(0, length);
  }

  /** A branch that has this page alone. */
  static Page above(Page page) {
    return new Page(false, new Object[1], new Object[] {page}, page.size);
  }

  boolean isLeaf() {
    return leaf;
  }

  /** Of entries, those of all pages below included. */
  int size() {
    return size;
  }

  int length() {
    return keys.length;
  }

  Object key(int place) {
    return keys[place];
  }

  Object content(int place) {
    return contents[place];
  }

  Page child(int place) {
    return (Page) contents[place];
  }

  boolean isTooLong() {
    return keys.length > MOST;
  }

  /** The last place whose key is {@code key} or before it; -1 if all come after it. */
  int floor(Object key) {
    // Keys of one map compare with one another: its type says so.
    @SuppressWarnings("unchecked")
    var sought = (Comparable<Object>) key;
    int low = 0;
    int high = keys.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      if (sought.compareTo(keys[middle]) >= 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return high;
  }

  /** Null if there is none. */
  Object get(Object key) {
    var page = leafOf(key);
    int place = page.floor(key);
    return page.has(place, key) ? page.contents[place] : null;
  }

  /** The key here that equals {@code key}; null if there is none. */
  Object keyOf(Object key) {
    var page = leafOf(key);
    int place = page.floor(key);
    return page.has(place, key) ? page.keys[place] : null;
  }

  /** The last entry whose key is {@code key} or before it; null if all come after it. */
  Map.Entry<?, ?> lastUpTo(Object key) {
    int place = floor(key);
    if (leaf) {
      return place < 0 ? null : Map.entry(keys[place], contents[place]);
    }
    // A branch's key may be before the first one below it: then it is the page before.
    Map.Entry<?, ?> found = null;
    while (found == null && place >= 0) {
      found = child(place--).lastUpTo(key);
    }
    return found;
  }

  /** Where the key is, if it is here. */
  private Page leafOf(Object key) {
    var page = this;
    while (!page.leaf) {
      page = page.child(Math.max(0, page.floor(key)));
    }
    return page;
  }

  /** May give a page that is too long by one. */
  Page plus(Object key, Object value) {
    int place = floor(key);
    if (leaf) {
      if (!has(place, key)) {
        return inserted(place + 1, key, value, 1);
      }
      return contents[place] == value ? this : replaced(place, keys[place], value, 0);
    }
    int below = Math.max(place, 0);
    var before = child(below);
    var after = before.plus(key, value);
    if (after == before) {
      return this;
    }
    int grown = after.size - before.size;
    var first = place < 0 ? after.keys[0] : keys[below];
    if (!after.isTooLong()) {
      return replaced(below, first, after, grown);
    }
    int cut = after.cut(key);
    var right = after.part(cut, after.keys.length);
    return replaced(below, first, after.part(0, cut), grown)
        .inserted(below + 1, right.keys[0], right, 0);
  }

  /** A page above two parts of this one, which {@code added} has made too long. */
  Page split(Object added) {
    int cut = cut(added);
    var left = part(0, cut);
    var right = part(cut, keys.length);
    return new Page(
        false, new Object[] {left.keys[0], right.keys[0]}, new Object[] {left, right}, size);
  }

  /** Keys that come in order leave full pages behind them. */
  private int cut(Object added) {
    int last = keys.length - 1;
    return keys[last] == added ? last : keys.length / 2;
  }

  Page minus(Object key) {
    int place = floor(key);
    if (leaf) {
      return has(place, key) ? removed(place, 1) : this;
    } else if (place < 0) {
      return this;
    }
    var before = child(place);
    var after = before.minus(key);
    if (after == before) {
      return this;
    }
    return after.keys.length == 0
        ? removed(place, 1)
        : replaced(place, keys[place], after, -1).joined(place);
  }

  /**
   * Without those of {@code sorted} from one place to another, exclusive.
   *
   * @param gone is told what each had, in the order of keys
   */
  Page minusAll(Object[] sorted, int from, int end, Consumer<Object> gone) {
    return leaf ? valuesWithout(sorted, from, end, gone) : pagesWithout(sorted, from, end, gone);
  }

  /** Asks for each of those that go: mostly there are few of them in one leaf. */
  private Page valuesWithout(Object[] sorted, int from, int end, Consumer<Object> gone) {
    var left = new Rest(this);
    int kept = 0;
    for (int i = from; i < end; i++) {
      int place = floor(sorted[i]);
      if (has(place, sorted[i])) {
        gone.accept(contents[place]);
        left.addValues(kept, place);
        kept = place + 1;
      }
    }
    if (kept == 0) {
      return this;
    }
    left.addValues(kept, keys.length);
    return left.page();
  }

  private Page pagesWithout(Object[] sorted, int from, int end, Consumer<Object> gone) {
    var left = new Rest(this);
    int first = placeOf(keys[0], sorted, from, end);
    for (int i = 0; i < keys.length; i++) {
      int last = i + 1 == keys.length ? end : placeOf(keys[i + 1], sorted, first, end);
      left.addPage(keys[i], first < last ? child(i).minusAll(sorted, first, last, gone) : child(i));
      first = last;
    }
    return left.size == size ? this : left.page();
  }

  /** The first place from {@code from} that is not before {@code key}. */
  private static int placeOf(Object key, Object[] sorted, int from, int end) {
    // As in floor.
    @SuppressWarnings("unchecked")
    var sought = (Comparable<Object>) key;
    int place = from;
    while (place < end && sought.compareTo(sorted[place]) > 0) {
      place++;
    }
    return place;
  }

  /** What is left of a page; no longer than that was. */
  private static final class Rest {
    final Page of;
    final Object[] keys;
    final Object[] contents;
    int length;
    int size;

    Rest(Page of) {
      this.of = of;
      keys = new Object[of.keys.length];
      contents = new Object[of.keys.length];
    }

    /** Those of the page from one place to another, exclusive. */
    void addValues(int from, int end) {
      System.arraycopy(of.keys, from, keys, length, end - from);
      System.arraycopy(of.contents, from, contents, length, end - from);
      length += end - from;
      size = length;
    }

    void addPage(Object key, Page page) {
      size += page.size;
      if (length > 0 && ((Page) contents[length - 1]).isShortWith(page)) {
        contents[length - 1] = ((Page) contents[length - 1]).joinedWith(page);
      } else if (page.size > 0) {
        keys[length] = key;
        contents[length++] = page;
      }
    }

    Page page() {
      boolean isFull = length == keys.length;
      return new Page(
          of.leaf,
          isFull ? keys : Arrays.copyOf(keys, length),
          isFull ? contents : Arrays.copyOf(contents, length),
          size);
    }
  }

  Page withoutNeedlessRoot() {
    var page = this;
    while (!page.leaf && page.keys.length == 1) {
      page = page.child(0);
    }
    return page.keys.length == 0 ? EMPTY : page;
  }

  /** With the page at {@code place} and a neighbour made one, if both have become short. */
  private Page joined(int place) {
    // Neighbours of a long one need not be looked at, and lie elsewhere in memory.
    if (child(place).keys.length > MOST / 2) {
      return this;
    } else if (place > 0 && child(place - 1).isShortWith(child(place))) {
      return joinedWithNext(place - 1);
    } else if (place + 1 < keys.length && child(place).isShortWith(child(place + 1))) {
      return joinedWithNext(place);
    }
    return this;
  }

  private Page joinedWithNext(int place) {
    var both = child(place).joinedWith(child(place + 1));
    return removed(place + 1, 0).replaced(place, keys[place], both, 0);
  }

  private boolean isShortWith(Page next) {
    return keys.length + next.keys.length <= MOST / 2;
  }

  private Page joinedWith(Page next) {
    return new Page(
        leaf, joined(keys, next.keys), joined(contents, next.contents), size + next.size);
  }

  private boolean has(int place, Object key) {
    return place >= 0 && keys[place].equals(key);
  }

  private Page replaced(int place, Object key, Object content, int grown) {
    var nextKeys = keys;
    if (keys[place] != key) {
      nextKeys = keys.clone();
      nextKeys[place] = key;
    }
    var nextContents = contents.clone();
    nextContents[place] = content;
    return new Page(leaf, nextKeys, nextContents, size + grown);
  }

  private Page inserted(int place, Object key, Object content, int grown) {
    return new Page(
        leaf, inserted(keys, place, key), inserted(contents, place, content), size + grown);
  }

  private Page removed(int place, int shrunk) {
    return new Page(leaf, removed(keys, place), removed(contents, place), size - shrunk);
  }

  private Page part(int from, int end) {
    int entries = end - from;
    if (!leaf) {
      entries = 0;
      for (int i = from; i < end; i++) {
        entries += child(i).size;
      }
    }
    return new Page(
        leaf,
        Arrays.copyOfRange(keys, from, end),
        Arrays.copyOfRange(contents, from, end),
        entries);
  }

  private static Object[] inserted(Object[] array, int place, Object element) {
    var next = new Object[array.length + 1];
    System.arraycopy(array, 0, next, 0, place);
    next[place] = element;
    System.arraycopy(array, place, next, place + 1, array.length - place);
    return next;
  }

  private static Object[] removed(Object[] array, int place) {
    var next = new Object[array.length - 1];
    System.arraycopy(array, 0, next, 0, place);
    System.arraycopy(array, place + 1, next, place, next.length - place);
    return next;
  }

  private static Object[] joined(Object[] left, Object[] right) {
    var both = Arrays.copyOf(left, left.length + right.length);
    System.arraycopy(right, 0, both, left.length, right.length);
    return both;
  }
}
