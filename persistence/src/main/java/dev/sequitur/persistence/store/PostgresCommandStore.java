package dev.sequitur.persistence.store;

import dev.sequitur.persistence.postgres.PostgresDatabase;
import dev.sequitur.protocol.id.Hash;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** The commands that the queues of a node of several JVMs have done, in their database. */
final class PostgresCommandStore implements CommandStore {
  private final SqlTransactions transactions;

  /**
   * @param executor its threads may wait for the database
   */
  PostgresCommandStore(PostgresDatabase database, Executor executor) {
    this.transactions = new SqlTransactions(database, executor);
  }

  @Override
  public CompletionStage<Void> add(String queue, long upTo, Instant at, List<Done> commands) {
    return transactions.run(
        sql -> {
          sql.update(
              "INSERT INTO done_command (queue, id, number, done_at, content)"
                  + " SELECT ?, id, number, ?, content"
                  + " FROM unnest(?, ?, ?) AS done (id, number, content)"
                  + " ON CONFLICT DO NOTHING",
              queue,
              at.toEpochMilli(),
              sql.array("bytea", bytes(commands.stream().map(Done::id).toList())),
              sql.array("bigint", commands.stream().map(Done::number).toArray(Long[]::new)),
              sql.array("bytea", commands.stream().map(Done::content).toArray(byte[][]::new)));
          sql.raise("done_command_count", queue, upTo);
          return null;
        });
  }

  @Override
  public CompletionStage<Map<Hash, byte[]>> find(String queue, Collection<Hash> ids) {
    return transactions.run(
        sql -> {
          var found = new HashMap<Hash, byte[]>();
          sql.all(
              "SELECT id, content FROM done_command WHERE queue = ? AND id = ANY (?)",
              row -> found.put(Hash.of(row.getBytes(1)), row.getBytes(2)),
              queue,
              sql.array("bytea", bytes(ids)));
          return found;
        });
  }

  @Override
  public CompletionStage<Extent> extent(String queue) {
    return transactions.run(sql -> extent(sql, queue));
  }

  private static Extent extent(Sql sql, String queue) throws SQLException {
    long upTo = sql.number("SELECT up_to FROM done_command_count WHERE queue = ?", queue);
    long from =
        sql.one(
                "SELECT number FROM done_command WHERE queue = ? ORDER BY number LIMIT 1",
                row -> row.getLong(1),
                queue)
            .orElse(upTo + 1);
    return new Extent(from, upTo);
  }

  @Override
  public CompletionStage<Extent> forget(String queue, Instant before, int atMost) {
    return transactions.run(
        sql -> {
          sql.update(
              "DELETE FROM done_command WHERE queue = ? AND done_at < ? AND number IN"
                  + " (SELECT number FROM done_command WHERE queue = ? ORDER BY number LIMIT ?)",
              queue,
              before.toEpochMilli(),
              queue,
              atMost);
          return extent(sql, queue);
        });
  }

  private static byte[][] bytes(Collection<Hash> ids) {
    return ids.stream().map(Hash::toByteArray).toArray(byte[][]::new);
  }
}
