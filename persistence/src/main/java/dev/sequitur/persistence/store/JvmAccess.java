package dev.sequitur.persistence.store;

import dev.sequitur.persistence.postgres.DatabaseException;
import dev.sequitur.persistence.postgres.DatabaseTrouble;
import dev.sequitur.persistence.postgres.PostgresDatabase;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.NodeStore.ClusterView;
import dev.sequitur.protocol.port.NodeStore.Hindrance;
import dev.sequitur.protocol.port.StoreException;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * How one JVM reads and writes the schema of its node. It may read at any time, and write from when
 * it has {@linkplain #enter entered} until another one {@linkplain #end ends} it. Thread-safe.
 */
final class JvmAccess implements AutoCloseable {
  private final PostgresDatabase database;
  private final SqlTransactions transactions;
  private final Executor executor;
  private final JvmName jvm;
  private final GroupWriter writer;
  private volatile boolean mayWrite;
  private volatile boolean closed;

  /**
   * @param executor reads run on it, and every future completes on it
   */
  JvmAccess(PostgresDatabase database, Executor executor, JvmName jvm) {
    this.database = database;
    this.transactions = new SqlTransactions(database, executor);
    this.executor = executor;
    this.jvm = jvm;
    this.writer = new GroupWriter(database, jvm);
  }

  <T> CompletionStage<T> reading(SqlTransactions.Work<T> read) {
    return transactions
        .run(read)
        .whenComplete(
            (answer, failure) -> {
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

  /**
   * @return fails with a {@link StoreException}: before this JVM has entered, after the others have
   *     left it out ({@link LeftOutException}), and while it is stopping
   */
  <T> CompletionStage<T> writing(GroupWriter.Change<T> change) {
    if (!mayWrite) {
      return CompletableFuture.failedFuture(
          new DatabaseException(
              "This JVM has not joined the others of its node yet: wait until it has, or turn to"
                  + " another one."));
    }
    return writer.write(change).thenApplyAsync(answer -> answer, executor);
  }

  /**
   * As a write that changes nothing: it takes the node's row, and asks whether it may. Then the
   * disk is asked for room, which such a write does not need.
   */
  CompletionStage<Optional<Hindrance>> hindrance() {
    return writing(transaction -> Optional.<Hindrance>empty())
        .thenCompose(none -> reading(JvmAccess::fillAMegabyte))
        .thenApply(none -> damage())
        .exceptionally(failure -> Optional.of(hindrance(failure)));
  }

  /**
   * A sort of so much in the least memory that there is goes to the disk that the tables are on,
   * and leaves nothing behind.
   */
  private static Optional<Hindrance> fillAMegabyte(Sql sql) throws SQLException {
    sql.one("SELECT set_config('work_mem', '64kB', true)", row -> row.getString(1));
    sql.one(
        "SELECT max(filler) FROM (SELECT repeat('x', 120) AS filler"
            + " FROM generate_series(1, 8192) AS number ORDER BY hashint4(number)) AS sorted",
        row -> row.getString(1));
    return Optional.empty();
  }

  /** Who writes upon what can't be read does not know what it does. */
  private Optional<Hindrance> damage() {
    return database.isDamaged()
        ? Optional.of(new Hindrance(DatabaseTrouble.DAMAGED.sentence(), false))
        : Optional.empty();
  }

  private static Hindrance hindrance(Throwable failure) {
    var cause = Answers.cause(failure);
    return new Hindrance(
        cause instanceof StoreException ? cause.getMessage() : DatabaseTrouble.of(cause).sentence(),
        false);
  }

  /**
   * Asks to write.
   *
   * @return whether it may from now on; fails with a {@link LeftOutException} if it never will
   */
  CompletionStage<Boolean> enter(ClusterView view) {
    return reading(
            sql -> {
              try {
                return WritingJvms.enter(jvm, view, sql);
              } catch (LeftOutException e) {
                writer.isLeftOut();
                throw e;
              }
            })
        .thenApply(
            entered -> {
              mayWrite |= entered;
              return entered;
            });
  }

  /** The other JVMs that may write. */
  CompletionStage<Set<String>> others() {
    return reading(sql -> WritingJvms.others(jvm, sql));
  }

  /** That JVM stores nothing any more. */
  CompletionStage<Integer> end(String name) {
    return writing(change -> WritingJvms.end(name, change.sql()));
  }

  /** Completes when a write or a look has shown that the others have left this one out. */
  CompletionStage<Void> leftOut() {
    return writer.leftOut().thenApplyAsync(out -> out, executor);
  }

  /** Looks whether the others have left this one out, as its next write would. */
  CompletionStage<Void> look() {
    return reading(sql -> !mayWrite || closed || WritingJvms.has(jvm, sql))
        .thenAccept(
            may -> {
              if (!may && !closed) {
                writer.isLeftOut();
              }
            });
  }

  /** What waits is still written, and nothing after it. Waits for it for some seconds. */
  @Override
  public void close() {
    closed = true;
    var unused = end(jvm.toString());
    writer.close();
  }
}
