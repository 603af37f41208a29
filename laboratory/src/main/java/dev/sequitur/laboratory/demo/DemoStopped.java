package dev.sequitur.laboratory.demo;

import dev.sequitur.console.EndedEarly;

/** A person has asked for an end before the work was done. */
public final class DemoStopped extends EndedEarly {
  private static final long serialVersionUID = 1;

  public DemoStopped(String sentence) {
    super(sentence);
  }
}
