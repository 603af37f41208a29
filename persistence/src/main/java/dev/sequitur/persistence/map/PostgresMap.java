package dev.sequitur.persistence.map;

import dev.sequitur.persistence.journal.WriteBatch;
import dev.sequitur.persistence.postgres.DatabaseException;
import dev.sequitur.persistence.postgres.PostgresDatabase;
import dev.sequitur.protocol.port.Answers;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;

/**
 * That of a node of several JVMs: each has one of these, all over the same table. A write passes
 * the {@link Fence}, so those of all JVMs that pass it are one after another; what waits in one JVM
 * meanwhile is written in one transaction.
 *
 * <p>A write that fails while it is committed may be stored all the same.
 */
public final class PostgresMap implements OrderedMap, AutoCloseable {
  /** What whoever comes too late is told. */
  static final String STOPPING =
      "The node store is closed, since this JVM is stopping: turn to another one, or wait until it is up again.";

  private final PostgresDatabase database;
  private final Executor executor;
  private final Fence fence;
  private final GroupWriter writer;
  private volatile boolean closed;

  /**
   * @param database stays its owner's to close, after this
   * @param executor its threads may wait for the database; reads run on it, and every future
   *     completes on it
   */
  public PostgresMap(PostgresDatabase database, Executor executor, Fence fence) {
    this.database = database;
    this.executor = executor;
    this.fence = fence;
    this.writer = new GroupWriter(database, fence);
  }

  @Override
  public <T> CompletionStage<T> read(Function<Entries, T> question) {
    return reading(
        () -> database.inSession(connection -> question.apply(new EntryTable(connection))));
  }

  /** As {@link #read}, of what is no entry of the map. */
  public <T> CompletionStage<T> readBeside(PostgresDatabase.Work<T> work) {
    return reading(() -> database.transaction(work));
  }

  private interface Reading<T> {
    T now() throws SQLException;
  }

  private <T> CompletionStage<T> reading(Reading<T> reading) {
    CompletionStage<T> answer;
    try {
      answer =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return reading.now();
                } catch (SQLException e) {
                  throw new CompletionException(DatabaseException.of(e));
                }
              },
              executor);
    } catch (RejectedExecutionException e) {
      answer = CompletableFuture.failedFuture(new DatabaseException(STOPPING, e));
    }
    return answer.whenComplete(
        (any, failure) -> {
          if (failure != null && isOfDatabase(Answers.cause(failure))) {
            database.observer().unread();
          }
        });
  }

  /** What a JVM that stops does not read any more says nothing of the database. */
  private boolean isOfDatabase(Throwable cause) {
    boolean stops = closed || cause.getCause() instanceof RejectedExecutionException;
    return cause instanceof DatabaseException && !stops;
  }

  @Override
  public <T> CompletionStage<T> write(Function<WriteBatch, T> change) {
    var shut = fence.shut();
    return shut.isPresent()
        ? CompletableFuture.failedFuture(shut.get())
        : writer.write(change).thenApplyAsync(answer -> answer, executor);
  }

  @Override
  public CompletionStage<Void> afterEarlierWrites() {
    return writer.afterEarlierWrites().thenApplyAsync(done -> done, executor);
  }

  /** What waits is still written, and nothing after it. Waits for it for some seconds. */
  @Override
  public void close() {
    closed = true;
    writer.close();
  }
}
