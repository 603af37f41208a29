package dev.sequitur.persistence.postgres;

import dev.sequitur.persistence.map.Key;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Puts all that a node has kept into an empty schema, in one transaction. */
public final class EntryLoad {
  private static final int ROWS_AT_ONCE = 2_000;
  private static final long BYTES_AT_ONCE = 1 << 20;

  private final Connection connection;
  private final PreparedStatement insert;
  private final List<byte[]> keys = new ArrayList<>();
  private final List<byte[]> values = new ArrayList<>();
  private long bytes;

  private EntryLoad(Connection connection, PreparedStatement insert) {
    this.connection = connection;
    this.insert = insert;
  }

  /**
   * Waits until all is stored, or nothing, and keeps everybody else from writing meanwhile.
   *
   * @param entries hands each to its argument, no key twice; what it throws is thrown
   * @return whether the schema was empty; if not, nothing was done
   * @throws DatabaseException if the database refuses
   */
  public static boolean into(PostgresDatabase database, Consumer<BiConsumer<Key, byte[]>> entries) {
    try {
      return database.transaction(connection -> load(connection, entries));
    } catch (SQLException e) {
      throw DatabaseException.of(e);
    }
  }

  private static boolean load(Connection connection, Consumer<BiConsumer<Key, byte[]>> entries)
      throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute("SET LOCAL idle_in_transaction_session_timeout = '10min'");
      statement.execute("LOCK TABLE entry IN EXCLUSIVE MODE");
      try (var rows = statement.executeQuery("SELECT 1 FROM entry LIMIT 1")) {
        if (rows.next()) {
          return false;
        }
      }
    }
    try (var insert =
        connection.prepareStatement("INSERT INTO entry (key, value) SELECT * FROM unnest(?, ?)")) {
      var load = new EntryLoad(connection, insert);
      entries.accept(load::add);
      load.store();
      return true;
    }
  }

  private void add(Key key, byte[] value) {
    keys.add(key.toByteArray());
    values.add(value);
    bytes += value.length;
    if (keys.size() >= ROWS_AT_ONCE || bytes >= BYTES_AT_ONCE) {
      store();
    }
  }

  private void store() {
    try {
      insert.setArray(1, connection.createArrayOf("bytea", keys.toArray(byte[][]::new)));
      insert.setArray(2, connection.createArrayOf("bytea", values.toArray(byte[][]::new)));
      insert.executeUpdate();
    } catch (SQLException e) {
      throw DatabaseException.of(e);
    }
    keys.clear();
    values.clear();
    bytes = 0;
  }
}
