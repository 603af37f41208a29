package dev.sequitur.protocol.paged;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;

/** Goes through the entries of a {@link PagedMap} in order. */
final class PageIterator<K, V> implements Iterator<Map.Entry<K, V>> {
  /** The branches above the present leaf, and where in them it goes on. */
  private final Deque<Position> above = new ArrayDeque<>();

  private Page leaf;
  private int place;

  /**
   * @param from where it begins; null at the first
   */
  PageIterator(Page root, K from) {
    leaf = root;
    while (!leaf.isLeaf()) {
      int below = from == null ? 0 : Math.max(0, leaf.floor(from));
      above.push(new Position(leaf, below + 1));
      leaf = leaf.child(below);
    }
    place = from == null ? 0 : firstAtOrAfter(from);
    findNext();
  }

  @Override
  public boolean hasNext() {
    return place < leaf.length();
  }

  // A map's keys and values were put into it as such.
  @Override
  @SuppressWarnings("unchecked")
  public Map.Entry<K, V> next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    var entry = Map.entry((K) leaf.key(place), (V) leaf.content(place));
    place++;
    findNext();
    return entry;
  }

  private int firstAtOrAfter(K from) {
    int floor = leaf.floor(from);
    return floor >= 0 && leaf.key(floor).equals(from) ? floor : floor + 1;
  }

  /** To the next leaf, if this one is at its end. */
  private void findNext() {
    while (place == leaf.length() && !above.isEmpty()) {
      var position = above.pop();
      if (position.next < position.branch.length()) {
        above.push(new Position(position.branch, position.next + 1));
        leaf = position.branch.child(position.next);
        while (!leaf.isLeaf()) {
          above.push(new Position(leaf, 1));
          leaf = leaf.child(0);
        }
        place = 0;
      }
    }
  }

  private record Position(Page branch, int next) {}
}
