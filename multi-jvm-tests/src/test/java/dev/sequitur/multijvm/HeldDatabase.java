package dev.sequitur.multijvm;

import static org.awaitility.Awaitility.await;

import dev.sequitur.fixture.TestPostgres;
import dev.sequitur.node.network.Parties;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;

/**
 * Keeps a node of several JVMs from writing to a table, as a slow database would, until it is
 * closed.
 */
final class HeldDatabase implements AutoCloseable {
  private static final String WAITING =
      "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = ?::regclass";

  private final Connection connection;
  private String table;

  /**
   * @param schema named like the node
   */
  HeldDatabase(TestPostgres postgres, String schema) throws SQLException {
    var properties = new Properties();
    properties.setProperty("user", postgres.user());
    properties.setProperty("password", postgres.password());
    properties.setProperty("currentSchema", schema);
    connection = DriverManager.getConnection(postgres.url(), properties);
    connection.setAutoCommit(false);
  }

  /** Whoever writes to it from now on waits. */
  void lock(String name) throws SQLException {
    table = name;
    try (var statement = connection.createStatement()) {
      statement.execute("LOCK TABLE " + name + " IN EXCLUSIVE MODE");
    }
  }

  void awaitSomebodyWaiting() {
    await().atMost(Parties.PATIENCE).until(() -> waiting() > 0);
  }

  private long waiting() throws SQLException {
    try (var statement = connection.prepareStatement(WAITING)) {
      statement.setString(1, table);
      try (var rows = statement.executeQuery()) {
        rows.next();
        return rows.getLong(1);
      }
    }
  }

  /** What waited goes on. */
  @Override
  public void close() throws SQLException {
    connection.rollback();
    connection.close();
  }
}
