package dev.sequitur.persistence.journal;

/**
 * The directory can't be opened, read or written; the message is one sentence for the operator that
 * names it.
 */
public class LevelDbException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  LevelDbException(String message) {
    super(message);
  }

  LevelDbException(String message, Throwable cause) {
    super(message, cause);
  }
}
