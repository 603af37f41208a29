package dev.sequitur.persistence.backup;

/** A backup could not be made, read or restored; the message is a sentence for the operator. */
public final class BackupException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public BackupException(String message) {
    super(message);
  }

  public BackupException(String message, Throwable cause) {
    super(message, cause);
  }
}
