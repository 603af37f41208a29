package dev.sequitur.scheduler;

/** There was no answer in time; the sentence says what to do. */
public final class SchedulerUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public SchedulerUnavailableException(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
