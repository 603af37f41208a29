package dev.sequitur.persistence.store;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Statements with their parameters, on one connection. */
record Sql(Connection connection) {

  /** Makes a value of the row that the cursor stands on. */
  interface Row<T> {
    T read(ResultSet row) throws SQLException;
  }

  <T> List<T> all(String query, Row<T> row, Object... parameters) throws SQLException {
    try (var statement = prepared(query, parameters);
        var rows = statement.executeQuery()) {
      var found = new ArrayList<T>();
      while (rows.next()) {
        found.add(row.read(rows));
      }
      return found;
    }
  }

  <T> Optional<T> one(String query, Row<T> row, Object... parameters) throws SQLException {
    return all(query, row, parameters).stream().findFirst();
  }

  /** A number that a query answers; 0 if it answers none. */
  long number(String query, Object... parameters) throws SQLException {
    return one(query, row -> row.getLong(1), parameters).orElse(0L);
  }

  boolean any(String query, Object... parameters) throws SQLException {
    return one(query, row -> true, parameters).isPresent();
  }

  int update(String statement, Object... parameters) throws SQLException {
    try (var prepared = prepared(statement, parameters)) {
      return prepared.executeUpdate();
    }
  }

  /**
   * Has a queue counted up to a number, or further if it is already.
   *
   * @param counts the table of such counts
   */
  void raise(String counts, String queue, long upTo) throws SQLException {
    update(
        "INSERT INTO "
            + counts
            + " AS known (queue, up_to) VALUES (?, ?) ON CONFLICT (queue) DO UPDATE"
            + " SET up_to = greatest(known.up_to, excluded.up_to)",
        queue,
        upTo);
  }

  void insertAll(String statement, List<Object[]> rows) throws SQLException {
    if (rows.isEmpty()) {
      return;
    }
    try (var prepared = connection.prepareStatement(statement)) {
      for (var row : rows) {
        set(prepared, row);
        prepared.addBatch();
      }
      prepared.executeBatch();
    }
  }

  Array array(String type, Object[] elements) throws SQLException {
    return connection.createArrayOf(type, elements);
  }

  private PreparedStatement prepared(String statement, Object... parameters) throws SQLException {
    var prepared = connection.prepareStatement(statement);
    try {
      set(prepared, parameters);
      return prepared;
    } catch (SQLException e) {
      prepared.close();
      throw e;
    }
  }

  private static void set(PreparedStatement prepared, Object... parameters) throws SQLException {
    for (int i = 0; i < parameters.length; i++) {
      if (parameters[i] instanceof byte[] bytes) {
        prepared.setBytes(i + 1, bytes);
      } else {
        prepared.setObject(i + 1, parameters[i]);
      }
    }
  }
}
