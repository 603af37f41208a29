package dev.sequitur.protocol.paged;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A place in a tree of pages: an entry of a leaf, or a whole page, which may be passed or entered.
 * Confined to one thread.
 */
final class PageWalk {
  private final Deque<Position> above = new ArrayDeque<>();
  private Page page;
  private int place;

  /** Of what is at this place: 0 is an entry, 1 a leaf. */
  private int height;

  /** Begins at {@code root} as a whole. */
  PageWalk(Page root) {
    page = Page.above(root);
    height = 1;
    for (var below = root; !below.isLeaf(); below = below.child(0)) {
      height++;
    }
    if (root.size() == 0) {
      place = page.length();
    }
  }

  boolean isAtEnd() {
    return place == page.length();
  }

  int height() {
    return height;
  }

  /** Of the entry. */
  Object key() {
    return page.key(place);
  }

  /** The entry's value, or the page. */
  Object content() {
    return page.content(place);
  }

  void pass() {
    place++;
    while (isAtEnd() && !above.isEmpty()) {
      var left = above.pop();
      page = left.page;
      place = left.place + 1;
      height++;
    }
  }

  /** Goes to the first that is in the page here, none of which is empty. */
  void enter() {
    above.push(new Position(page, place));
    page = page.child(place);
    place = 0;
    height--;
  }

  private record Position(Page page, int place) {}
}
