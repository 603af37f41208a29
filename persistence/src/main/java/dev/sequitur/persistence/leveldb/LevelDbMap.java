package dev.sequitur.persistence.leveldb;

import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeyRange;
import dev.sequitur.persistence.map.OrderedMap;
import dev.sequitur.persistence.map.OrderedMap.Order;
import dev.sequitur.persistence.map.OrderedMap.Visitor;
import dev.sequitur.persistence.map.WriteBatch;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Function;

/** That of a node of one JVM. Changes run on LevelDB's writer thread, each once. */
public final class LevelDbMap implements OrderedMap {
  private final LevelDb db;
  private final Executor executor;
  private final Executor answers;
  private final Entries stored = new Stored();

  /**
   * @param db stays its owner's to close, after the last use of this
   * @param executor its threads may wait for the disk; reads run on it, and every future completes
   *     on it, so that nobody's continuation holds up the writer thread
   */
  public LevelDbMap(LevelDb db, Executor executor) {
    this(db, executor, executor);
  }

  /**
   * As {@link #LevelDbMap(LevelDb, Executor)}, for who does next to nothing with the answer to a
   * write.
   *
   * @param answers writes complete on it; it may be the writer thread itself
   */
  public LevelDbMap(LevelDb db, Executor executor, Executor answers) {
    this.db = db;
    this.executor = executor;
    this.answers = answers;
  }

  @Override
  public <T> CompletionStage<T> read(Function<Entries, T> question) {
    try {
      return CompletableFuture.supplyAsync(() -> question.apply(stored), executor);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public <T> CompletionStage<T> write(Function<WriteBatch, T> change) {
    var answer = new AtomicReference<T>();
    return db.write(batch -> answer.set(change.apply(batch)))
        .thenApplyAsync(done -> answer.get(), answers);
  }

  @Override
  public CompletionStage<Void> afterEarlierWrites() {
    return db.afterEarlierWrites().thenApplyAsync(done -> done, answers);
  }

  private final class Stored implements Entries {
    @Override
    public Optional<byte[]> get(Key key) {
      return db.get(key);
    }

    @Override
    public Map<Key, byte[]> all(Collection<Key> keys) {
      var found = new HashMap<Key, byte[]>();
      keys.forEach(key -> db.get(key).ifPresent(value -> found.put(key, value)));
      return found;
    }

    @Override
    public <T> List<T> list(
        KeyRange range, Order order, int most, BiFunction<Key, byte[], T> read) {
      return db.list(range, order, most, read);
    }

    @Override
    public List<Key> keys(KeyRange range, Order order) {
      return db.list(range, order, Integer.MAX_VALUE, (key, value) -> key);
    }

    @Override
    public void scan(KeyRange range, Order order, Visitor visitor) {
      db.scan(range, order, visitor);
    }
  }
}
