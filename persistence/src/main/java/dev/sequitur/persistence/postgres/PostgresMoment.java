package dev.sequitur.persistence.postgres;

import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeyRange;
import dev.sequitur.persistence.map.OrderedMap.Visitor;
import dev.sequitur.persistence.map.StoredMoment;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * That of a node with a database: a transaction that only reads and has one snapshot. It locks
 * nothing that a writer wants; until it ends the server cannot give back the room of what was
 * replaced meanwhile.
 */
public final class PostgresMoment implements StoredMoment {
  /** So few that the server goes by the index, and that they fit into memory. */
  private static final int ROWS_AT_ONCE = 500;

  private final PostgresDatabase database;
  private final Connection connection;

  private PostgresMoment(PostgresDatabase database, Connection connection) {
    this.database = database;
    this.connection = connection;
  }

  /**
   * Waits for the database.
   *
   * @return to be closed; it has one of the pool's connections until then
   * @throws DatabaseException if the database can't be asked
   */
  public static StoredMoment of(PostgresDatabase database) {
    try {
      var connection = database.session();
      try {
        connection.setAutoCommit(false);
        try (var statement = connection.createStatement()) {
          statement.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
          // Who reads slowly, so as not to disturb, holds up no writer.
          statement.execute("SET LOCAL idle_in_transaction_session_timeout = '10min'");
          // The first query is the moment.
          statement.execute("SELECT format FROM disk_format");
        }
        return new PostgresMoment(database, connection);
      } catch (SQLException e) {
        connection.close();
        throw e;
      }
    } catch (SQLException e) {
      throw DatabaseException.of(e);
    }
  }

  @Override
  public void scan(KeyRange range, Visitor visitor) {
    var rest = range;
    var last = new AtomicReference<Key>();
    try {
      while (!rest.isEmpty()) {
        int visited =
            new EntryTable(connection)
                .first(
                    rest,
                    ROWS_AT_ONCE,
                    (key, value) -> {
                      last.set(key);
                      return visitor.visit(key, value);
                    });
        if (visited < ROWS_AT_ONCE) {
          return;
        }
        rest = new KeyRange(last.get().octet(0), range.until());
      }
    } catch (SQLException e) {
      throw database.failed(e);
    }
  }

  @Override
  public void close() {
    try (var closed = connection) {
      closed.rollback();
    } catch (SQLException e) {
      // The server ends what it was asked for together with the connection.
      throw DatabaseException.of(e);
    }
  }
}
