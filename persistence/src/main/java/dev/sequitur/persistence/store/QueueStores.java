package dev.sequitur.persistence.store;

import dev.sequitur.persistence.journal.LevelDb;
import dev.sequitur.persistence.postgres.PostgresDatabase;
import java.util.concurrent.Executor;

/**
 * What the schedule queues of a node keep beside their journal; the same stores in all JVMs of the
 * node, so that it moves with the queue.
 *
 * @param cells where checkpoints lie
 * @param bodies what was executed and must not be again
 * @param commands that were done and have left memory
 */
public record QueueStores(CellStore cells, BodyStore bodies, CommandStore commands) {
  /**
   * Of a node that is one JVM.
   *
   * @param levelDb that of its checkpoints, which is as durable as that of its events
   * @param executor its threads may wait for the disk
   */
  public static QueueStores in(LevelDb levelDb, Executor executor) {
    return new QueueStores(
        new LevelDbCellStore(levelDb, executor),
        new LevelDbBodyStore(levelDb, executor),
        new LevelDbCommandStore(levelDb, executor));
  }

  /**
   * Of a node of several JVMs, in the database that they share.
   *
   * @param executor its threads may wait for the database
   */
  public static QueueStores in(PostgresDatabase database, Executor executor) {
    return new QueueStores(
        new PostgresCellStore(database, executor),
        new PostgresBodyStore(database, executor),
        new PostgresCommandStore(database, executor));
  }
}
