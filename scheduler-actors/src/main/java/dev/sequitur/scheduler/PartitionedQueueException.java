package dev.sequitur.scheduler;

/**
 * A queue that is spread cannot answer that as a whole, or has no such partition (SCH-28). Its
 * message is for the caller and says what to ask instead.
 */
public final class PartitionedQueueException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public PartitionedQueueException(String sentence) {
    super(sentence);
  }
}
