package dev.sequitur.persistence.postgres;

import dev.sequitur.persistence.map.StoreObserver;
import dev.sequitur.persistence.map.WriteBatch;
import dev.sequitur.protocol.port.StoreException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/** Writes what waits in one transaction, on a thread of its own. */
final class GroupWriter implements AutoCloseable {
  private static final int WAITING = 10_000;
  private static final Duration CLOSING = Duration.ofSeconds(10);

  private final PostgresDatabase database;
  private final SideBySide writing;
  private final Supplier<StoreObserver> observer;
  private final BlockingQueue<Pending<?>> queue = new ArrayBlockingQueue<>(WAITING);
  private final Thread thread = new Thread(this::run, "sequitur-map-writer");
  private volatile boolean closed;

  /** One that waits; without a change it waits for nothing but its turn. */
  private static final class Pending<T> implements ChangeGroup.Change {
    private final Optional<Function<WriteBatch, T>> change;
    private final CompletableFuture<T> future = new CompletableFuture<>();
    private T answer;
    private Throwable refusal;

    private Pending(Optional<Function<WriteBatch, T>> change) {
      this.change = change;
    }

    @Override
    public boolean run(WriteBatch batch) {
      answer = null;
      refusal = null;
      try {
        answer = change.map(some -> some.apply(batch)).orElse(null);
      } catch (RuntimeException | Error e) {
        refusal = e;
      }
      return refusal == null;
    }

    private boolean waitsForItsTurn() {
      return change.isEmpty();
    }

    private void stored() {
      if (refusal == null) {
        future.complete(answer);
      } else {
        future.completeExceptionally(refusal);
      }
    }

    private void failed(Throwable failure) {
      if (waitsForItsTurn()) {
        future.complete(null);
      } else {
        future.completeExceptionally(failure);
      }
    }
  }

  GroupWriter(PostgresDatabase database, SideBySide writing, Supplier<StoreObserver> observer) {
    this.database = database;
    this.writing = writing;
    this.observer = observer;
    thread.setDaemon(true);
    thread.start();
  }

  /** Completes on the writer's thread, when it is durable. */
  <T> CompletionStage<T> write(Function<WriteBatch, T> change) {
    return enqueue(new Pending<>(Optional.of(change)));
  }

  /** Completes on the writer's thread, when all that was given before is durable or has failed. */
  CompletionStage<Void> afterEarlierWrites() {
    return enqueue(new Pending<>(Optional.empty()));
  }

  private <T> CompletionStage<T> enqueue(Pending<T> pending) {
    if (closed) {
      pending.future.completeExceptionally(new DatabaseException(PostgresMap.STOPPING));
    } else if (!queue.offer(pending)) {
      pending.future.completeExceptionally(
          new DatabaseException(
              "More writes wait for the database than this JVM holds: ask less of it, or give the database more room to work."));
    }
    return pending.future;
  }

  private void run() {
    var group = new ArrayList<Pending<?>>();
    while (!closed || !queue.isEmpty()) {
      try {
        group.add(queue.take());
        queue.drainTo(group, writing.mostAtOnce() - 1);
        write(group);
        group.clear();
      } catch (InterruptedException e) {
        closed = true;
      }
    }
  }

  private void write(List<Pending<?>> group) {
    if (group.stream().allMatch(Pending::waitsForItsTurn)) {
      group.forEach(Pending::stored);
      return;
    }
    boolean[] sent = {false};
    int writes = (int) group.stream().filter(each -> !each.waitsForItsTurn()).count();
    long begun = System.nanoTime();
    try {
      var changes = writing.group(group);
      var unknown = changes.run();
      database.inSession(
          connection -> {
            writing.store(changes, unknown, new EntryTable(connection), () -> sent[0] = true);
            return null;
          });
      observer.get().stored(writes, 0, System.nanoTime() - begun);
      group.forEach(Pending::stored);
    } catch (SQLException | RuntimeException e) {
      if (group.size() > 1 && !isForAll(e, sent[0])) {
        // One of them cannot be written; the others must not suffer for it.
        group.forEach(pending -> write(List.of(pending)));
      } else {
        observer.get().failed(writes);
        var failure = e instanceof SQLException sql ? DatabaseException.of(sql) : e;
        group.forEach(pending -> pending.failed(failure));
      }
    }
  }

  /**
   * The fence has refused it, nobody knows what the database would have said, or a server that was
   * stopped has perhaps stored it before.
   */
  private static boolean isForAll(Exception failure, boolean sent) {
    return switch (failure) {
      case SQLException sql -> {
        var state = String.valueOf(sql.getSQLState());
        yield state.equals("null") || state.startsWith("08") || (sent && state.startsWith("57"));
      }
      default -> failure instanceof StoreException;
    };
  }

  @Override
  public void close() {
    closed = true;
    // It wakes the thread; where there is no room for it, there is something else that does.
    var unused = queue.offer(new Pending<Void>(Optional.empty()));
    try {
      thread.join(CLOSING.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
