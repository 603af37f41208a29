package dev.sequitur.persistence.store;

import dev.sequitur.persistence.postgres.DatabaseException;
import dev.sequitur.persistence.postgres.PostgresDatabase;
import dev.sequitur.protocol.port.NodeStore.Intent;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * Writes what waits in one transaction, one after another on a thread of its own. The transaction
 * begins by locking the node's row, which holds the counters, and so is alone in the whole node.
 * The row also says which JVMs may write: a JVM that the others have left out is told so by its
 * next write, which stores nothing.
 */
final class GroupWriter implements AutoCloseable {
  /** What whoever comes too late is told. */
  static final String STOPPING =
      "The node store is closed, since this JVM is stopping: turn to another one, or wait until it is up again.";

  private static final int WAITING = 10_000;
  private static final int MOST_AT_ONCE = 128;
  private static final Duration CLOSING = Duration.ofSeconds(10);

  private final PostgresDatabase database;
  private final JvmName jvm;
  private final CompletableFuture<Void> leftOut = new CompletableFuture<>();
  private final BlockingQueue<Pending<?>> queue = new ArrayBlockingQueue<>(WAITING);
  private final Thread thread = new Thread(this::run, "sequitur-node-store-writer");
  private volatile boolean closed;

  /** On the writer's thread. */
  private final TimesOfAcceptance times = new TimesOfAcceptance(System::nanoTime);

  /** Decides upon what those before it left, then writes; on the writer's thread. */
  interface Change<T> {
    /**
     * @throws IllegalArgumentException if it refuses, before it has written anything
     */
    T apply(Transaction transaction) throws SQLException;
  }

  /** One transaction, and the counters within it. */
  static final class Transaction {
    private final Sql sql;
    private final TimesOfAcceptance times;
    private long lastPosition;
    private long lastSequence;
    private Instant lastCreated;

    /** One statement: what it reads of the row is what the writer before has left there. */
    private Transaction(Connection connection, JvmName jvm, TimesOfAcceptance times)
        throws SQLException {
      this.sql = new Sql(connection);
      this.times = times;
      var node =
          sql.one(
                  "SELECT last_position, last_sequence, last_created,"
                      + " CAST (? AS text) = ANY (jvms) FROM node FOR UPDATE",
                  Node::read,
                  jvm.toString())
              .orElseThrow();
      if (!node.mayWrite()) {
        throw new LeftOutException();
      }
      lastPosition = node.lastPosition();
      lastSequence = node.lastSequence();
      lastCreated = node.lastCreated();
    }

    private record Node(
        long lastPosition, long lastSequence, Instant lastCreated, boolean mayWrite) {
      private static Node read(ResultSet row) throws SQLException {
        return new Node(
            row.getLong(1), row.getLong(2), Instant.parse(row.getString(3)), row.getBoolean(4));
      }
    }

    Sql sql() {
      return sql;
    }

    long nextPosition() {
      return ++lastPosition;
    }

    /** The same, when it counts as accepted. */
    Intent dated(Intent intent) {
      var dated = times.dated(intent, lastCreated);
      lastCreated = dated.created();
      return dated;
    }

    /** The last number given out, 0 before the first. */
    long lastSequence() {
      return lastSequence;
    }

    long nextSequence() {
      return ++lastSequence;
    }

    private void storeCounters() throws SQLException {
      sql.update(
          "UPDATE node SET last_position = ?, last_sequence = ?, last_created = ?"
              + " WHERE last_position <> ? OR last_sequence <> ?",
          lastPosition,
          lastSequence,
          lastCreated.toString(),
          lastPosition,
          lastSequence);
    }
  }

  private static final class Pending<T> {
    private final Change<T> change;
    private final CompletableFuture<T> future = new CompletableFuture<>();
    private T answer;
    private IllegalArgumentException refusal;

    private Pending(Change<T> change) {
      this.change = change;
    }

    private void apply(Transaction transaction) throws SQLException {
      refusal = null;
      try {
        answer = change.apply(transaction);
      } catch (IllegalArgumentException e) {
        refusal = e;
      }
    }

    private void stored() {
      if (refusal == null) {
        future.complete(answer);
      } else {
        future.completeExceptionally(refusal);
      }
    }
  }

  GroupWriter(PostgresDatabase database, JvmName jvm) {
    this.database = database;
    this.jvm = jvm;
    thread.setDaemon(true);
    thread.start();
  }

  /** Completes on the writer's thread, when it is durable. */
  <T> CompletionStage<T> write(Change<T> change) {
    var pending = new Pending<>(change);
    if (closed) {
      pending.future.completeExceptionally(new DatabaseException(STOPPING));
    } else if (!queue.offer(pending)) {
      pending.future.completeExceptionally(
          new DatabaseException(
              "More writes wait for the database than this JVM holds: ask less of it, or give the database more room to work."));
    }
    return pending.future;
  }

  /** Completes when a write was refused because of it, on the thread that learnt it. */
  CompletionStage<Void> leftOut() {
    return leftOut.minimalCompletionStage();
  }

  /** The others have left this JVM out. */
  void isLeftOut() {
    leftOut.complete(null);
  }

  private void run() {
    var group = new ArrayList<Pending<?>>();
    while (!closed || !queue.isEmpty()) {
      try {
        var first = queue.poll(100, TimeUnit.MILLISECONDS);
        if (first != null) {
          group.add(first);
          queue.drainTo(group, MOST_AT_ONCE - 1);
          write(group);
          group.clear();
        }
      } catch (InterruptedException e) {
        closed = true;
      }
    }
  }

  private void write(List<Pending<?>> group) {
    boolean[] applied = {false};
    long begun = System.nanoTime();
    try {
      database.transaction(
          connection -> {
            var transaction = new Transaction(connection, jvm, times);
            for (var pending : group) {
              pending.apply(transaction);
            }
            transaction.storeCounters();
            applied[0] = true;
            return null;
          });
      database.observer().stored(group.size(), 0, System.nanoTime() - begun);
      group.forEach(Pending::stored);
    } catch (LeftOutException e) {
      database.observer().failed(group.size());
      group.forEach(pending -> pending.future.completeExceptionally(e));
      isLeftOut();
    } catch (SQLException | RuntimeException e) {
      if (group.size() > 1 && !applied[0] && !isConnectionLost(e)) {
        // One of them cannot be written; the others must not suffer for it.
        group.forEach(pending -> write(List.of(pending)));
      } else {
        database.observer().failed(group.size());
        var failure = e instanceof SQLException sql ? DatabaseException.of(sql) : e;
        group.forEach(pending -> pending.future.completeExceptionally(failure));
      }
    }
  }

  private static boolean isConnectionLost(Exception failure) {
    return failure instanceof SQLException sql
        && (sql.getSQLState() == null || sql.getSQLState().startsWith("08"));
  }

  @Override
  public void close() {
    closed = true;
    try {
      thread.join(CLOSING.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
