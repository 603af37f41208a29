package dev.sequitur.persistence.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.sequitur.persistence.map.StoreObserver;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;

/** The connections of one JVM to its node's database. Thread-safe. */
public final class PostgresDatabase implements AutoCloseable {
  private static final long WAIT_MILLIS = 5_000;

  private final HikariDataSource pool;
  private final StartRetries retries;
  private final SchemaVersions versions;
  private volatile StoreObserver observer = StoreObserver.NONE;
  private volatile boolean damaged;

  /**
   * The pool as it is now.
   *
   * @param active connections that somebody has
   * @param idle those that nobody has
   * @param waiting threads that wait for one
   * @param most connections that there may be
   */
  public record Connections(int active, int idle, int waiting, int most) {
    /** Of a node without a database. */
    public static final Connections NONE = new Connections(0, 0, 0, 0);
  }

  /** Work on a connection, on the calling thread, which waits for the database. */
  public interface Work<T> {
    T on(Connection connection) throws SQLException;
  }

  private PostgresDatabase(HikariDataSource pool, StartRetries retries, SchemaVersions versions) {
    this.pool = pool;
    this.retries = retries;
    this.versions = versions;
  }

  /**
   * Connects, and brings the schema to this version. Blocks the calling thread.
   *
   * @param connections at most
   * @param patience how long a server that is slow or not there yet is waited for
   * @throws DatabaseException with a sentence that says what to do
   */
  public static PostgresDatabase open(
      PostgresSettings settings, int connections, Duration patience) {
    var retries = new StartRetries(settings, patience);
    var versions = new SchemaVersions(settings.schema());
    var database =
        new PostgresDatabase(retries.run(() -> pool(settings, connections)), retries, versions);
    try {
      database.atStart(versions::bringUpToDate);
      return database;
    } catch (RuntimeException e) {
      database.close();
      throw e;
    }
  }

  /** The pool would log each failure with its trace, so a connection of our own comes first. */
  private static HikariDataSource pool(PostgresSettings settings, int connections)
      throws SQLException {
    var properties = settings.driverProperties();
    properties.setProperty("user", settings.user());
    properties.setProperty("password", settings.password());
    DriverManager.getConnection(settings.url(), properties).close();
    return new HikariDataSource(config(settings, connections));
  }

  private static HikariConfig config(PostgresSettings settings, int connections) {
    var config = new HikariConfig();
    config.setPoolName("sequitur-" + settings.schema());
    config.setJdbcUrl(settings.url());
    config.setUsername(settings.user());
    config.setPassword(settings.password());
    config.setDataSourceProperties(settings.driverProperties());
    config.setMaximumPoolSize(connections);
    config.setMinimumIdle(1);
    config.setConnectionTimeout(WAIT_MILLIS);
    // Also the most that the first words on a new connection may take: with less, a busy server
    // loses one connection after another.
    config.setValidationTimeout(WAIT_MILLIS);
    config.setAutoCommit(false);
    return config;
  }

  /** In which its tables are. */
  public String schema() {
    return versions.schema();
  }

  /** Asks nobody and takes no lock. */
  public Connections connections() {
    var now = pool.getHikariPoolMXBean();
    return new Connections(
        now.getActiveConnections(),
        now.getIdleConnections(),
        now.getThreadsAwaitingConnection(),
        pool.getMaximumPoolSize());
  }

  /** Who hears of writes from now on, but those of the journal. */
  public void observe(StoreObserver theObserver) {
    observer = theObserver;
  }

  /** Who hears of writes, but those of the journal. */
  public StoreObserver observer() {
    return observer;
  }

  /** Keeps in mind if a failure says that the server has found stored data damaged. */
  private void noteDamage(Throwable failure) {
    damaged |= DatabaseTrouble.of(failure) == DatabaseTrouble.DAMAGED;
  }

  /** What who has a {@link #session} throws. */
  DatabaseException failed(SQLException failure) {
    noteDamage(failure);
    return DatabaseException.of(failure);
  }

  /**
   * Whether anything that the server was asked for was damaged; it stays so until the database is
   * opened anew, since what is lost does not come back by itself.
   */
  public boolean isDamaged() {
    return damaged;
  }

  /**
   * As {@link #transaction}, for what a JVM cannot start without: tries again as long as a start
   * may wait for the database.
   *
   * @param work may be done again although it was stored
   * @throws DatabaseException with a sentence that says what to do
   */
  public <T> T atStart(Work<T> work) {
    return retries.run(() -> transaction(work));
  }

  /**
   * All of it is stored, or nothing. If it throws while committing, either may be the case.
   *
   * @throws SQLException if the database cannot be reached or refuses
   */
  public <T> T transaction(Work<T> work) throws SQLException {
    try (var connection = pool.getConnection()) {
      try {
        T result = work.on(connection);
        connection.commit();
        return result;
      } catch (SQLException | RuntimeException e) {
        noteDamage(e);
        rollBack(connection, e);
        throw e;
      }
    }
  }

  /**
   * Each statement is stored by itself, and costs one round trip.
   *
   * @param work a transaction that it begins it ends
   * @throws SQLException if the database cannot be reached or refuses
   */
  public <T> T inSession(Work<T> work) throws SQLException {
    try (var connection = session()) {
      return work.on(connection);
    } catch (SQLException | RuntimeException e) {
      noteDamage(e);
      throw e;
    }
  }

  /**
   * Work that only one JVM of a node does at a time, outside of any transaction: who comes while
   * another one is at it waits, but not for ever.
   *
   * @param what it is, of all that is done so
   * @throws DatabaseException if the database does not answer, or the other one takes too long
   */
  public void alone(String what, Runnable work) {
    long key = ByteBuffer.wrap(TextHash.of("sequitur alone\n" + schema() + "\n" + what)).getLong();
    try {
      inSession(
          connection -> {
            var sql = new Sql(connection);
            sql.all("SELECT pg_advisory_lock(?) IS NOT NULL", row -> row.getBoolean(1), key);
            try {
              work.run();
            } finally {
              sql.all("SELECT pg_advisory_unlock(?)", row -> row.getBoolean(1), key);
            }
            return null;
          });
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  /**
   * A connection of the pool for as long as the caller wants it, for what lives as long as a
   * session of the server does. Each statement on it is stored by itself. To be closed by the
   * caller, who leaves nothing behind in the session.
   *
   * @throws SQLException if the database cannot be reached, or the pool has none left
   */
  public Connection session() throws SQLException {
    var connection = pool.getConnection();
    try {
      connection.setAutoCommit(true);
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  /**
   * Until the session is closed, or gives its advisory locks back, no newer release raises the
   * schema's disk format: this JVM could not read what that one writes.
   *
   * @param session of {@link #session}
   * @throws DatabaseException with a sentence, if it has been raised since this JVM opened the
   *     database
   * @throws SQLException if the database does not answer
   */
  public void holdFormat(Connection session) throws SQLException {
    versions.holdFormat(session);
  }

  private static void rollBack(Connection connection, Exception cause) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      cause.addSuppressed(e);
    }
  }

  @Override
  public void close() {
    pool.close();
  }
}
