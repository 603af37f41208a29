package dev.sequitur.multijvm;

import static org.awaitility.Awaitility.await;

import dev.sequitur.fixture.TestPostgres;
import dev.sequitur.node.network.Parties;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;

/**
 * Keeps a node of several JVMs from storing one kind of row, as a slow database would, until it is
 * closed. Whoever waits has such a row to write, and nobody waits for another reason.
 */
final class HeldDatabase implements AutoCloseable {
  /** Any number that nobody else uses for an advisory lock. */
  private static final long TURNS = 4711;

  private static final String WAITING =
      "SELECT count(*) FROM pg_locks WHERE NOT granted AND locktype = 'advisory' AND objid = "
          + TURNS;

  /** Intents lie in the first region of the node store. */
  private static final String IS_AN_INTENT =
      "get_byte(new.key, 0) = 16 AND get_byte(new.key, 1) = 1";

  /** An event's key has whose it is after two bytes of length. */
  private static final String IS_OF_A_SUBMITTER =
      "get_byte(new.key, 0) = 1 AND substring(new.key FROM 4 FOR 10) = 'submitter|'::bytea";

  private final Connection connection;

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

  /** Whoever stores an intent from now on waits; all else that the node keeps is written. */
  void holdIntents() throws SQLException {
    hold("intents_wait", IS_AN_INTENT);
  }

  /** The same of what a submitter has to send to the ledger. */
  void holdDispatches() throws SQLException {
    hold("dispatches_wait", IS_OF_A_SUBMITTER);
  }

  private void hold(String trigger, String row) throws SQLException {
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
        "CREATE OR REPLACE TRIGGER %s BEFORE INSERT ON entry FOR EACH ROW WHEN (%s) EXECUTE FUNCTION wait_for_turn()"
            .formatted(trigger, row));
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
        var rows = statement.executeQuery(WAITING)) {
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
