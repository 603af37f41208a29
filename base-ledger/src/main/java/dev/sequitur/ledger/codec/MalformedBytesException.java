package dev.sequitur.ledger.codec;

/** Bytes that no version of the ledger has written: damaged, cut short, or made by a stranger. */
public final class MalformedBytesException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public MalformedBytesException(String message) {
    super(message);
  }

  public MalformedBytesException(String message, Throwable cause) {
    super(message, cause);
  }
}
