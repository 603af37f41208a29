package dev.sequitur.node.process;

/** An option that cannot be used here: the message says what to do instead. */
public final class WrongOption extends RuntimeException {
  private static final long serialVersionUID = 1;

  public WrongOption(String sentence) {
    super(sentence);
  }
}
