package dev.sequitur.persistence.postgres;

import com.typesafe.config.ConfigFactory;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;

/** What a PostgreSQL that somebody else runs must allow, asked before any JVM is started on it. */
public final class ServerLimits {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** The rest is the administrators'. */
  private static final String FOR_USERS =
      "SELECT CAST (current_setting('max_connections') AS integer)"
          + " - CAST (current_setting('superuser_reserved_connections') AS integer)";

  private ServerLimits() {}

  /**
   * Blocks the calling thread.
   *
   * @param jvms that are to run at once, each with the connections that it takes by default
   * @throws DatabaseException with a sentence that says what to do, if the server cannot be
   *     reached, refuses the user, or allows fewer connections than they take
   */
  public static void require(PostgresSettings settings, int jvms) {
    int needed = jvms * ofJvm();
    int allowed = new StartRetries(settings, PATIENCE).run(() -> allowed(settings));
    if (allowed < needed) {
      throw new DatabaseException(
          ("The database %s allows %d connections, and %d JVMs take up to %d: raise max_connections"
                  + " of the server to %d or more, or start fewer JVMs.")
              .formatted(settings.url(), allowed, jvms, needed, needed + ofJvm()));
    }
  }

  private static int ofJvm() {
    return ConfigFactory.defaultReference().getInt(PostgresSettings.SECTION + ".connections");
  }

  private static int allowed(PostgresSettings settings) throws SQLException {
    var properties = settings.driverProperties();
    properties.setProperty("user", settings.user());
    properties.setProperty("password", settings.password());
    try (var connection = DriverManager.getConnection(settings.url(), properties);
        var statement = connection.createStatement();
        var rows = statement.executeQuery(FOR_USERS)) {
      rows.next();
      return rows.getInt(1);
    }
  }
}
