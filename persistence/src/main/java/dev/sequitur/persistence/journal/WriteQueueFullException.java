package dev.sequitur.persistence.journal;

/**
 * More writes wait than the queue may hold; nothing of this one was written, and it may be tried
 * again.
 */
public final class WriteQueueFullException extends LevelDbException {
  private static final long serialVersionUID = 1L;

  WriteQueueFullException(int capacity) {
    super(
        ("The write was refused: %d writes already wait for the disk, as many as may: look whether"
                + " the disk is slow, and try again.")
            .formatted(capacity));
  }
}
