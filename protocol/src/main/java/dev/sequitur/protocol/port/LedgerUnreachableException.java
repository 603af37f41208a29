package dev.sequitur.protocol.port;

/** The ledger did not answer: whether it took what it was sent is not known. Ask again later. */
public final class LedgerUnreachableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public LedgerUnreachableException(String message) {
    super(message);
  }

  public LedgerUnreachableException(String message, Throwable cause) {
    super(message, cause);
  }
}
