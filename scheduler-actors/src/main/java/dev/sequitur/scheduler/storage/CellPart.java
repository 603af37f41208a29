package dev.sequitur.scheduler.storage;

/** A part of the state that lies in cells of its own. */
interface CellPart {
  /**
   * Tells what differs.
   *
   * @param path before the keys of all its cells
   * @param before null if there was none
   * @param now null if there is none any more
   */
  void changes(byte[] path, Object before, Object now, Changes to);

  /** Puts the part together from its cells. */
  Building building();

  /** Takes what differs. */
  interface Changes {
    void put(byte[] key, byte[] value);

    void remove(byte[] key);
  }

  /** Takes the cells of a part, in the order of their keys. Confined to one thread. */
  interface Building {
    /**
     * @param at where in the key this part's own begins
     */
    void cell(byte[] key, int at, byte[] value);

    Object finish();
  }

  static byte[] below(byte[] path, byte[] more) {
    var key = java.util.Arrays.copyOf(path, path.length + more.length);
    System.arraycopy(more, 0, key, path.length, more.length);
    return key;
  }

  static byte[] below(byte[] path, int more) {
    return below(path, new byte[] {(byte) more});
  }
}
