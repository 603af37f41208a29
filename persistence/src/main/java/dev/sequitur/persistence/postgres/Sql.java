package dev.sequitur.persistence.postgres;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Statements with their parameters, on one connection. */
public record Sql(Connection connection) {

  /** Makes a value of the row that the cursor stands on. */
  public interface Row<T> {
    T read(ResultSet row) throws SQLException;
  }

  public <T> List<T> all(String query, Row<T> row, Object... parameters) throws SQLException {
    try (var statement = prepared(query, parameters);
        var rows = statement.executeQuery()) {
      var found = new ArrayList<T>();
      while (rows.next()) {
        found.add(row.read(rows));
      }
      return found;
    }
  }

  public <T> Optional<T> one(String query, Row<T> row, Object... parameters) throws SQLException {
    return all(query, row, parameters).stream().findFirst();
  }

  public int update(String statement, Object... parameters) throws SQLException {
    try (var prepared = prepared(statement, parameters)) {
      return prepared.executeUpdate();
    }
  }

  public Array array(String type, Object[] elements) throws SQLException {
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
