package dev.sequitur.persistence.postgres;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Has PostgreSQL read every row of a node's schema, whole, and changes nothing. */
public final class DatabaseTables {
  private static final int ROWS_AT_ONCE = 200;

  private DatabaseTables() {}

  /**
   * @return what the server said of each table that it could not read; empty if all are whole
   * @throws DatabaseException with a sentence that says what to do, if the database cannot be used
   */
  public static Map<String, String> unreadable(PostgresSettings settings) {
    var properties = settings.driverProperties();
    properties.setProperty("user", settings.user());
    properties.setProperty("password", settings.password());
    // It may take long before the first row of a large table comes.
    properties.setProperty("socketTimeout", "0");
    try (var connection = DriverManager.getConnection(settings.url(), properties)) {
      // Else the driver takes all rows at once.
      connection.setAutoCommit(false);
      var unreadable = new TreeMap<String, String>();
      for (var table : tables(connection, settings.schema())) {
        try {
          readAll(connection, "\"%s\".\"%s\"".formatted(settings.schema(), table));
        } catch (SQLException e) {
          if (DatabaseTrouble.of(e) == DatabaseTrouble.UNREACHABLE) {
            throw e;
          }
          unreadable.put(table, e.getMessage());
        } finally {
          connection.rollback();
        }
      }
      return unreadable;
    } catch (SQLException e) {
      throw new DatabaseException(
          "The database %s %s.".formatted(settings, DatabaseTrouble.of(e).what()), e);
    }
  }

  /** Some rows at a time, with all of each, also what lies apart because it is long. */
  private static void readAll(Connection connection, String table) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.setFetchSize(ROWS_AT_ONCE);
      try (var rows = statement.executeQuery("SELECT * FROM " + table)) {
        while (rows.next()) {
          // That it comes is all that is wanted.
        }
      }
    }
  }

  private static List<String> tables(Connection connection, String schema) throws SQLException {
    try (var statement =
        connection.prepareStatement(
            "SELECT tablename FROM pg_tables WHERE schemaname = ? ORDER BY tablename")) {
      statement.setString(1, schema);
      try (var rows = statement.executeQuery()) {
        var tables = new ArrayList<String>();
        while (rows.next()) {
          tables.add(rows.getString(1));
        }
        return tables;
      }
    }
  }
}
