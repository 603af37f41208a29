package dev.sequitur.persistence.store;

import dev.sequitur.protocol.port.StoreException;

/** The other JVMs of the node have left this one out, so it may store nothing any more. */
public final class LeftOutException extends StoreException {
  private static final long serialVersionUID = 1L;

  LeftOutException() {
    super(
        "The other JVMs of the node have left this one out, so it stores nothing any more and ends:"
            + " turn to another one.");
  }
}
