package dev.sequitur.cluster;

/**
 * A node can't start as it is configured; the message is a sentence for the operator that says what
 * to change.
 */
public final class InvalidConfigurationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  InvalidConfigurationException(String message) {
    super(message);
  }

  InvalidConfigurationException(String message, Throwable cause) {
    super(message, cause);
  }
}
