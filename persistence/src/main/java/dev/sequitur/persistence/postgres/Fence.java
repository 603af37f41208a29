package dev.sequitur.persistence.postgres;

import dev.sequitur.protocol.port.StoreException;
import java.util.Optional;

/**
 * Who may write to a table that several JVMs share: decided in the database, in the transaction
 * that writes.
 */
public interface Fence {
  /** Why the database need not be asked; empty if it is to be. */
  Optional<StoreException> shut();

  /**
   * A query that answers one row with one truth value, whether this JVM may write. Who keeps it out
   * from then on waits until the transaction that has asked has ended; other JVMs need not.
   */
  String question();

  /** The one parameter of the {@link #question}. */
  Object parameter();

  /** The database has answered no; what those are told who wait for a write. */
  StoreException refused();
}
