package dev.sequitur.persistence.journal;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What one write changes. It is stored whole or not at all.
 *
 * <p>It lives only while the write's change runs, on the writer thread of its store. Since nobody
 * else writes meanwhile, what {@link #get} answers can't change before this batch is stored: a
 * check and the change that rests on it are one step.
 */
public final class WriteBatch {
  private final Function<Key, Optional<byte[]>> before;
  private final Map<Key, Optional<byte[]>> changes = new HashMap<>();
  private long bytes;

  /**
   * @param before what earlier writes have left under a key
   */
  public WriteBatch(Function<Key, Optional<byte[]>> before) {
    this.before = before;
  }

  /** The value as this batch and all earlier writes leave it; the bytes must not be changed. */
  public Optional<byte[]> get(Key key) {
    Optional<byte[]> changed = changes.get(key);
    return changed == null ? before.apply(key) : changed;
  }

  /** Sets a value; the bytes must not be changed afterwards. */
  public void put(Key key, byte[] value) {
    changes.put(key, Optional.of(value));
    bytes += key.unsafeBytes().length + value.length;
  }

  /** Removes a key; one that doesn't exist is no error. */
  public void delete(Key key) {
    changes.put(key, Optional.empty());
    bytes += key.unsafeBytes().length;
  }

  /** Roughly how much there is to write. */
  long bytes() {
    return bytes;
  }

  /** What is to be stored; empty is what is deleted. */
  public Map<Key, Optional<byte[]>> changes() {
    return changes;
  }
}
