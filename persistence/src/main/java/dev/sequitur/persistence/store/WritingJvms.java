package dev.sequitur.persistence.store;

import dev.sequitur.persistence.postgres.PostgresDatabase;
import dev.sequitur.persistence.postgres.Sql;
import dev.sequitur.protocol.port.NodeWriters.ClusterView;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Which JVMs of a node may write, in one row. One that has opened the store is starting; once it is
 * a member of the node's cluster it may write; once it was left out it is neither, and never again.
 *
 * <p>A write does not lock the row. It shares a lock that its JVM has to itself, and then looks
 * whether it may ({@code may_write} in the schema). Who leaves a JVM out locks the row, takes that
 * lock alone, and so waits for the writes that have begun; writes of other JVMs go on.
 */
public final class WritingJvms {
  /** Of those that start; the oldest beyond it have died, or must be started again. */
  private static final int MOST_STARTING = 64;

  private WritingJvms() {}

  /** In the place of all that were started where it is. */
  static void starts(JvmName jvm, Sql sql) throws SQLException {
    sql.all(
        "SELECT pg_advisory_xact_lock(writing_lock(jvm)) IS NOT NULL FROM (SELECT jvm FROM node,"
            + " unnest(jvms) AS jvm WHERE starts_with(jvm, ?) ORDER BY jvm) AS before",
        row -> row.getBoolean(1),
        jvm.place());
    sql.update(
        "UPDATE node SET"
            + " jvms = ARRAY (SELECT jvm FROM unnest(jvms) AS jvm WHERE NOT starts_with(jvm, ?)),"
            + " starting = ARRAY (SELECT jvm FROM unnest(starting) WITH ORDINALITY AS s (jvm, at)"
            + " WHERE NOT starts_with(jvm, ?)"
            + " AND at > cardinality(starting) - CAST (? AS integer) ORDER BY at)"
            + " || CAST (? AS text)",
        jvm.place(),
        jvm.place(),
        MOST_STARTING - 1,
        jvm.toString());
  }

  static Set<String> others(JvmName jvm, Sql sql) throws SQLException {
    return new HashSet<>(
        sql.all(
            "SELECT other FROM node, unnest(jvms) AS other WHERE other <> ?",
            row -> row.getString(1),
            jvm.toString()));
  }

  /**
   * Whoever is no member any more may write no more.
   *
   * @return whether it may write now
   * @throws LeftOutException if it is neither starting nor may write
   */
  static boolean enter(JvmName jvm, ClusterView view, Sql sql) throws SQLException {
    var met = sql.array("text", view.met().toArray());
    var present = sql.array("text", view.present().toArray());
    // A statement that waits for the row goes by what the one before has left there.
    Optional<Boolean> isLetIn =
        sql.one(
            "SELECT true FROM node WHERE CAST (? AS text) = ANY (jvms || starting)"
                + " AND (? OR jvms = '{}' OR jvms && ?) FOR UPDATE",
            row -> row.getBoolean(1),
            jvm.toString(),
            view.begun(),
            met);
    if (isLetIn.isEmpty()) {
      if (!isKnown(jvm, sql)) {
        throw new LeftOutException();
      }
      return false;
    }
    sql.all(
        "SELECT pg_advisory_xact_lock(writing_lock(other)) IS NOT NULL FROM (SELECT other FROM node,"
            + " unnest(jvms) AS other WHERE other <> ALL (?) ORDER BY other) AS gone",
        row -> row.getBoolean(1),
        present);
    sql.update(
        "UPDATE node SET"
            + " jvms = ARRAY (SELECT other FROM unnest(jvms) AS other"
            + " WHERE other = ANY (?) AND other <> ?) || CAST (? AS text),"
            + " starting = array_remove(starting, CAST (? AS text))",
        present,
        jvm.toString(),
        jvm.toString(),
        jvm.toString());
    return true;
  }

  static boolean has(JvmName jvm, Sql sql) throws SQLException {
    Optional<Boolean> may =
        sql.one(
            "SELECT CAST (? AS text) = ANY (jvms) FROM node",
            row -> row.getBoolean(1),
            jvm.toString());
    return may.orElseThrow();
  }

  /**
   * Whether a JVM starts or may write: not once it was left out. Waits for the database.
   *
   * @throws SQLException if the database does not answer
   */
  public static boolean isKnown(JvmName jvm, PostgresDatabase database) throws SQLException {
    return database.transaction(connection -> isKnown(jvm, new Sql(connection)));
  }

  private static boolean isKnown(JvmName jvm, Sql sql) throws SQLException {
    Optional<Boolean> known =
        sql.one(
            "SELECT CAST (? AS text) = ANY (jvms || starting) FROM node",
            row -> row.getBoolean(1),
            jvm.toString());
    return known.orElseThrow();
  }

  /**
   * It may write no more, and is let in no more.
   *
   * @param by who says so
   * @return false if that one may not write
   */
  static boolean end(String name, JvmName by, Sql sql) throws SQLException {
    sql.one("SELECT true FROM node FOR UPDATE", row -> row.getBoolean(1));
    sql.one(
        "SELECT pg_advisory_xact_lock(writing_lock(?)) IS NOT NULL",
        row -> row.getBoolean(1),
        name);
    return sql.update(
            "UPDATE node SET jvms = array_remove(jvms, CAST (? AS text)),"
                + " starting = array_remove(starting, CAST (? AS text))"
                + " WHERE CAST (? AS text) = ANY (jvms)",
            name,
            name,
            by.toString())
        > 0;
  }
}
