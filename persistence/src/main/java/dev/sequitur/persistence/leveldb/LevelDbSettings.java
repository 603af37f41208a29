package dev.sequitur.persistence.leveldb;

import com.typesafe.config.Config;
import java.util.Optional;

/**
 * How a {@link LevelDb} writes.
 *
 * @param fsync whether a write is on the disk, and not only with the operating system, before it is
 *     acknowledged; without it a power cut loses acknowledged writes, a killed process does not
 * @param queueCapacity how many writes may wait for the disk
 * @param writeBufferBytes size of LevelDB's memory table, twice of which it may hold at a time
 * @param cacheBytes size of LevelDB's cache of blocks read
 * @param minFreeDiskBytes writes are refused while the disk has less room than this. LevelDB writes
 *     through memory-mapped files, and a full disk would end the whole process
 * @param minFreeDiskKey where an operator sets that, for the sentence that names it; empty if it is
 *     fixed
 */
public record LevelDbSettings(
    boolean fsync,
    int queueCapacity,
    int writeBufferBytes,
    long cacheBytes,
    long minFreeDiskBytes,
    Optional<String> minFreeDiskKey) {
  /** The key in a node's configuration file. */
  private static final String NODE_MIN_FREE_DISK = "node.min-free-disk-bytes";

  /** Whose least room no operator sets. */
  public LevelDbSettings(
      boolean fsync,
      int queueCapacity,
      int writeBufferBytes,
      long cacheBytes,
      long minFreeDiskBytes) {
    this(fsync, queueCapacity, writeBufferBytes, cacheBytes, minFreeDiskBytes, Optional.empty());
  }

  /** Sizes must make sense. */
  public LevelDbSettings {
    requireAtLeast(1, queueCapacity, "queue-capacity");
    requireAtLeast(64 * 1024, writeBufferBytes, "write-buffer");
    requireAtLeast(64 * 1024, cacheBytes, "cache");
    requireAtLeast(0, minFreeDiskBytes, "min-free-disk");
  }

  /** Reads the section {@code sequitur.persistence.level-db} of a whole configuration. */
  public static LevelDbSettings from(Config config) {
    Config section = config.getConfig("sequitur.persistence.level-db");
    return new LevelDbSettings(
        section.getBoolean("fsync"),
        section.getInt("queue-capacity"),
        Math.toIntExact(section.getMemorySize("write-buffer").toBytes()),
        section.getMemorySize("cache").toBytes(),
        section.getMemorySize("min-free-disk").toBytes(),
        Optional.of(NODE_MIN_FREE_DISK));
  }

  private static void requireAtLeast(long least, long found, String name) {
    if (found < least) {
      throw new IllegalArgumentException(
          "The setting %s of LevelDB must be at least %d, not %d".formatted(name, least, found));
    }
  }
}
