package dev.sequitur.persistence.postgres;

import dev.sequitur.persistence.serialization.DiskFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.TreeSet;

/**
 * Brings a schema to the version of this program: numbered files, each applied once, all in one
 * transaction. The JVMs of a node that start at the same time do it one after another. A file that
 * was released is never changed; what comes next is a new one.
 */
final class SchemaVersions {
  private static final List<String> FILES = List.of("V26__one_map.sql");

  /** That of the first file; what versions before it made is not read any more. */
  private static final int FIRST = 26;

  private static final int LAST = FIRST + FILES.size() - 1;

  /** The first that says its disk format. */
  private static final int FIRST_WITH_FORMAT = 10;

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

  String schema() {
    return schema;
  }

  /**
   * @return the version that the schema has now
   * @throws DatabaseException if a newer program has been here, or one whose data are not read, or
   *     if the disk format is to be raised while a JVM holds it
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
      if (version > LAST) {
        throw new DatabaseException(
            ("The schema %s has version %d, made by a newer Sequitur; this one knows versions up to"
                    + " %d: run the newer one.")
                .formatted(schema, version, LAST));
      }
      if (version > 0 && version < FIRST) {
        refuse(formatOf(version, connection));
      }
      for (int next = Math.max(version + 1, FIRST); next <= LAST; next++) {
        statement.execute(content(FILES.get(next - FIRST)));
        statement.execute("INSERT INTO schema_version (version) VALUES (" + next + ")");
      }
      checkFormat(connection, version == 0);
      return LAST;
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

  private static int formatOf(int version, Connection connection) throws SQLException {
    return version < FIRST_WITH_FORMAT
        ? DiskFormat.UNRELEASED
        : number(connection, "SELECT format FROM disk_format");
  }

  /** Unless it is read. */
  private void refuse(int found) {
    var refusal = format.refusal("The schema " + schema, found);
    if (refusal.isPresent()) {
      throw new DatabaseException(refusal.get());
    }
  }

  private void checkFormat(Connection connection, boolean isNew) throws SQLException {
    int found = isNew ? format.current() : number(connection, "SELECT format FROM disk_format");
    refuse(found);
    if (!isNew && found < format.current()) {
      checkThatNobodyHolds(found, connection);
    }
    if (isNew || found < format.current()) {
      execute(connection, "UPDATE disk_format SET format = " + format.current());
    }
  }

  /**
   * Until the session is closed nobody raises the schema's disk format: the JVM whose session it is
   * could not read what a newer release writes.
   *
   * @throws DatabaseException if it has been raised already
   */
  void holdFormat(Connection session) throws SQLException {
    execute(session, "SELECT pg_advisory_lock_shared(" + holdersKey() + ")");
    var refusal =
        format.refusal("The schema " + schema, number(session, "SELECT format FROM disk_format"));
    if (refusal.isPresent()) {
      execute(session, "SELECT pg_advisory_unlock_shared(" + holdersKey() + ")");
      throw new DatabaseException(refusal.get());
    }
  }

  private void checkThatNobodyHolds(int found, Connection connection) throws SQLException {
    long key = holdersKey();
    if (number(connection, "SELECT pg_try_advisory_xact_lock(" + key + ")::integer") == 0) {
      throw new DatabaseException(
          ("The schema %s has disk format %d, and this Sequitur would raise it to %d while JVMs of a"
                  + " release that cannot read that run on it (%s): stop all JVMs of the node, then"
                  + " start this one.")
              .formatted(schema, found, format.current(), holders(key, connection)));
    }
  }

  /** Where they are, as the server sees them. */
  private static String holders(long key, Connection connection) throws SQLException {
    var places = new TreeSet<String>();
    try (var query =
            connection.prepareStatement(
                "SELECT coalesce(host(client_addr), 'on its own machine') FROM pg_stat_activity"
                    + " WHERE pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory'"
                    + " AND objsubid = 1 AND granted AND pid <> pg_backend_pid()"
                    + " AND (CAST (classid AS bigint) << 32) | CAST (objid AS bigint) = "
                    + key
                    + ")");
        var rows = query.executeQuery()) {
      while (rows.next()) {
        places.add(rows.getString(1));
      }
    }
    return "connected from " + String.join(", ", places);
  }

  private long holdersKey() {
    return ByteBuffer.wrap(TextHash.of("sequitur disk format\n" + schema)).getLong();
  }

  private static void execute(Connection connection, String what) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(what);
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
