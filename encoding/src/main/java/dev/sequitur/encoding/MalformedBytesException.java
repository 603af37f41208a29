package dev.sequitur.encoding;

/**
 * Bytes that are no value of the type asked for: damaged, cut short, made by a stranger, or written
 * by a newer version. The message says what is wrong and never quotes what was read, and there is
 * no cause that does, since that may be private (EXC-5).
 */
public final class MalformedBytesException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public MalformedBytesException(String message) {
    super(message);
  }
}
