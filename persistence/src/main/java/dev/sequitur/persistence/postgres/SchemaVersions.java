package dev.sequitur.persistence.postgres;

import dev.sequitur.persistence.serialization.DiskFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Brings a schema to the version of this program: numbered files, each applied once, all in one
 * transaction. The JVMs of a node that start at the same time do it one after another. A file that
 * was released is never changed; what comes next is a new one.
 */
final class SchemaVersions {
  private static final List<String> FILES =
      List.of(
          "V1__node_store_and_journal.sql",
          "V2__cells.sql",
          "V3__executed_bodies.sql",
          "V4__jvms.sql",
          "V5__starting_jvms.sql",
          "V6__executed_body_counts.sql",
          "V7__done_commands.sql",
          "V8__public_transactions.sql",
          "V9__public_receipts.sql",
          "V10__disk_format.sql",
          "V11__abis.sql");

  /** Any number that nobody else uses for an advisory lock in this database. */
  private static final long LOCK = 0x5e9017_0a11L;

  private final String schema;
  private final DiskFormat format;

  SchemaVersions(String schema) {
    this(schema, DiskFormat.OURS);
  }

  SchemaVersions(String schema, DiskFormat format) {
    this.schema = schema;
    this.format = format;
  }

  /**
   * @return the version that the schema has now
   * @throws DatabaseException if a newer program has been here, or one whose data are not read
   */
  int bringUpToDate(Connection connection) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute("SELECT pg_advisory_xact_lock(" + LOCK + ")");
      if (!exists(connection)) {
        statement.execute("CREATE SCHEMA \"" + schema + "\"");
      }
      statement.execute(
          "CREATE TABLE IF NOT EXISTS schema_version"
              + " (version integer PRIMARY KEY, applied timestamptz NOT NULL DEFAULT now())");
      int version = version(connection);
      if (version > FILES.size()) {
        throw new DatabaseException(
            ("The schema %s has version %d, made by a newer Sequitur; this one knows versions up to"
                    + " %d: run the newer one.")
                .formatted(schema, version, FILES.size()));
      }
      for (int next = version + 1; next <= FILES.size(); next++) {
        statement.execute(content(FILES.get(next - 1)));
        statement.execute("INSERT INTO schema_version (version) VALUES (" + next + ")");
      }
      checkFormat(connection, version == 0);
      return FILES.size();
    }
  }

  /** Asked first: a user who may not create schemas may still use one that is there. */
  private boolean exists(Connection connection) throws SQLException {
    try (var query =
        connection.prepareStatement("SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = ?")) {
      query.setString(1, schema);
      try (var rows = query.executeQuery()) {
        return rows.next();
      }
    }
  }

  private void checkFormat(Connection connection, boolean isNew) throws SQLException {
    int found = isNew ? format.current() : number(connection, "SELECT format FROM disk_format");
    var refusal = format.refusal("The schema " + schema, found);
    if (refusal.isPresent()) {
      throw new DatabaseException(refusal.get());
    }
    if (isNew || found < format.current()) {
      try (var statement = connection.createStatement()) {
        statement.execute("UPDATE disk_format SET format = " + format.current());
      }
    }
  }

  private static int version(Connection connection) throws SQLException {
    return number(connection, "SELECT coalesce(max(version), 0) FROM schema_version");
  }

  private static int number(Connection connection, String question) throws SQLException {
    try (var query = connection.prepareStatement(question);
        var rows = query.executeQuery()) {
      rows.next();
      return rows.getInt(1);
    }
  }

  private static String content(String file) {
    try (var in = SchemaVersions.class.getResourceAsStream(file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("The file " + file + " is missing from the program.", e);
    }
  }
}
