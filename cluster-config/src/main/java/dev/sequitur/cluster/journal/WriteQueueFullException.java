package dev.sequitur.cluster.journal;

/**
 * More writes wait than the queue may hold; nothing of this one was written, and it may be tried
 * again.
 */
public final class WriteQueueFullException extends LevelDbException {
  private static final long serialVersionUID = 1L;

  WriteQueueFullException(int capacity) {
    super(
        ("The write was refused: %d writes already wait for the disk, and"
                + " sequitur.persistence.level-db.queue-capacity allows no more.")
            .formatted(capacity));
  }
}
