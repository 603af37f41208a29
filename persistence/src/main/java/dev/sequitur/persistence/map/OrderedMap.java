package dev.sequitur.persistence.map;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Bytes under keys that are in order, durable when a write is answered. Thread-safe; nothing blocks
 * the caller, and every future completes on a thread that may wait for the disk or the database.
 */
public interface OrderedMap {
  /**
   * Asks for what is stored, on a thread that may wait.
   *
   * @param question each of its reads sees what is stored at its moment, and no write in part; two
   *     of them may see a write between them
   * @return fails with a {@link dev.sequitur.protocol.port.StoreException} if the disk or the
   *     database can't be read
   */
  <T> CompletionStage<T> read(Function<Entries, T> question);

  /**
   * Stores what a change puts and deletes, all or nothing, after all changes that were given
   * earlier: it reads what they have left, and nothing comes between. Who waits at the same time
   * shares one write.
   *
   * @param change answers by what it reads from its batch, and by nothing else that may become
   *     different: it may be run again, and a run whose answer nobody gets may have read a key as
   *     missing that is there. What it throws fails its own write alone.
   * @return fails with a {@link dev.sequitur.protocol.port.StoreException} if it was not stored, or
   *     nobody knows whether it was
   */
  <T> CompletionStage<T> write(Function<WriteBatch, T> change);

  /** Completes when every write that was given before is stored or has failed. */
  CompletionStage<Void> afterEarlierWrites();

  /**
   * What is stored, for who asks; of use while the question runs. The bytes must not be changed.
   */
  interface Entries {
    /** One entry. */
    Optional<byte[]> get(Key key);

    /** Those of many that are there; of a database asked for at once. */
    Map<Key, byte[]> all(Collection<Key> keys);

    /**
     * What the entries of a range say, in an order, as they are at one moment.
     *
     * @param most so many at the most, from 1
     */
    <T> List<T> list(KeyRange range, Order order, int most, BiFunction<Key, byte[], T> read);

    /** The keys of a range in an order, without what stands under them. */
    List<Key> keys(KeyRange range, Order order);

    /** Visits the entries of a range as they are at one moment, until the visitor has enough. */
    void scan(KeyRange range, Order order, Visitor visitor);
  }

  /** In which order entries come. */
  enum Order {
    /** From the smallest key to the greatest. */
    ASCENDING,
    /** From the greatest key to the smallest. */
    DESCENDING
  }

  /** What {@link Entries#scan} calls for each entry, on the thread that called it. */
  @FunctionalInterface
  interface Visitor {
    /** Takes an entry and says whether to go on. */
    boolean visit(Key key, byte[] value);
  }
}
