package dev.sequitur.ledger;

import dev.sequitur.protocol.id.Hash;

/**
 * Remembers a small mark for each of very many hashes, in 17 bytes a slot instead of the 150 or so
 * of a map: by the first 16 bytes of the hash, so it must be one that nobody can choose. Confined
 * to one thread at a time.
 */
final class FingerprintTable {
  private static final int FIRST_SLOTS = 1 << 12;
  private static final int MOST_SLOTS = 1 << 29;

  private long[] words = new long[2 * FIRST_SLOTS];
  private byte[] marks = new byte[FIRST_SLOTS];
  private int size;

  /** 0 if the hash was never marked. */
  byte get(Hash hash) {
    return marks[slot(hash.word0(), hash.word1())];
  }

  /**
   * @param mark not 0
   */
  void put(Hash hash, byte mark) {
    int slot = slot(hash.word0(), hash.word1());
    if (marks[slot] == 0) {
      if (++size > marks.length / 3 * 2) {
        grow();
        slot = slot(hash.word0(), hash.word1());
      }
      words[2 * slot] = hash.word0();
      words[2 * slot + 1] = hash.word1();
    }
    marks[slot] = mark;
  }

  int size() {
    return size;
  }

  private int slot(long word0, long word1) {
    int slot = (int) word0 & (marks.length - 1);
    while (marks[slot] != 0 && (words[2 * slot] != word0 || words[2 * slot + 1] != word1)) {
      slot = (slot + 1) & (marks.length - 1);
    }
    return slot;
  }

  private void grow() {
    if (marks.length >= MOST_SLOTS) {
      throw new IllegalStateException("An audit knows at most 350 million states and intents.");
    }
    var oldWords = words;
    var oldMarks = marks;
    words = new long[2 * oldWords.length];
    marks = new byte[2 * oldMarks.length];
    for (int old = 0; old < oldMarks.length; old++) {
      if (oldMarks[old] != 0) {
        int slot = slot(oldWords[2 * old], oldWords[2 * old + 1]);
        words[2 * slot] = oldWords[2 * old];
        words[2 * slot + 1] = oldWords[2 * old + 1];
        marks[slot] = oldMarks[old];
      }
    }
  }
}
