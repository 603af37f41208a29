package dev.sequitur.persistence.store;

import dev.sequitur.persistence.postgres.PostgresDatabase;
import dev.sequitur.protocol.id.Hash;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** The executed bodies of a node of several JVMs, in the database that they share. */
final class PostgresBodyStore implements BodyStore {
  private final SqlTransactions transactions;

  /**
   * @param executor its threads may wait for the database
   */
  PostgresBodyStore(PostgresDatabase database, Executor executor) {
    this.transactions = new SqlTransactions(database, executor);
  }

  @Override
  public CompletionStage<Void> add(String queue, long upTo, List<Hash> bodies) {
    return transactions.run(
        sql -> {
          sql.update(
              "INSERT INTO executed_body (queue, body) SELECT ?, * FROM unnest(?)"
                  + " ON CONFLICT DO NOTHING",
              queue,
              sql.array("bytea", bodies.stream().map(Hash::toByteArray).toArray(byte[][]::new)));
          sql.raise("executed_body_count", queue, upTo);
          return null;
        });
  }

  @Override
  public CompletionStage<Long> storedUpTo(String queue) {
    return transactions.run(
        sql -> sql.number("SELECT up_to FROM executed_body_count WHERE queue = ?", queue));
  }

  @Override
  public CompletionStage<Boolean> contains(String queue, Hash body) {
    return transactions.run(
        sql ->
            sql.any(
                "SELECT 1 FROM executed_body WHERE queue = ? AND body = ?",
                queue,
                body.toByteArray()));
  }
}
