package dev.sequitur.persistence.leveldb;

import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.StoreObserver;
import dev.sequitur.persistence.map.WriteBatch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A bounded queue of writes and the one thread that stores them.
 *
 * <p>While the disk is busy with one group, the next one gathers: the thread takes everything that
 * waits, runs each write's consumer in the order of arrival against what the earlier ones left, and
 * hands the net changes to the storage in one go. So the price of an fsync is shared by all who
 * wait, and no write waits for a timer.
 *
 * <p>A consumer that throws fails its own write only. If the storage throws, nobody can tell what
 * is on disk, so every write from then on fails: the owner has to close and open again.
 */
final class GroupCommit {
  /** What the groups are stored in. */
  interface Storage {
    /** Called on the writer thread. */
    Optional<byte[]> get(Key key);

    /** Called on the writer thread with at least one change; empty means removed. */
    void store(Map<Key, Optional<byte[]>> changes);

    /** Called before each store; throws if nothing should be written now, as on a full disk. */
    void checkWritable();
  }

  /** A group that is larger than this is stored in several goes, to bound the native memory. */
  private static final long ENOUGH_BYTES = 8L * 1024 * 1024;

  /** A write, or a barrier that has no change and only waits for its turn. */
  private record Waiting(Optional<Consumer<WriteBatch>> change, CompletableFuture<Void> done) {}

  private final Storage storage;
  private final int capacity;
  private final Supplier<LevelDbException> whenClosed;
  private final Thread writer;
  private volatile StoreObserver observer = StoreObserver.NONE;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();
  // guarded by the lock
  private ArrayDeque<Waiting> queue = new ArrayDeque<>();
  private boolean closed;
  // of the writer thread
  private Throwable broken; // null until the storage failed

  GroupCommit(
      String threadName, int capacity, Storage storage, Supplier<LevelDbException> whenClosed) {
    this.storage = storage;
    this.capacity = capacity;
    this.whenClosed = whenClosed;
    this.writer = new Thread(this::run, threadName);
    writer.setDaemon(true);
    writer.start();
  }

  /** Who hears of each group from now on. */
  void observe(StoreObserver theObserver) {
    observer = theObserver;
  }

  StoreObserver observer() {
    return observer;
  }

  /** From any thread, without waiting; the stage completes on the writer thread. */
  CompletionStage<Void> submit(Consumer<WriteBatch> change) {
    return enqueue(Optional.of(change));
  }

  /**
   * Completes when all that was submitted before is stored or has failed. It has room in a full
   * queue and on a full disk.
   */
  CompletionStage<Void> afterEarlierWrites() {
    return enqueue(Optional.empty());
  }

  private CompletionStage<Void> enqueue(Optional<Consumer<WriteBatch>> change) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    lock.lock();
    try {
      if (closed) {
        return CompletableFuture.failedFuture(whenClosed.get());
      }
      if (queue.size() >= capacity && change.isPresent()) {
        return CompletableFuture.failedFuture(new LevelDbException.WriteQueueFull(capacity));
      }
      queue.add(new Waiting(change, done));
      arrived.signal();
    } finally {
      lock.unlock();
    }
    return done;
  }

  /** Refuses new writes, stores those that wait, and returns when the writer thread has ended. */
  void close() {
    lock.lock();
    try {
      closed = true;
      arrived.signal();
    } finally {
      lock.unlock();
    }
    boolean interrupted = false;
    while (writer.isAlive()) {
      try {
        writer.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    for (ArrayDeque<Waiting> group = next(); !group.isEmpty(); group = next()) {
      commit(group);
    }
  }

  /** Everything that waits; empty once closed and nothing is left. */
  private ArrayDeque<Waiting> next() {
    lock.lock();
    try {
      while (queue.isEmpty() && !closed) {
        arrived.awaitUninterruptibly();
      }
      ArrayDeque<Waiting> group = queue;
      queue = new ArrayDeque<>();
      return group;
    } finally {
      lock.unlock();
    }
  }

  private void commit(ArrayDeque<Waiting> group) {
    while (!group.isEmpty()) {
      if (broken == null) {
        commitSome(group);
      } else {
        var waiting = group.remove();
        if (waiting.change().isPresent()) {
          observer.failed(1);
        }
        waiting.done().completeExceptionally(broken);
      }
    }
  }

  /** Takes writes off the group until it is empty or they are enough for one go. */
  private void commitSome(ArrayDeque<Waiting> group) {
    Map<Key, Optional<byte[]>> changes = new HashMap<>();
    List<CompletableFuture<Void>> writes = new ArrayList<>(group.size());
    List<CompletableFuture<Void>> barriers = new ArrayList<>();
    long bytes = 0;
    while (!group.isEmpty() && bytes < ENOUGH_BYTES) {
      Waiting waiting = group.remove();
      if (waiting.change().isEmpty()) {
        barriers.add(waiting.done());
        continue;
      }
      WriteBatch batch = new WriteBatch(key -> current(key, changes));
      try {
        waiting.change().get().accept(batch);
        changes.putAll(batch.changes());
        bytes += batch.bytes();
        writes.add(waiting.done());
      } catch (RuntimeException | Error e) {
        waiting.done().completeExceptionally(e);
      }
    }
    long begun = System.nanoTime();
    var failure = store(changes);
    if (failure.isPresent()) {
      observer.failed(writes.size());
    } else if (!changes.isEmpty()) {
      observer.stored(writes.size(), bytes, System.nanoTime() - begun);
    }
    complete(writes, failure);
    complete(barriers, Optional.ofNullable(broken));
  }

  private Optional<byte[]> current(Key key, Map<Key, Optional<byte[]>> changes) {
    Optional<byte[]> changed = changes.get(key);
    return changed == null ? storage.get(key) : changed;
  }

  /** Why the changes were not stored; empty if they are. */
  private Optional<Throwable> store(Map<Key, Optional<byte[]>> changes) {
    if (changes.isEmpty()) {
      return Optional.empty();
    }
    try {
      storage.checkWritable();
    } catch (RuntimeException | Error e) {
      return Optional.of(e);
    }
    try {
      storage.store(changes);
      return Optional.empty();
    } catch (RuntimeException | Error e) {
      broken = e;
      return Optional.of(e);
    }
  }

  private static void complete(
      List<CompletableFuture<Void>> all, Optional<? extends Throwable> failure) {
    for (CompletableFuture<Void> done : all) {
      if (failure.isPresent()) {
        done.completeExceptionally(failure.get());
      } else {
        done.complete(null);
      }
    }
  }
}
