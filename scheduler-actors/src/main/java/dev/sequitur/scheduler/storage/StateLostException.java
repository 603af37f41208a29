package dev.sequitur.scheduler.storage;

/**
 * What a queue has stored does not tell its state any more: its checkpoint and its journal do not
 * fit together, or something is missing. Its message is for the operator and says what to do.
 */
public final class StateLostException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private static final String WHAT_TO_DO =
      " Stop the node, restore its whole data (journal, checkpoints and executed bodies of one"
          + " moment) from a backup, and start it again; nothing was changed meanwhile.";

  /**
   * @param what is missing, a whole sentence
   */
  public StateLostException(String what) {
    super(what + WHAT_TO_DO);
  }
}
