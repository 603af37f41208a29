package dev.sequitur.benchmarks.schedules;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;

/**
 * A database with a pool of connections, as every system here gets it.
 *
 * @param url of PostgreSQL
 */
record Database(String url, String user) {
  /** Enough for every thread of a system that has 50. */
  private static final int CONNECTIONS = 60;

  HikariDataSource pool() {
    var settings = new HikariConfig();
    settings.setJdbcUrl(url);
    settings.setUsername(user);
    settings.setMaximumPoolSize(CONNECTIONS);
    return new HikariDataSource(settings);
  }

  /** Several statements, none of them from outside. */
  static void execute(HikariDataSource pool, String sql) {
    try (var connection = pool.getConnection();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException("The database refuses: " + sql, e);
    }
  }

  static int count(HikariDataSource pool, String sql) {
    try (var connection = pool.getConnection();
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getInt(1);
    } catch (SQLException e) {
      throw new IllegalStateException("The database refuses: " + sql, e);
    }
  }
}
