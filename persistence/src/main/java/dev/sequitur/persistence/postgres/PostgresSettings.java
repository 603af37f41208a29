package dev.sequitur.persistence.postgres;

import com.typesafe.config.Config;
import java.util.Properties;
import java.util.regex.Pattern;

/**
 * Where a node keeps what its JVMs share.
 *
 * @param url {@code jdbc:postgresql://host:port/database}
 * @param schema made at the first start; of one node alone
 */
public record PostgresSettings(String url, String user, String password, String schema) {
  /** Of {@link Config}s. */
  static final String SECTION = "sequitur.persistence.postgresql";

  private static final Pattern SCHEMA = Pattern.compile("[a-z_][a-z0-9_]{0,62}");

  public PostgresSettings {
    if (!url.startsWith("jdbc:postgresql:")) {
      throw new IllegalArgumentException(
          "The database is given as jdbc:postgresql://host:port/database, not '" + url + "'.");
    }
    if (!SCHEMA.matcher(schema).matches()) {
      throw new IllegalArgumentException(
          "A schema's name is 1 to 63 small letters, digits or '_', not '" + schema + "'.");
    }
  }

  /** Reads the section {@value #SECTION} of a whole configuration. */
  public static PostgresSettings from(Config config) {
    Config section = config.getConfig(SECTION);
    return new PostgresSettings(
        section.getString("url"),
        section.getString("user"),
        section.getString("password"),
        section.getString("schema"));
  }

  /**
   * For the driver: a server that no longer answers must not hold a thread for ever; and a JVM that
   * stands still in the middle of a write must not keep what it has locked from the others.
   */
  Properties driverProperties() {
    var properties = new Properties();
    properties.setProperty("currentSchema", schema);
    properties.setProperty("ApplicationName", "sequitur");
    properties.setProperty("connectTimeout", "5");
    properties.setProperty("socketTimeout", "20");
    properties.setProperty("options", "-c idle_in_transaction_session_timeout=5s");
    properties.setProperty("reWriteBatchedInserts", "true");
    return properties;
  }

  /** Without the password, which must not reach a log. */
  @Override
  public String toString() {
    return url + ", schema " + schema;
  }
}
