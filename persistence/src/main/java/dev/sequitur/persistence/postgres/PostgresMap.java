package dev.sequitur.persistence.postgres;

import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeyRange;
import dev.sequitur.persistence.map.OrderedMap;
import dev.sequitur.persistence.map.OrderedMap.Order;
import dev.sequitur.persistence.map.OrderedMap.Visitor;
import dev.sequitur.persistence.map.StoreObserver;
import dev.sequitur.persistence.map.WriteBatch;
import dev.sequitur.protocol.port.Answers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * That of a node of several JVMs: each has one of these, all over the same table. They write side
 * by side, each write bound to what it has read: one that has read only what its JVM knows takes
 * one round trip. What waits in one JVM meanwhile is written in one transaction. What a change has
 * read as missing, and does not put itself, may be there by the time that it is stored.
 *
 * <p>A write that fails while it is committed may be stored all the same.
 */
public final class PostgresMap implements OrderedMap, AutoCloseable {
  /** What whoever comes too late is told. */
  static final String STOPPING =
      "The node store is closed, since this JVM is stopping: turn to another one, or wait until it is up again.";

  /** Writes that share a transaction, of those that are small. */
  public static final int MANY = 1_000;

  /** Of some 200 bytes each. */
  private static final int REMEMBERED = 50_000;

  private final PostgresDatabase database;
  private final Executor executor;
  private final Executor answers;
  private final Optional<Fence> fence;
  private final Remembered remembered = new Remembered(REMEMBERED);
  private final Supplier<StoreObserver> observer;
  private final GroupWriter writer;
  private volatile boolean closed;

  /**
   * One whose writes pass a fence.
   *
   * @param database stays its owner's to close, after this
   * @param executor its threads may wait for the database; reads run on it, and every future
   *     completes on it
   */
  public PostgresMap(PostgresDatabase database, Executor executor, Fence fence) {
    this(database, executor, executor, database::observer, Optional.of(fence), MANY);
  }

  /**
   * One that everybody may write to.
   *
   * @param answers writes complete on it; it may be the writer's thread, for who does next to
   *     nothing with the answer
   * @param observer who hears of writes and failed reads
   * @param mostAtOnce so many writes share a transaction
   */
  public PostgresMap(
      PostgresDatabase database,
      Executor executor,
      Executor answers,
      Supplier<StoreObserver> observer,
      int mostAtOnce) {
    this(database, executor, answers, observer, Optional.empty(), mostAtOnce);
  }

  private PostgresMap(
      PostgresDatabase database,
      Executor executor,
      Executor answers,
      Supplier<StoreObserver> observer,
      Optional<Fence> fence,
      int mostAtOnce) {
    this.database = database;
    this.executor = executor;
    this.answers = answers;
    this.fence = fence;
    this.observer = observer;
    this.writer =
        new GroupWriter(database, new SideBySide(remembered, fence, mostAtOnce), observer);
  }

  @Override
  public <T> CompletionStage<T> read(Function<Entries, T> question) {
    return reading(() -> database.inSession(connection -> question.apply(entries(connection))));
  }

  private Entries entries(Connection connection) {
    return new Remembering(new EntryTable(connection), remembered);
  }

  /** So that the first write after a read knows what was read. */
  private record Remembering(EntryTable table, Remembered remembered) implements Entries {
    @Override
    public Optional<byte[]> get(Key key) {
      var found = table.get(key);
      remembered.put(key, found);
      return found;
    }

    @Override
    public Map<Key, byte[]> all(Collection<Key> keys) {
      return table.all(keys);
    }

    @Override
    public <T> List<T> list(
        KeyRange range, Order order, int most, BiFunction<Key, byte[], T> read) {
      return table.list(range, order, most, read);
    }

    @Override
    public List<Key> keys(KeyRange range, Order order) {
      return table.keys(range, order);
    }

    @Override
    public void scan(KeyRange range, Order order, Visitor visitor) {
      table.scan(range, order, visitor);
    }
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
            observer.get().unread();
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
    var shut = fence.flatMap(Fence::shut);
    return shut.isPresent()
        ? CompletableFuture.failedFuture(shut.get())
        : writer.write(change).thenApplyAsync(answer -> answer, answers);
  }

  @Override
  public CompletionStage<Void> afterEarlierWrites() {
    return writer.afterEarlierWrites().thenApplyAsync(done -> done, answers);
  }

  /** What waits is still written, and nothing after it. Waits for it for some seconds. */
  @Override
  public void close() {
    closed = true;
    writer.close();
  }
}
