package dev.sequitur.persistence.store;

import dev.sequitur.persistence.map.OrderedMap;
import dev.sequitur.persistence.postgres.DatabaseException;
import dev.sequitur.persistence.postgres.DatabaseTrouble;
import dev.sequitur.persistence.postgres.Fence;
import dev.sequitur.persistence.postgres.PostgresDatabase;
import dev.sequitur.persistence.postgres.PostgresMap;
import dev.sequitur.persistence.postgres.Sql;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.NodeStore.Hindrance;
import dev.sequitur.protocol.port.NodeWriters;
import dev.sequitur.protocol.port.StoreException;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * How one JVM reads and writes the schema of its node. It may read at any time, and write from when
 * it has {@linkplain #enter entered} until another one {@linkplain #end ends} it. Each write asks
 * whether it may, in the statement that stores it; those of all JVMs are side by side. Thread-safe.
 */
final class JvmAccess implements NodeWriters, AutoCloseable {
  private final PostgresDatabase database;
  private final Executor executor;
  private final JvmName jvm;
  private final PostgresMap map;
  private final CompletableFuture<Void> leftOut = new CompletableFuture<>();
  private volatile boolean mayWrite;
  private volatile boolean closed;

  /**
   * @param executor reads run on it, and every future completes on it
   */
  JvmAccess(PostgresDatabase database, Executor executor, JvmName jvm) {
    this.database = database;
    this.executor = executor;
    this.jvm = jvm;
    this.map = new PostgresMap(database, executor, new NodeRow());
  }

  /**
   * What this JVM writes there fails with a {@link StoreException}: before it has entered, after
   * the others have left it out ({@link LeftOutException}), and while it is stopping.
   */
  OrderedMap map() {
    return map;
  }

  /** Asks for this JVM alone, and waits for nobody but who is about to leave it out. */
  private final class NodeRow implements Fence {
    @Override
    public Optional<StoreException> shut() {
      return mayWrite
          ? Optional.empty()
          : Optional.of(
              new DatabaseException(
                  "This JVM has not joined the others of its node yet: wait until it has, or turn to"
                      + " another one."));
    }

    @Override
    public String question() {
      return "SELECT may_write(?)";
    }

    @Override
    public Object parameter() {
      return jvm.toString();
    }

    @Override
    public StoreException refused() {
      leftOut.complete(null);
      return new LeftOutException();
    }
  }

  private interface Question<T> {
    T of(Sql sql) throws SQLException;
  }

  private <T> CompletionStage<T> asking(Question<T> question) {
    return map.readBeside(connection -> question.of(new Sql(connection)));
  }

  /**
   * As a write that changes nothing: it asks whether it may. Then the disk is asked for room, which
   * such a write does not need.
   */
  CompletionStage<Optional<Hindrance>> hindrance() {
    return map.write(nothing -> Optional.<Hindrance>empty())
        .thenCompose(none -> asking(JvmAccess::fillAMegabyte))
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

  @Override
  public CompletionStage<Boolean> enter(ClusterView view) {
    return asking(
            sql -> {
              try {
                return WritingJvms.enter(jvm, view, sql);
              } catch (LeftOutException e) {
                leftOut.complete(null);
                throw e;
              }
            })
        .thenApply(
            entered -> {
              mayWrite |= entered;
              return entered;
            });
  }

  @Override
  public CompletionStage<Set<String>> others() {
    return asking(sql -> WritingJvms.others(jvm, sql));
  }

  /**
   * {@inheritDoc} Waits for the writes that it has begun. Fails with a {@link LeftOutException} if
   * this one may not write itself.
   */
  @Override
  public CompletionStage<Void> end(String name) {
    return asking(
        sql -> {
          if (!WritingJvms.end(name, jvm, sql)) {
            throw new NodeRow().refused();
          }
          return null;
        });
  }

  /** Completes when a write or a look has shown that the others have left this one out. */
  CompletionStage<Void> leftOut() {
    return leftOut.thenApplyAsync(out -> out, executor);
  }

  /** Looks whether the others have left this one out, as its next write would. */
  CompletionStage<Void> look() {
    return asking(sql -> !mayWrite || closed || WritingJvms.has(jvm, sql))
        .thenAccept(
            may -> {
              if (!may && !closed) {
                leftOut.complete(null);
              }
            });
  }

  /** What waits is still written, and nothing after it. Waits for it for some seconds. */
  @Override
  public void close() {
    closed = true;
    map.close();
    try {
      database.transaction(connection -> WritingJvms.end(jvm.toString(), jvm, new Sql(connection)));
    } catch (SQLException e) {
      // The others see that it is gone, and take over.
    }
  }
}
