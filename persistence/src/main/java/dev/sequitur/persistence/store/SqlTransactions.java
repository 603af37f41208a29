package dev.sequitur.persistence.store;

import dev.sequitur.persistence.postgres.DatabaseException;
import dev.sequitur.persistence.postgres.PostgresDatabase;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Transactions on the database of a node, off the caller's thread. Thread-safe.
 *
 * @param executor its threads wait for the database, and every future completes on it
 */
record SqlTransactions(PostgresDatabase database, Executor executor) {
  /** The statements of one transaction. */
  interface Work<T> {
    T on(Sql sql) throws SQLException;
  }

  /**
   * All of the work is stored, or nothing.
   *
   * @return fails with a {@link DatabaseException} if the database cannot be reached or refuses,
   *     and once the executor takes nothing more
   */
  <T> CompletionStage<T> run(Work<T> work) {
    try {
      return CompletableFuture.supplyAsync(
          () -> {
            try {
              return database.transaction(connection -> work.on(new Sql(connection)));
            } catch (SQLException e) {
              throw new CompletionException(DatabaseException.of(e));
            }
          },
          executor);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(new DatabaseException(GroupWriter.STOPPING, e));
    }
  }
}
