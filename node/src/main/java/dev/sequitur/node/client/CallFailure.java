package dev.sequitur.node.client;

import dev.sequitur.node.console.EndedEarly;

/** A call that a node refused, or did not answer; the sentence says what to do. */
public final class CallFailure extends EndedEarly {
  private static final long serialVersionUID = 1;

  public CallFailure(String sentence) {
    super(sentence);
  }

  public CallFailure(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
