package dev.sequitur.persistence.store;

import dev.sequitur.persistence.postgres.PostgresDatabase;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** The cells of a node of several JVMs, in the database that they share. */
public final class PostgresCellStore implements CellStore {
  private static final int ROWS_AT_ONCE = 5_000;

  private final SqlTransactions transactions;

  /**
   * @param executor its threads may wait for the database
   */
  public PostgresCellStore(PostgresDatabase database, Executor executor) {
    this.transactions = new SqlTransactions(database, executor);
  }

  /**
   * One statement sees one checkpoint, whatever is written meanwhile. A stream that was ever
   * written has cells; if it has none, its version was read before.
   */
  @Override
  public <T> CompletionStage<T> load(String stream, Supplier<? extends Visitor<T>> visitor) {
    return transactions.run(
        sql -> {
          var taking = visitor.get();
          long version = sql.number("SELECT version FROM cell_version WHERE stream = ?", stream);
          try (var query =
              sql.connection()
                  .prepareStatement(
                      "SELECT key, content,"
                          + " coalesce((SELECT version FROM cell_version WHERE stream = ?), 0)"
                          + " FROM cell WHERE stream = ? ORDER BY key")) {
            query.setFetchSize(ROWS_AT_ONCE);
            query.setString(1, stream);
            query.setString(2, stream);
            try (var rows = query.executeQuery()) {
              while (rows.next()) {
                taking.visit(rows.getBytes(1), rows.getBytes(2));
                version = rows.getLong(3);
              }
            }
          }
          return taking.finish(version);
        });
  }

  @Override
  public CompletionStage<Boolean> write(String stream, Change change) {
    return transactions.run(
        sql -> {
          if (!claim(sql, stream, change)) {
            return false;
          }
          for (var some : inParts(change.removed())) {
            sql.update(
                "DELETE FROM cell WHERE stream = ? AND key = ANY (?)",
                stream,
                sql.array("bytea", some.toArray(byte[][]::new)));
          }
          for (var some : inParts(change.cells())) {
            sql.update(
                "INSERT INTO cell (stream, key, content) SELECT ?, * FROM unnest(?, ?)"
                    + " ON CONFLICT (stream, key) DO UPDATE SET content = excluded.content",
                stream,
                sql.array("bytea", some.stream().map(Cell::key).toArray(byte[][]::new)),
                sql.array("bytea", some.stream().map(Cell::value).toArray(byte[][]::new)));
          }
          return true;
        });
  }

  /** The version's row is what two writers meet at. */
  private static boolean claim(Sql sql, String stream, Change change) throws SQLException {
    return change.from() == 0
        ? sql.update(
                "INSERT INTO cell_version (stream, version) VALUES (?, ?) ON CONFLICT DO NOTHING",
                stream,
                change.to())
            == 1
        : sql.update(
                "UPDATE cell_version SET version = ? WHERE stream = ? AND version = ?",
                change.to(),
                stream,
                change.from())
            == 1;
  }

  private static <T> List<List<T>> inParts(List<T> all) {
    var parts = new ArrayList<List<T>>();
    for (int from = 0; from < all.size(); from += ROWS_AT_ONCE) {
      parts.add(all.subList(from, Math.min(all.size(), from + ROWS_AT_ONCE)));
    }
    return parts;
  }
}
