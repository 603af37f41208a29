package dev.sequitur.cluster.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;

/** The connections of one JVM to its node's database, besides those of the journal. Thread-safe. */
public final class PostgresDatabase implements AutoCloseable {
  private static final long WAIT_MILLIS = 5_000;

  private final HikariDataSource pool;

  /** Work on a connection, on the calling thread, which waits for the database. */
  public interface Work<T> {
    T on(Connection connection) throws SQLException;
  }

  private PostgresDatabase(HikariDataSource pool) {
    this.pool = pool;
  }

  /**
   * Connects, and brings the schema to this version.
   *
   * @param connections at most
   * @throws DatabaseException with a sentence that says what to do
   */
  public static PostgresDatabase open(PostgresSettings settings, int connections) {
    var config = new HikariConfig();
    config.setPoolName("sequitur-node-store-" + settings.schema());
    config.setJdbcUrl(settings.url());
    config.setUsername(settings.user());
    config.setPassword(settings.password());
    config.setDataSourceProperties(settings.driverProperties());
    config.setMaximumPoolSize(connections);
    config.setMinimumIdle(1);
    config.setConnectionTimeout(WAIT_MILLIS);
    config.setValidationTimeout(WAIT_MILLIS / 2);
    config.setAutoCommit(false);
    HikariDataSource pool;
    try {
      pool = new HikariDataSource(config);
    } catch (HikariPool.PoolInitializationException e) {
      throw refused(settings, e);
    }
    var database = new PostgresDatabase(pool);
    try {
      database.transaction(new SchemaVersions(settings.schema())::bringUpToDate);
      return database;
    } catch (SQLException e) {
      database.close();
      throw refused(settings, e);
    } catch (RuntimeException e) {
      database.close();
      throw e;
    }
  }

  private static DatabaseException refused(PostgresSettings settings, Exception failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    String state = failure.getCause() instanceof SQLException sql ? sql.getSQLState() : "";
    if (failure instanceof SQLException sql) {
      state = sql.getSQLState();
    }
    String what =
        switch (state == null || state.length() < 2 ? "" : state.substring(0, 2)) {
          case "08" -> "cannot be reached: start PostgreSQL there, or correct postgresql.url";
          case "28" -> "refuses the user: correct postgresql.user and postgresql.password";
          case "3D" -> "does not exist: create the database";
          case "42" -> "may not be changed: let the user create the schema and tables in it";
          default -> "cannot be used";
        };
    return new DatabaseException(
        "The database %s %s (%s).".formatted(settings, what, oneLine(cause)), failure);
  }

  private static String oneLine(Throwable cause) {
    var message = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
    return message.isBlank() ? cause.getClass().getSimpleName().toLowerCase(Locale.ROOT) : message;
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
        rollBack(connection, e);
        throw e;
      }
    }
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
