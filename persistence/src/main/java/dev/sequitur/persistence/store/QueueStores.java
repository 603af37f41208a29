package dev.sequitur.persistence.store;

import dev.sequitur.persistence.encryption.Encryption;
import dev.sequitur.persistence.leveldb.LevelDb;
import dev.sequitur.persistence.leveldb.LevelDbMap;
import dev.sequitur.persistence.map.OrderedMap;
import dev.sequitur.persistence.postgres.PostgresDatabase;
import dev.sequitur.persistence.postgres.PostgresMap;
import java.util.concurrent.Executor;

/**
 * What the schedule queues of a node keep beside their journal; the same stores in all JVMs of the
 * node, so that it moves with the queue.
 *
 * @param cells where checkpoints lie
 * @param bodies what was executed and must not be again
 * @param commands that were done and have left memory
 * @param outcomes that have left memory
 */
public record QueueStores(
    CellStore cells, BodyStore bodies, CommandStore commands, OutcomeStore outcomes) {
  /**
   * Of a node that is one JVM.
   *
   * @param levelDb that of its checkpoints, which is as durable as that of its events
   * @param executor its threads may wait for the disk
   */
  public static QueueStores in(LevelDb levelDb, Executor executor) {
    return in(levelDb, Encryption.NONE, executor);
  }

  /**
   * The same.
   *
   * @param encryption of what the directory has
   */
  public static QueueStores in(LevelDb levelDb, Encryption encryption, Executor executor) {
    return in(encryption.over(new LevelDbMap(levelDb, executor)));
  }

  /** A checkpoint is large. */
  private static final int AT_ONCE = 128;

  /**
   * Of a node of several JVMs, in the database that they share. Any JVM may write: whose checkpoint
   * is too late is told by the version that it starts from, and what the others add stays true. So
   * the queues of one JVM wait for those of no other.
   *
   * @param executor its threads may wait for the database
   */
  public static QueueStores in(PostgresDatabase database, Executor executor) {
    return in(new PostgresMap(database, executor, executor, database::observer, AT_ONCE));
  }

  private static QueueStores in(OrderedMap map) {
    return new QueueStores(
        new CellTable(map), new BodyTable(map), new CommandTable(map), new OutcomeTable(map));
  }
}
