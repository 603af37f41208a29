package dev.sequitur.protocol.port;

/**
 * The node's store could not be read or written: whether a write was stored is not known, and it
 * may be tried again. The message is a sentence that says what keeps the store from it and what its
 * operator can do.
 */
public class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  protected StoreException(String message) {
    super(message);
  }

  protected StoreException(String message, Throwable cause) {
    super(message, cause);
  }
}
