package dev.sequitur.json;

/**
 * Refuses what a caller sent. The message is the sentence that the caller reads: it says what to do
 * and quotes no private data. Carries no stack trace: it is an answer, not a fault of the program.
 */
public abstract class Refused extends RuntimeException {
  private static final long serialVersionUID = 1;

  protected Refused(String sentence) {
    super(sentence, null, false, false);
  }
}
