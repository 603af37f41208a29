package dev.sequitur.cluster.downing;

import akka.actor.Address;
import dev.sequitur.persistence.postgres.DatabaseException;
import dev.sequitur.persistence.postgres.PostgresDatabase;
import dev.sequitur.persistence.postgres.TextHash;
import dev.sequitur.persistence.store.JvmName;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;

/**
 * The marks by which the JVMs of a node show each other in their database that they live. A mark is
 * an advisory lock of a session that a JVM keeps open: when its process ends, however it ends, the
 * server sees the session close and takes the mark away. Only where the machine of a JVM or the
 * network has gone without a word does the mark stay until the server notices, which may take
 * hours.
 *
 * <p>By marks of another kind each shows with whom its cluster reckons, so that a JVM that is back
 * at the place of one that has died knows when the others have done with that one. While a JVM has
 * its marks, no newer release raises the disk format under it.
 *
 * <p>Thread-safe; each call waits for the database.
 */
final class LifeMarks implements AutoCloseable {
  /**
   * Shared, so that it is never waited for: whoever is at a place later takes it beside the old.
   */
  private static final String TAKE = "SELECT pg_advisory_lock_shared(?)";

  private static final String GIVE_BACK = "SELECT pg_advisory_unlock_shared(?)";

  private static final String HELD =
      "SELECT DISTINCT pid = pg_backend_pid(), (CAST (classid AS bigint) << 32) | CAST (objid AS bigint) FROM pg_locks"
          + " WHERE locktype = 'advisory' AND objsubid = 1 AND granted"
          + " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";

  private final PostgresDatabase database;
  private final String schema;
  private final JvmName self;
  private Connection session;
  private Set<Address> reckoned = Set.of();

  /**
   * Who has a mark at one moment.
   *
   * @param others those of them that a session of another JVM has
   */
  record Marked(String schema, Set<Long> keys, Set<Long> others) {
    Marked {
      keys = Set.copyOf(keys);
      others = Set.copyOf(others);
    }

    /** Whether the session of that JVM is open. */
    boolean has(JvmName jvm) {
      return has(jvm.toString());
    }

    /** As {@link #has(JvmName)}, by what {@link JvmName} is written as. */
    boolean has(String jvm) {
      return keys.contains(key(schema, jvm));
    }

    /** Whether any process that was started where that JVM is, or was, has its session open. */
    boolean hasAnyAtThePlaceOf(JvmName jvm) {
      return keys.contains(key(schema, jvm.place()));
    }

    /** Whether the cluster of another JVM reckons with one at that address. */
    boolean isReckonedWith(Address address) {
      return others.contains(reckonedKey(schema, address));
    }
  }

  /**
   * @param schema of the node; nodes that share a database don't see each other's marks
   * @param self whose marks are taken, with the first look
   */
  LifeMarks(PostgresDatabase database, String schema, JvmName self) {
    this.database = database;
    this.schema = schema;
    this.self = self;
  }

  /**
   * Takes the own marks if they are not held, and reads all.
   *
   * @param reckonedWith where the cluster of this JVM reckons with others
   * @throws SQLException if the database does not answer; the marks are taken again at the next
   *     look
   * @throws DatabaseException if a newer release has raised the disk format while none were held
   */
  synchronized Marked look(Set<Address> reckonedWith) throws SQLException {
    try {
      if (session == null) {
        begin();
      }
      reckon(reckonedWith);
      return marked();
    } catch (SQLException | RuntimeException e) {
      end();
      throw e;
    }
  }

  /** Reads all, without a change of the own ones. */
  synchronized Marked now() throws SQLException {
    return look(reckoned);
  }

  private void begin() throws SQLException {
    session = database.session();
    reckoned = Set.of();
    database.holdFormat(session);
    change(TAKE, key(schema, self.toString()));
    change(TAKE, key(schema, self.place()));
  }

  private void reckon(Set<Address> with) throws SQLException {
    for (var address : with) {
      if (!reckoned.contains(address)) {
        change(TAKE, reckonedKey(schema, address));
      }
    }
    for (var address : reckoned) {
      if (!with.contains(address)) {
        change(GIVE_BACK, reckonedKey(schema, address));
      }
    }
    reckoned = Set.copyOf(with);
  }

  private void change(String statement, long key) throws SQLException {
    try (var changing = session.prepareStatement(statement)) {
      changing.setLong(1, key);
      changing.executeQuery().close();
    }
  }

  private Marked marked() throws SQLException {
    var keys = new HashSet<Long>();
    var others = new HashSet<Long>();
    try (var reading = session.prepareStatement(HELD);
        var rows = reading.executeQuery()) {
      while (rows.next()) {
        keys.add(rows.getLong(2));
        if (!rows.getBoolean(1)) {
          others.add(rows.getLong(2));
        }
      }
    }
    return new Marked(schema, keys, others);
  }

  private void end() {
    if (session != null) {
      try (var ended = session) {
        ended.createStatement().execute("SELECT pg_advisory_unlock_all()");
      } catch (SQLException e) {
        // The session is broken: its marks have gone with it, and the pool throws it away.
      } finally {
        session = null;
      }
    }
  }

  /** Takes the own marks away. */
  @Override
  public synchronized void close() {
    end();
  }

  private static long reckonedKey(String schema, Address address) {
    return key(schema, "reckoned with " + address);
  }

  private static long key(String schema, String what) {
    return ByteBuffer.wrap(TextHash.of("sequitur life mark\n" + schema + "\n" + what)).getLong();
  }
}
