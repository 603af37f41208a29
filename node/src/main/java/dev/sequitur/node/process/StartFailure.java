package dev.sequitur.node.process;

import dev.sequitur.console.EndedEarly;

/** Something could not be started for a reason that a person can mend: the message says how. */
public class StartFailure extends EndedEarly {
  private static final long serialVersionUID = 1;

  public StartFailure(String sentence, Throwable cause) {
    super(sentence, cause);
  }

  public StartFailure(String sentence) {
    super(sentence);
  }

  /**
   * Ends what had begun. What goes wrong then says nothing of the cause: it is kept with the
   * failure and does not take its place.
   *
   * @return the failure
   */
  static <E extends RuntimeException> E afterEnding(Runnable begun, E failure) {
    try {
      begun.run();
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
    return failure;
  }

  /**
   * The other JVMs of the node have left this one out while it started: nothing has to be mended,
   * it is started again.
   */
  public static final class LeftOut extends StartFailure {
    private static final long serialVersionUID = 1;

    /** Of the process. */
    public static final int EXIT_CODE = 3;

    public LeftOut(String sentence, Throwable cause) {
      super(sentence, cause);
    }
  }
}
