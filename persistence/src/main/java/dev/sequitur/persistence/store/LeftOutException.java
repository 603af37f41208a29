package dev.sequitur.persistence.store;

/** The other JVMs of the node have left this one out, so it may store nothing any more. */
public final class LeftOutException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  LeftOutException() {
    super(
        "The other JVMs of the node have left this one out, so it stores nothing any more and ends:"
            + " call another one.");
  }
}
