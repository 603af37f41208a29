package dev.sequitur.persistence.leveldb;

import dev.sequitur.protocol.port.StoreException;
import java.nio.file.Path;

/**
 * The directory can't be opened, read or written; the message is one sentence for the operator that
 * names it.
 */
public class LevelDbException extends StoreException {
  private static final long serialVersionUID = 1L;

  LevelDbException(String message) {
    super(message);
  }

  LevelDbException(String message, Throwable cause) {
    super(message, cause);
  }

  /**
   * Nothing more is written to a directory, because its disk has less room than is kept free. It
   * ends by itself once there is room again.
   */
  public static final class DiskFull extends LevelDbException {
    private static final long serialVersionUID = 1L;

    DiskFull(Path directory, long freeBytes, LevelDbSettings settings) {
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

  /**
   * More writes wait than the queue may hold; nothing of this one was written, and it may be tried
   * again.
   */
  public static final class WriteQueueFull extends LevelDbException {
    private static final long serialVersionUID = 1L;

    WriteQueueFull(int capacity) {
      super(
          ("The write was refused: %d writes already wait for the disk, as many as may: look whether"
                  + " the disk is slow.")
              .formatted(capacity));
    }
  }
}
