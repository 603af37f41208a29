package dev.sequitur.node.demo;

/** A person has asked for an end before the work was done. */
public final class DemoStopped extends RuntimeException {
  private static final long serialVersionUID = 1;

  public DemoStopped(String sentence) {
    super(sentence);
  }
}
