package dev.sequitur.persistence.store;

import dev.sequitur.persistence.postgres.PostgresDatabase;
import dev.sequitur.persistence.postgres.Sql;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.NodeName;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Whose store a schema is. Two nodes in one schema would be one, and two JVMs of a node with
 * different keys would sign for the same identity differently.
 *
 * @param keys a public key that follows from all the node's keys; the same in each of its JVMs
 * @param jvm which of them this is
 */
public record NodeIdentity(NodeName name, Bytes keys, JvmName jvm) {
  private record Owner(NodeName name, Bytes keys) {}

  /**
   * Of the first to come; afterwards checks that it is the same. Then this JVM is one of those that
   * start, and none that was started at the same place before may write any more.
   *
   * @param shards how many this JVM has
   * @throws IllegalStateException with a sentence that says what to do
   */
  void claim(PostgresDatabase database, NodeShards shards) {
    var unused = database.atStart(connection -> claimed(connection, shards));
  }

  private Owner claimed(Connection connection, NodeShards shards) throws SQLException {
    var sql = new Sql(connection);
    sql.update("LOCK TABLE node IN EXCLUSIVE MODE");
    sql.update(
        "INSERT INTO node (name, keys, shards) SELECT ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM node)",
        name.value(),
        keys.toByteArray(),
        shards.number());
    var owner =
        sql.one(
                "SELECT name, keys FROM node",
                row -> new Owner(new NodeName(row.getString(1)), Bytes.of(row.getBytes(2))))
            .orElseThrow();
    refuseOther(owner);
    shards.agree(jvm, sql);
    WritingJvms.starts(jvm, sql);
    return owner;
  }

  private void refuseOther(Owner owner) {
    if (!owner.name().equals(name)) {
      throw new IllegalStateException(
          "The schema belongs to node %s: give node %s one of its own, by postgresql.schema."
              .formatted(owner.name(), name));
    }
    if (!owner.keys().equals(keys)) {
      throw new IllegalStateException(
          ("The keys of this JVM are not those that node %s was started with: give each of its JVMs"
                  + " the same key seed, by node.key-directory.")
              .formatted(name));
    }
  }
}
