package dev.sequitur.laboratory.demo;

import dev.sequitur.console.EndedEarly;

/** The demonstration cannot go on: the message says why. */
public final class DemoFailure extends EndedEarly {
  private static final long serialVersionUID = 1;

  public DemoFailure(String sentence) {
    super(sentence);
  }

  public DemoFailure(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
