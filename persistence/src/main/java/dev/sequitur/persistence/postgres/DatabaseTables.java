package dev.sequitur.persistence.postgres;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.postgresql.PGConnection;

/** Has PostgreSQL read every row of a node's schema, whole, and changes nothing. */
public final class DatabaseTables {
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
      var unreadable = new TreeMap<String, String>();
      for (var table : tables(connection, settings.schema())) {
        try {
          connection
              .unwrap(PGConnection.class)
              .getCopyAPI()
              .copyOut(
                  "COPY \"%s\".\"%s\" TO STDOUT".formatted(settings.schema(), table),
                  OutputStream.nullOutputStream());
        } catch (SQLException e) {
          if (DatabaseTrouble.of(e) == DatabaseTrouble.UNREACHABLE) {
            throw e;
          }
          unreadable.put(table, e.getMessage());
        }
      }
      return unreadable;
    } catch (SQLException e) {
      throw new DatabaseException(
          "The database %s %s.".formatted(settings, DatabaseTrouble.of(e).what()), e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
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
