package dev.sequitur.persistence.serialization;

/**
 * Bytes or text that are no valid value of the type asked for. The message says where and what kind
 * of fault; it never quotes what was read, and has no cause that does, since that may be private
 * (EXC-5).
 */
public final class DecodingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DecodingException(String message) {
    super(message);
  }
}
