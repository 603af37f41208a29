package dev.sequitur.scheduler.storage;

/** Stored bytes that this program cannot read; says nothing of their content. */
public final class UnreadableException extends RuntimeException {
  private static final long serialVersionUID = 1;

  UnreadableException(String sentence) {
    super(sentence);
  }
}
