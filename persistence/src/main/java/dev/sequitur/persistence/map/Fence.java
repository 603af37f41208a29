package dev.sequitur.persistence.map;

import dev.sequitur.protocol.port.StoreException;
import java.util.Optional;

/**
 * Who may write to a table that several JVMs share, and who has to wait meanwhile: both are decided
 * in the database, in the transaction that writes.
 */
public interface Fence {
  /** Why the database need not be asked; empty if it is to be. */
  Optional<StoreException> shut();

  /**
   * A query that answers one row with one truth value, whether this JVM may write. From its answer
   * until the end of its transaction nobody writes who is kept out by the same fence.
   */
  String question();

  /** The one parameter of the {@link #question}. */
  Object parameter();

  /** The database has answered no; what those are told who wait for a write. */
  StoreException refused();

  /**
   * Lets everybody write who takes the same turns, one after another.
   *
   * @param turns any number that nobody else uses for an advisory lock in the database
   */
  static Fence ofTurns(long turns) {
    return new Fence() {
      @Override
      public Optional<StoreException> shut() {
        return Optional.empty();
      }

      @Override
      public String question() {
        return "SELECT pg_advisory_xact_lock(?) IS NOT NULL";
      }

      @Override
      public Object parameter() {
        return turns;
      }

      @Override
      public StoreException refused() {
        throw new IllegalStateException("A lock was not given.");
      }
    };
  }
}
