package dev.sequitur.persistence.backup;

import dev.sequitur.persistence.map.Key;
import java.util.function.BiConsumer;

/** An empty store that a backup is put into, all of it or nothing. */
public interface RestoreTarget {
  /** Hands over all entries, in the order of their keys. */
  @FunctionalInterface
  interface Entries {
    void each(BiConsumer<Key, byte[]> taker);
  }

  /** Over which engine it is. */
  BackupManifest.Engine engine();

  /**
   * Blocks until all is on the disk. If it throws, or {@code entries} does, the store is as empty
   * as it was.
   *
   * @throws BackupException with a sentence, if the store is not empty or can't be written
   * @throws dev.sequitur.protocol.port.StoreException if the disk or the database fails
   */
  void fill(Entries entries);
}
