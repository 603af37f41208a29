package dev.sequitur.cluster.postgres;

/** The database cannot be used; the message is a sentence for the operator. */
public final class DatabaseException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DatabaseException(String message, Throwable cause) {
    super(message, cause);
  }

  DatabaseException(String message) {
    super(message);
  }
}
