package dev.sequitur.console;

/**
 * A command cannot go on, or was asked to end: the message is a sentence for the person at the
 * terminal.
 */
public abstract class EndedEarly extends RuntimeException {
  private static final long serialVersionUID = 1;

  protected EndedEarly(String sentence) {
    super(sentence);
  }

  protected EndedEarly(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
