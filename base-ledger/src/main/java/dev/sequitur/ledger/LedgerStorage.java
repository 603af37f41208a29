package dev.sequitur.ledger;

import dev.sequitur.persistence.leveldb.LevelDb;
import dev.sequitur.persistence.leveldb.LevelDbMap;
import dev.sequitur.persistence.leveldb.LevelDbSettings;
import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeyRange;
import dev.sequitur.persistence.map.KeySpace;
import dev.sequitur.persistence.map.MemoryMap;
import dev.sequitur.persistence.map.OrderedMap;
import dev.sequitur.persistence.map.OrderedMap.Order;
import dev.sequitur.persistence.map.OrderedMap.Visitor;
import dev.sequitur.persistence.map.WriteBatch;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * Where a ledger keeps its tables: an ordered map that nothing else writes to. Its callers wait: a
 * ledger has threads that may.
 */
public final class LedgerStorage implements AutoCloseable {
  private final OrderedMap map;
  private final KeySpace space;
  private final Runnable close;

  private LedgerStorage(OrderedMap map, KeySpace space, Runnable close) {
    this.map = map;
    this.space = space;
    this.close = close;
  }

  /**
   * A directory of the ledger's own, which is made if it is missing; fsynced, 16 MB of write
   * buffer, 32 MB of cache, and refusing writes while the disk has less than 64 MB left.
   *
   * @throws dev.sequitur.persistence.leveldb.LevelDbException if it can't be opened, with a
   *     sentence for the operator
   */
  public static LedgerStorage levelDb(Path directory) {
    return levelDb(directory, new LevelDbSettings(true, 16, 16 << 20, 32 << 20, 64 << 20));
  }

  /**
   * As {@link #levelDb(Path)}.
   *
   * @param settings with fsync, or a power cut may lose blocks that were shown
   */
  public static LedgerStorage levelDb(Path directory, LevelDbSettings settings) {
    var db = LevelDb.open(directory, settings);
    return new LedgerStorage(new LevelDbMap(db, Runnable::run), KeySpace.BASE_LEDGER, db::close);
  }

  /**
   * Forgets everything with the process; for tests and for networks that live as long as it. Keeps
   * its content over {@link #close}, so that it may be opened again.
   */
  public static LedgerStorage inMemory() {
    return over(new MemoryMap());
  }

  /**
   * @param map answers on the thread that asks, or on one that may wait; stays its owner's to close
   */
  public static LedgerStorage over(OrderedMap map) {
    return in(map, KeySpace.BASE_LEDGER);
  }

  /**
   * As {@link #over}, of a map that others write to as well.
   *
   * @param space that none of them uses
   */
  public static LedgerStorage in(OrderedMap map, KeySpace space) {
    return new LedgerStorage(map, space, () -> {});
  }

  private Key placed(Key key) {
    return moved(key, space);
  }

  /** The same key of a table, in another space. */
  private static Key moved(Key key, KeySpace to) {
    var bytes = key.unsafeBytes();
    return Key.in(to).raw(Arrays.copyOfRange(bytes, 1, bytes.length));
  }

  /** From any thread. */
  <K, V> Optional<V> get(LedgerTable<K, V> table, K key) {
    return get(table.at(key)).map(table.values()::decode);
  }

  /** As {@link #get(LedgerTable, Object)}, as it is stored; the bytes must not be changed. */
  Optional<byte[]> get(Key key) {
    return awaited(map.read(stored -> stored.get(placed(key))));
  }

  /** Visits a range as it is at one moment, on the caller's thread, while others may write. */
  void scan(KeyRange range, Visitor visitor) {
    awaited(
        map.<Void>read(
            stored -> {
              stored.scan(
                  new KeyRange(placed(range.from()), placed(range.until())),
                  Order.ASCENDING,
                  (key, value) -> visitor.visit(moved(key, KeySpace.BASE_LEDGER), value));
              return null;
            }));
  }

  /**
   * Stores all changes or none of them; they are on the disk when this returns. One call at a time.
   *
   * @param changes empty for a key to be removed
   * @throws RuntimeException if nothing was stored, so that the call may be made again; or if that
   *     can't be told, and then all later calls fail too
   */
  void write(Map<Key, Optional<byte[]>> changes) {
    awaited(
        map.<Void>write(
            batch -> {
              put(changes, batch);
              return null;
            }));
  }

  /**
   * As {@link #write}, if an entry is as it was read: somebody else may write the same.
   *
   * @return whether it was, and so all was stored
   */
  <K, V> boolean writeIf(
      LedgerTable<K, V> table, K key, Optional<V> now, Map<Key, Optional<byte[]>> changes) {
    return awaited(
        map.write(
            batch -> {
              boolean same =
                  batch.get(placed(table.at(key))).map(table.values()::decode).equals(now);
              if (same) {
                put(changes, batch);
              }
              return same;
            }));
  }

  private void put(Map<Key, Optional<byte[]>> changes, WriteBatch batch) {
    changes.forEach(
        (key, value) ->
            value.ifPresentOrElse(
                present -> batch.put(placed(key), present), () -> batch.delete(placed(key))));
  }

  private static <T> T awaited(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  /** Nothing else may be called afterwards, or meanwhile. */
  @Override
  public void close() {
    close.run();
  }
}
