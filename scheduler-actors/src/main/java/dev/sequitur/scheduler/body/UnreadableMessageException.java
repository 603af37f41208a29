package dev.sequitur.scheduler.body;

/** Bytes that are not the protobuf message in question. */
final class UnreadableMessageException extends Exception {
  private static final long serialVersionUID = 1;

  UnreadableMessageException(String sentence) {
    super(sentence);
  }
}
