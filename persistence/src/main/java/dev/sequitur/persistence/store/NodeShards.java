package dev.sequitur.persistence.store;

import dev.sequitur.persistence.postgres.Sql;
import dev.sequitur.protocol.placement.ShardNumber;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Predicate;

/**
 * How many shards a JVM has of each kind of entity, as it says when it claims its node's store. It
 * stands in the node's row: JVMs with different numbers would start an entity in two of them.
 *
 * @param number that the JVM is configured with
 * @param runs whether a JVM, by its name, is a process that runs; asked only where it decides. One
 *     that was wrongly taken for ended may store nothing any more, as any that was left out.
 */
public record NodeShards(int number, Predicate<String> runs) {
  /** Of a node that nobody has said anything else of. */
  public static final NodeShards USUAL = new NodeShards(ShardNumber.USUAL, jvm -> true);

  /**
   * The node has this number from then on. Within the transaction that has the node's row to
   * itself.
   *
   * @param jvm that says so, not yet one of those that start
   * @throws IllegalStateException with a sentence that says what to do, if other JVMs of the node
   *     run with another number
   */
  void agree(JvmName jvm, Sql sql) throws SQLException {
    int known = sql.one("SELECT shards FROM node", row -> row.getInt(1)).orElseThrow();
    if (known != number) {
      refuse(known, others(jvm, sql));
      sql.all(
          "SELECT pg_advisory_xact_lock(writing_lock(jvm)) IS NOT NULL FROM"
              + " (SELECT jvm FROM node, unnest(jvms) AS jvm ORDER BY jvm) AS ended",
          row -> row.getBoolean(1));
      sql.update("UPDATE node SET shards = ?, jvms = '{}', starting = '{}'", number);
    }
  }

  private void refuse(int known, List<String> others) {
    var running = others.stream().filter(runs).toList();
    ShardNumber.refusal(number, known, running)
        .ifPresent(
            sentence -> {
              throw new IllegalStateException(sentence);
            });
  }

  /** Who may write, or is about to; not those that were started where this one is. */
  private static List<String> others(JvmName jvm, Sql sql) throws SQLException {
    return sql.all(
        "SELECT other FROM node, unnest(jvms || starting) AS other WHERE NOT starts_with(other, ?)",
        row -> row.getString(1),
        jvm.place());
  }
}
