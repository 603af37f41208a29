package dev.sequitur.ethereum;

import java.util.ArrayList;
import java.util.List;

/**
 * How many new blocks the last looks at a chain have found, the newest last: by that the next look
 * asks for so many in the same request as for the head. Pure.
 */
record Arrivals(List<Long> found) {
  /** Nobody has looked. */
  static final Arrivals NONE = new Arrivals(List.of());

  /** Looks that count: between two of them there may be one block more or less. */
  private static final int LOOKS = 4;

  /** As many as are read in one page. */
  private static final long MOST = 32;

  Arrivals {
    found = List.copyOf(found);
  }

  /** A look has found so many. */
  Arrivals and(long blocks) {
    var all = new ArrayList<>(found);
    all.add(Math.max(0, Math.min(MOST, blocks)));
    return new Arrivals(all.subList(Math.max(0, all.size() - LOOKS), all.size()));
  }

  /**
   * None where the last look found none: blocks come more seldom than looks then, and a head alone
   * is small.
   */
  int expected() {
    return found.isEmpty() || found.getLast() == 0
        ? 0
        : found.stream().mapToInt(Long::intValue).max().getAsInt();
  }
}
