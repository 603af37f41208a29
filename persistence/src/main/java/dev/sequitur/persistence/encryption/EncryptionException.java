package dev.sequitur.persistence.encryption;

import dev.sequitur.protocol.port.StoreException;

/** Records do not open, or are not as they are to be. The message says what to do. */
public final class EncryptionException extends StoreException {
  private static final long serialVersionUID = 1L;

  EncryptionException(String message) {
    super(message);
  }

  EncryptionException(String message, Throwable cause) {
    super(message, cause);
  }
}
