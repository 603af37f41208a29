package dev.sequitur.node.demo;

/** The demonstration cannot go on: the message says why. */
public final class DemoFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  public DemoFailure(String sentence) {
    super(sentence);
  }

  public DemoFailure(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
