package dev.sequitur.multijvm;

import static org.awaitility.Awaitility.await;

import dev.sequitur.fixture.TestPostgres;
import dev.sequitur.node.network.Parties;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;

/**
 * Keeps a node of several JVMs from writing to a table, or events to its journal, as a slow
 * database would, until it is closed.
 */
final class HeldDatabase implements AutoCloseable {
  /** Any number that nobody else uses for an advisory lock. */
  private static final long TURNS = 4711;

  private static final String WAITING_FOR_TABLE =
      "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = '%s'::regclass";
  private static final String WAITING_FOR_TURN =
      "SELECT count(*) FROM pg_locks WHERE NOT granted AND locktype = 'advisory' AND objid = "
          + TURNS;

  private final Connection connection;
  private String waiting;

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
    waiting = WAITING_FOR_TABLE.formatted(name);
    execute("LOCK TABLE " + name + " IN EXCLUSIVE MODE");
  }

  /** Whoever writes an event from now on waits; all else that the node keeps is written. */
  void holdEvents() throws SQLException {
    waiting = WAITING_FOR_TURN;
    execute(
        """
        CREATE OR REPLACE FUNCTION wait_for_turn() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          PERFORM pg_advisory_xact_lock_shared(%d);
          RETURN new;
        END $$
        """
            .formatted(TURNS));
    execute(
        "CREATE OR REPLACE TRIGGER events_wait BEFORE INSERT ON entry FOR EACH ROW"
            + " WHEN (get_byte(new.key, 0) = 1) EXECUTE FUNCTION wait_for_turn()");
    connection.commit();
    execute("SELECT pg_advisory_xact_lock(" + TURNS + ")");
  }

  private void execute(String what) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(what);
    }
  }

  void awaitSomebodyWaiting() {
    await().atMost(Parties.PATIENCE).until(() -> waiting() > 0);
  }

  private long waiting() throws SQLException {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery(waiting)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  /** What waited goes on. */
  @Override
  public void close() throws SQLException {
    connection.rollback();
    connection.close();
  }
}
