package dev.sequitur.node.process;

/** Something could not be started for a reason that a person can mend: the message says how. */
public final class StartFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  public StartFailure(String sentence, Throwable cause) {
    super(sentence, cause);
  }

  public StartFailure(String sentence) {
    super(sentence);
  }
}
