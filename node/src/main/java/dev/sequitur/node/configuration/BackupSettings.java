package dev.sequitur.node.configuration;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Where a node's backups are, and how fast they are made.
 *
 * @param directory empty if the node makes none
 * @param bytesPerSecond that one reads at the most
 */
public record BackupSettings(Optional<Path> directory, long bytesPerSecond) {
  /** None are made. */
  public static final BackupSettings NONE = new BackupSettings(Optional.empty(), 32L << 20);

  /** Slower than this a backup would keep the database from tidying up for too long. */
  private static final long SLOWEST = 1L << 20;

  static BackupSettings read(ConfigurationReader reader) {
    return new BackupSettings(
        reader.optionalPath("backup.directory"),
        reader.wholeNumber("backup.bytes-per-second", SLOWEST, Long.MAX_VALUE));
  }
}
