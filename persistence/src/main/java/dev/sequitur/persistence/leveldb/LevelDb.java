package dev.sequitur.persistence.leveldb;

import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeyRange;
import dev.sequitur.persistence.map.KeySpace;
import dev.sequitur.persistence.map.OrderedMap.Order;
import dev.sequitur.persistence.map.OrderedMap.Visitor;
import dev.sequitur.persistence.map.StoreObserver;
import dev.sequitur.persistence.map.WriteBatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.iq80.leveldb.DB;
import org.iq80.leveldb.DBException;
import org.iq80.leveldb.DBIterator;
import org.iq80.leveldb.ReadOptions;
import org.iq80.leveldb.WriteOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One node's directory of durable data: an ordered map from keys to bytes, with group commit.
 *
 * <p>Journal, snapshots and node store share it, each under its own {@link KeySpace}. It may be
 * used from all threads. Reads run on the caller's thread and may wait for the disk; writes run on
 * one thread, see {@link #write}.
 *
 * <p>A handle belongs to one actor system; {@link LevelDbExtension} opens and closes it. A
 * directory can be open once at a time, whoever the second one is.
 */
public final class LevelDb implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LevelDb.class);

  private final Path directory;
  private final DB db;
  private final LevelDbSettings settings;
  private final LongSupplier freeDiskBytes;
  private final Optional<Object> opened;
  private final AtomicReference<LevelDbException> unreadable = new AtomicReference<>();
  private final GroupCommit groupCommit;
  // Native memory must not be freed under a reader: readers share this lock, close takes it alone.
  private final ReadWriteLock nativeMemory = new ReentrantReadWriteLock();
  private boolean closed; // guarded by nativeMemory
  private final Set<Snapshot> snapshots = ConcurrentHashMap.newKeySet();

  LevelDb(Path directory, DB db, LevelDbSettings settings, LongSupplier freeDiskBytes) {
    this.directory = directory;
    this.db = db;
    this.settings = settings;
    this.freeDiskBytes = freeDiskBytes;
    this.opened = lockFile();
    this.groupCommit =
        new GroupCommit(
            "sequitur-writer " + directory,
            settings.queueCapacity(),
            new NativeStorage(),
            this::closedException);
  }

  /**
   * Opens a directory, which is made if it is missing. If the power was cut during the last write,
   * its torn end, which nobody was told is stored, is cut off first.
   *
   * @throws LevelDbException if the directory is in use, damaged, of another format or can't be
   *     written; the message tells the operator which
   */
  public static LevelDb open(Path directory, LevelDbSettings settings) {
    DataDirectory opened = DataDirectory.open(directory, settings);
    return new LevelDb(opened.path(), opened.db(), settings, opened.freeDiskBytes());
  }

  /** Who hears from now on of what is written, and of what can't be read. */
  public void observe(StoreObserver observer) {
    groupCommit.observe(observer);
  }

  /**
   * Why the first read failed that found something damaged; empty as long as all could be read. It
   * stays until the directory is opened anew: what is lost does not come back by itself, and what
   * else is lost was perhaps not read yet.
   */
  public Optional<LevelDbException> damage() {
    return Optional.ofNullable(unreadable.get());
  }

  /** The directory, with symbolic links resolved. */
  public Path directory() {
    return directory;
  }

  /**
   * The stored value; writes that still wait are not seen.
   *
   * @throws LevelDbException if the handle is closed or the disk can't be read
   */
  public Optional<byte[]> get(Key key) {
    return reading(() -> Optional.ofNullable(db.get(key.unsafeBytes(), checked())));
  }

  /**
   * Visits the entries of a range as they are at the moment of the call, on the caller's thread,
   * until the visitor has enough. {@link #close} waits for it.
   *
   * @throws LevelDbException if the handle is closed or the disk can't be read
   */
  public void scan(KeyRange range, Order order, Visitor visitor) {
    reading(() -> scanned(range, order, visitor, checked()));
  }

  private Void scanned(KeyRange range, Order order, Visitor visitor, ReadOptions options) {
    if (range.isEmpty()) {
      return null;
    }
    try (DBIterator entries = db.iterator(options.fillCache(false))) {
      switch (order) {
        case ASCENDING -> ascend(entries, range, visitor);
        case DESCENDING -> descend(entries, range, visitor);
      }
    } catch (IOException e) {
      throw unreadable(e);
    } catch (RuntimeException e) {
      // So do the library's iterators say that a block is damaged.
      throw e.getClass() == RuntimeException.class && e.getCause() instanceof IOException
          ? unreadable(e.getCause())
          : e;
    }
    return null;
  }

  /**
   * What is stored now, for whoever reads it while others write on. {@link #close} ends it too.
   *
   * @throws LevelDbException if the handle is closed
   */
  public Snapshot snapshot() {
    return reading(
        () -> {
          var taken = new Snapshot(db.getSnapshot());
          snapshots.add(taken);
          return taken;
        });
  }

  /** What was stored at one moment. Of one thread. */
  public final class Snapshot implements AutoCloseable {
    private final org.iq80.leveldb.Snapshot taken;

    private Snapshot(org.iq80.leveldb.Snapshot taken) {
      this.taken = taken;
    }

    /**
     * As {@link LevelDb#scan}, of that moment and in ascending order.
     *
     * @throws LevelDbException if this or the handle is closed, or the disk can't be read
     */
    public void scan(KeyRange range, Visitor visitor) {
      reading(
          () -> {
            if (!snapshots.contains(this)) {
              throw closedException();
            }
            return scanned(range, Order.ASCENDING, visitor, checked().snapshot(taken));
          });
    }

    /** A second call does nothing. */
    @Override
    public void close() {
      nativeMemory.readLock().lock();
      try {
        release();
      } finally {
        nativeMemory.readLock().unlock();
      }
    }

    private void release() {
      if (snapshots.remove(this)) {
        try {
          taken.close();
        } catch (IOException e) {
          throw new LevelDbException("A snapshot of %s was not closed.".formatted(directory), e);
        }
      }
    }
  }

  /**
   * What the entries of a range say, as {@link #scan} finds them.
   *
   * @param most so many at the most
   */
  public <T> List<T> list(KeyRange range, Order order, int most, BiFunction<Key, byte[], T> read) {
    var found = new ArrayList<T>();
    scan(
        range,
        order,
        (key, value) -> {
          found.add(read.apply(key, value));
          return found.size() < most;
        });
    return List.copyOf(found);
  }

  /**
   * Gives back the room of what was deleted in a range, and merges what is left of it. LevelDB does
   * so by itself only where more is written. Waits until it is done, on the caller's thread; writes
   * go on meanwhile.
   *
   * @throws LevelDbException if the handle is closed or the disk can't be read
   */
  public void compact(KeyRange range) {
    reading(
        () -> {
          db.compactRange(range.from().unsafeBytes(), range.until().unsafeBytes());
          return null;
        });
  }

  /**
   * Stores what the consumer puts and deletes, all or nothing.
   *
   * <p>The consumer runs on the writer thread, after those of all earlier calls, and must be quick:
   * everybody waits for it. It may be called from any thread and doesn't wait. Calls that wait at
   * the same time share one write and one fsync.
   *
   * <p>The stage completes on the writer thread when the changes are on the disk (or, with fsync
   * off, with the operating system): what follows on it must be quick or go to another executor. It
   * fails with what the consumer threw, with {@link LevelDbException.WriteQueueFull}, or with
   * another {@link LevelDbException} if the disk is nearly full, somebody has deleted the
   * directory, the handle is closed, or a write has failed. After a failed write nobody knows what
   * the disk holds, so all later ones fail until the directory is opened anew.
   */
  public CompletionStage<Void> write(Consumer<WriteBatch> change) {
    return groupCommit.submit(change);
  }

  /**
   * Completes, on the writer thread, when every write accepted before this call is stored or has
   * failed. A full queue or a full disk doesn't hinder it.
   */
  public CompletionStage<Void> afterEarlierWrites() {
    return groupCommit.afterEarlierWrites();
  }

  /**
   * Looks whether a write would be refused before it is tried. Waits for the disk.
   *
   * @throws LevelDbException with the sentence that such a write fails with
   */
  public void checkWritable() {
    if (!lockFile().equals(opened)) {
      throw new LevelDbException(
          ("The data directory %s was deleted or replaced while this process has it open, and"
                  + " nothing more is written there: put a copy of it back before you start the"
                  + " process again.")
              .formatted(directory));
    }
    long free = freeDiskBytes.getAsLong();
    if (free < settings.minFreeDiskBytes()) {
      throw new LevelDbException.DiskFull(directory, free, settings);
    }
  }

  /** Stores what waits, waits for readers, and closes; a second call does nothing. */
  @Override
  public void close() {
    groupCommit.close();
    nativeMemory.writeLock().lock();
    try {
      if (!closed) {
        closed = true;
        snapshots.forEach(Snapshot::release);
        db.close();
      }
    } catch (IOException e) {
      throw new LevelDbException("The data directory %s was not closed.".formatted(directory), e);
    } finally {
      nativeMemory.writeLock().unlock();
    }
  }

  private <T> T reading(Supplier<T> read) {
    nativeMemory.readLock().lock();
    try {
      if (closed) {
        throw closedException();
      }
      return read.get();
    } catch (DBException e) {
      throw unreadable(e);
    } finally {
      nativeMemory.readLock().unlock();
    }
  }

  private static void ascend(DBIterator entries, KeyRange range, Visitor visitor) {
    entries.seek(range.from().unsafeBytes());
    while (entries.hasNext()) {
      Map.Entry<byte[], byte[]> entry = entries.next();
      Key key = Key.wrap(entry.getKey());
      if (key.compareTo(range.until()) >= 0 || !visitor.visit(key, entry.getValue())) {
        return;
      }
    }
  }

  private static void descend(DBIterator entries, KeyRange range, Visitor visitor) {
    entries.seek(range.until().unsafeBytes());
    if (!entries.hasNext()) {
      entries.seekToLast();
    } else if (entries.hasPrev()) {
      entries.prev();
    } else {
      return;
    }
    while (entries.hasNext()) {
      Map.Entry<byte[], byte[]> entry = entries.peekNext();
      Key key = Key.wrap(entry.getKey());
      if (key.compareTo(range.from()) < 0
          || !visitor.visit(key, entry.getValue())
          || !entries.hasPrev()) {
        return;
      }
      entries.prev();
    }
  }

  private static ReadOptions checked() {
    return new ReadOptions().verifyChecksums(true);
  }

  /** Which file it is, as long as it is there; LevelDB itself goes on writing deleted files. */
  private Optional<Object> lockFile() {
    try {
      var lock = Files.readAttributes(directory.resolve("LOCK"), BasicFileAttributes.class);
      return Optional.of(Objects.requireNonNullElse(lock.fileKey(), directory));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private LevelDbException unreadable(Throwable cause) {
    groupCommit.observer().unread();
    var failure =
        new LevelDbException(
            ("The data directory %s can't be read (%s): stop the node, and let sequitur check-store"
                    + " say what is damaged.")
                .formatted(directory, cause.getMessage()),
            cause);
    if (unreadable.compareAndSet(null, failure)) {
      LOG.error(failure.getMessage());
    }
    return failure;
  }

  private LevelDbException closedException() {
    return new LevelDbException("The data directory %s is closed.".formatted(directory));
  }

  private final class NativeStorage implements GroupCommit.Storage {
    private final WriteOptions options = new WriteOptions().sync(settings.fsync());
    // Of the writer thread: why writes are refused now, and the operator has been told.
    private Optional<Class<?>> refusing = Optional.empty();

    @Override
    public Optional<byte[]> get(Key key) {
      return LevelDb.this.get(key);
    }

    @Override
    public void store(Map<Key, Optional<byte[]>> changes) {
      try (org.iq80.leveldb.WriteBatch batch = db.createWriteBatch()) {
        changes.forEach(
            (key, value) ->
                value.ifPresentOrElse(
                    bytes -> batch.put(key.unsafeBytes(), bytes),
                    () -> batch.delete(key.unsafeBytes())));
        db.write(batch, options);
      } catch (IOException | DBException e) {
        throw new LevelDbException(
            "Writing to the data directory %s failed (%s): it must be opened anew."
                .formatted(directory, e.getMessage()),
            e);
      }
    }

    @Override
    public void checkWritable() {
      try {
        LevelDb.this.checkWritable();
      } catch (LevelDbException e) {
        tellOnce(e);
        throw e;
      }
      if (refusing.isPresent()) {
        refusing = Optional.empty();
        LOG.info("The data directory {} is written again.", directory);
      }
    }

    /**
     * What hinders every write must not fill the log too: figures may differ, the reason is one.
     */
    private void tellOnce(LevelDbException reason) {
      if (!refusing.equals(Optional.of(reason.getClass()))) {
        refusing = Optional.of(reason.getClass());
        LOG.error(reason.getMessage());
      }
    }
  }
}
