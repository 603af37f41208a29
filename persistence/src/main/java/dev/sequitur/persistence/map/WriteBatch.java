package dev.sequitur.persistence.map;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What one write changes. It is stored whole or not at all.
 *
 * <p>It lives only while the write's change runs. What {@link #get} answers is so when this batch
 * is stored: a check and the change that rests on it are one step. Numbers that are {@linkplain
 * #next given} may be others when it is stored, if the store is shared with those who take some,
 * too: so what has such a number in it is put by {@link #putNumbered}, and nothing is decided by
 * it.
 */
public final class WriteBatch {
  private final Before before;
  private final Map<Key, Optional<byte[]>> changes = new HashMap<>();
  private final Map<Key, Numbered> numbered = new HashMap<>();
  private final Map<Key, Long> given = new HashMap<>();
  private final Map<Key, byte[]> raised = new HashMap<>();
  private long bytes;

  /** What earlier writes have left. */
  @FunctionalInterface
  public interface Before {
    /** The value under a key. */
    Optional<byte[]> get(Key key);

    /** As {@link #get}, of what is missing but in rare cases. */
    default Optional<byte[]> getRare(Key key) {
      return get(key);
    }

    /** As {@link #get}, of what lasts: {@link WriteBatch#getLasting} says how long. */
    default Optional<byte[]> getLasting(Key key) {
      return get(key);
    }

    /** The last number that a counter has given; it may be another when the batch is stored. */
    default long last(Key counter) {
      return number(get(counter));
    }

    /** Whether a counter, which never falls, has come so far. */
    default boolean reaches(Key counter, long number) {
      return number(get(counter)) >= number;
    }

    /** What a register was {@linkplain WriteBatch#raise raised} to, as far as it is known. */
    default Optional<byte[]> latest(Key register) {
      return get(register);
    }
  }

  /**
   * How an entry depends on a number of a counter.
   *
   * @param inKey whether its key ends with the number
   * @param inValue whether its value begins with it
   * @param since the register whose value the first {@link #SINCE_BYTES} of its value must not be
   *     before
   */
  public record Numbered(Key counter, boolean inKey, boolean inValue, Optional<Key> since) {
    /** The length of a time. */
    public static final int SINCE_BYTES = Long.BYTES + Integer.BYTES;

    /** One whose key ends with the number. */
    public static Numbered key(Key counter) {
      return new Numbered(counter, true, false, Optional.empty());
    }

    /** One whose value begins with it. */
    public static Numbered value(Key counter) {
      return new Numbered(counter, false, true, Optional.empty());
    }

    /** The same, whose value begins with what must not be before a register. */
    public Numbered notBefore(Key register) {
      return new Numbered(counter, inKey, inValue, Optional.of(register));
    }
  }

  public WriteBatch(Before before) {
    this.before = before;
  }

  /** The value as this batch and all earlier writes leave it; the bytes must not be changed. */
  public Optional<byte[]> get(Key key) {
    Optional<byte[]> changed = changes.get(key);
    return changed == null ? before.get(key) : changed;
  }

  /**
   * As {@link #get}, of what is missing but in rare cases: a store that is far away need not be
   * asked then.
   */
  public Optional<byte[]> getRare(Key key) {
    Optional<byte[]> changed = changes.get(key);
    return changed == null ? before.getRare(key) : changed;
  }

  /**
   * As {@link #get}, of what never changes once it is there, and is removed only when it no longer
   * matters whether whoever asks finds it: nobody has to see to it that it stays so. Where an
   * intent lies is forgotten with its id; who still finds it deletes what is gone already.
   */
  public Optional<byte[]> getLasting(Key key) {
    Optional<byte[]> changed = changes.get(key);
    return changed == null ? before.getLasting(key) : changed;
  }

  /** Sets a value; the bytes must not be changed afterwards. */
  public void put(Key key, byte[] value) {
    changes.put(key, Optional.of(value));
    numbered.remove(key);
    raised.remove(key);
    bytes += key.unsafeBytes().length + value.length;
  }

  /** As {@link #put}, of an entry that has a number in it which this batch was given. */
  public void putNumbered(Key key, byte[] value, Numbered how) {
    put(key, value);
    numbered.put(key, how);
  }

  /** Removes a key; one that doesn't exist is no error. */
  public void delete(Key key) {
    changes.put(key, Optional.empty());
    numbered.remove(key);
    bytes += key.unsafeBytes().length;
  }

  /** The next number of a counter, from 1: in the order in which writes are stored, without gap. */
  public long next(Key counter) {
    var last = given.get(counter);
    long next = (last == null ? before.last(counter) : last) + 1;
    put(counter, ByteBuffer.allocate(Long.BYTES).putLong(next).array());
    given.put(counter, next);
    return next;
  }

  /** Whether a counter had come so far before this batch. */
  public boolean reaches(Key counter, long number) {
    return before.reaches(counter, number);
  }

  /** What a register was raised to, as far as it is known: it may be later already. */
  public Optional<byte[]> latest(Key register) {
    Optional<byte[]> changed = changes.get(register);
    return changed == null ? before.latest(register) : changed;
  }

  /** Has a value stand under a key, unless one stands there that comes after it. */
  public void raise(Key register, byte[] value) {
    boolean isAlone = !changes.containsKey(register) || raised.containsKey(register);
    if (latest(register).map(old -> Arrays.compareUnsigned(old, value) < 0).orElse(true)) {
      put(register, value);
    }
    if (isAlone) {
      var before = raised.get(register);
      raised.put(register, before == null ? value : later(before, value));
    }
  }

  /** Of two values of a register. */
  public static byte[] later(byte[] one, byte[] another) {
    return Arrays.compareUnsigned(one, another) < 0 ? another : one;
  }

  private static long number(Optional<byte[]> stored) {
    return stored.map(some -> ByteBuffer.wrap(some).getLong()).orElse(0L);
  }

  /** Roughly how much there is to write. */
  public long bytes() {
    return bytes;
  }

  /** What is to be stored; empty is what is deleted. */
  public Map<Key, Optional<byte[]>> changes() {
    return changes;
  }

  /** Which of the changes have a number in them. */
  public Map<Key, Numbered> numbered() {
    return Collections.unmodifiableMap(numbered);
  }

  /** The last number that was given of each counter; each is among the changes, too. */
  public Map<Key, Long> given() {
    return Collections.unmodifiableMap(given);
  }

  /** What registers are raised to, at the least. */
  public Map<Key, byte[]> raised() {
    return Collections.unmodifiableMap(raised);
  }
}
