package dev.sequitur.trace;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A flag for each of the ids seen lately, in a table of fixed size in which a newer id takes the
 * place of an older one. Thread-safe, never waits.
 */
final class RecentFlags {
  /** What the table knows of an id. */
  enum Flag {
    UNKNOWN,
    NO,
    YES
  }

  private final AtomicLongArray slots;

  /**
   * @param size a power of two; 8 bytes each
   */
  RecentFlags(int size) {
    if (Integer.bitCount(size) != 1) {
      throw new IllegalArgumentException("The size is a power of two, not " + size + ".");
    }
    slots = new AtomicLongArray(size);
  }

  Flag get(long hash) {
    long slot = slots.getPlain(index(hash));
    if ((slot | 1) != (hash | 1)) {
      return Flag.UNKNOWN;
    }
    return (slot & 1) == 1 ? Flag.YES : Flag.NO;
  }

  void put(long hash, boolean flag) {
    slots.setPlain(index(hash), flag ? hash | 1 : hash & ~1L);
  }

  private int index(long hash) {
    return (int) (hash >>> 1) & (slots.length() - 1);
  }

  /** Spreads an id evenly over all longs; the same on every machine. */
  static long hash(UUID id) {
    long mixed = id.getMostSignificantBits() ^ Long.rotateLeft(id.getLeastSignificantBits(), 32);
    mixed += 0x9e3779b97f4a7c15L; // no id that people make up may hash to 0, an empty slot
    mixed = (mixed ^ (mixed >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }
}
