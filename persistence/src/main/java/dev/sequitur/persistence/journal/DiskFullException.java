package dev.sequitur.persistence.journal;

import java.nio.file.Path;

/**
 * Nothing more is written to a directory, because its disk has less room than is kept free. It ends
 * by itself once there is room again.
 */
public final class DiskFullException extends LevelDbException {
  private static final long serialVersionUID = 1L;

  DiskFullException(Path directory, long freeBytes, LevelDbSettings settings) {
    super(
        ("The disk of the data directory %s has only %d bytes free, and nothing is stored below %d"
                + " bytes%s: free some of it.")
            .formatted(
                directory,
                freeBytes,
                settings.minFreeDiskBytes(),
                settings.minFreeDiskKey().map(key -> " (" + key + ")").orElse("")));
  }
}
