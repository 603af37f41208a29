package dev.sequitur.node.process;

/**
 * The other JVMs of the node have left this one out while it started: nothing has to be mended, it
 * is started again.
 */
public final class LeftOut extends StartFailure {
  private static final long serialVersionUID = 1;

  /** Of the process. */
  public static final int EXIT_CODE = 3;

  public LeftOut(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
