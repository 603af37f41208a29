package dev.sequitur.persistence.postgres;

import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.WriteBatch;
import dev.sequitur.persistence.map.WriteBatch.Numbered;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds out what changes that are to be stored together read, without asking for one key after
 * another. All run against what is known. One that reads what is not known yet goes on as if it
 * were missing, so that as many keys as can be are known next time; what it has changed is thrown
 * away. Once nothing is unknown, each has read what those before it have left.
 *
 * <p>Numbers of counters are provisional until the group is stored: nobody is asked where a counter
 * stands, and others may take numbers at the same time. Whoever stores the group puts the right
 * ones in their places and says which those are; then all run once more, for their answers.
 */
final class ChangeGroup {
  /** What one reads that looks up what it has looked up is some three deep. */
  private static final int MOST_RUNS = 50;

  /** No counter ever comes so far, so that a provisional number is taken for no other. */
  private static final long PROVISIONAL = 1L << 62;

  /** What is stored when it succeeds; keeps what it throws to itself. */
  interface Change {
    /**
     * @return whether its batch is to be stored
     */
    boolean run(WriteBatch batch);
  }

  private final List<? extends Change> changes;
  private final Remembered remembered;
  private final Map<Key, Optional<byte[]>> known = new HashMap<>();

  /** What was read, is there, and never changes. */
  private final Map<Key, byte[]> lasting = new HashMap<>();

  private final Set<Key> askedForLasting = new HashSet<>();

  /** Where counters and registers stood just before this group was stored. */
  private Map<Key, Optional<byte[]>> settled = Map.of();

  private Map<Key, Optional<byte[]>> left = Map.of();

  /** Of what is left: those that have a number in them. */
  private final Map<Key, Numbered> numbered = new HashMap<>();

  private final Map<Key, Long> given = new HashMap<>();
  private final Map<Key, byte[]> raised = new HashMap<>();

  /** Keys with provisional numbers that came and went: nothing of them is to be stored. */
  private final Set<Key> vanished = new HashSet<>();

  private int runs;

  /** Of changes that begin with what is stored now. */
  ChangeGroup(List<? extends Change> changes) {
    this(changes, new Remembered(0));
  }

  /**
   * @param remembered need not be asked for; who stores what they leave finds out whether it is so
   */
  ChangeGroup(List<? extends Change> changes, Remembered remembered) {
    this.changes = changes;
    this.remembered = remembered;
  }

  /**
   * Runs all of them.
   *
   * @return what was read and is not known; empty if all have their answers
   */
  Set<Key> run() {
    if (++runs > MOST_RUNS) {
      throw new IllegalStateException(
          "After %d runs a change still reads more keys.".formatted(MOST_RUNS));
    }
    var unknown = new HashSet<Key>();
    left = new HashMap<>();
    numbered.clear();
    given.clear();
    raised.clear();
    vanished.clear();
    for (var change : changes) {
      var before = new Before(unknown);
      var batch = new WriteBatch(before);
      if (change.run(batch) && before.isSure) {
        leave(batch);
      }
    }
    vanished.forEach(left::remove);
    return Set.copyOf(unknown);
  }

  /** For one change. */
  private final class Before implements WriteBatch.Before {
    private final Set<Key> unknown;
    private boolean isSure = true;

    private Before(Set<Key> unknown) {
      this.unknown = unknown;
    }

    @Override
    public Optional<byte[]> get(Key key) {
      var last = given.get(key);
      if (last != null && settled.isEmpty() && !known.containsKey(key)) {
        // It wants to know what was taken for granted up to now.
        return ask(key);
      }
      if (last != null) {
        return Optional.of(bytes(last));
      }
      return find(key, false);
    }

    @Override
    public Optional<byte[]> getRare(Key key) {
      return find(key, true);
    }

    private Optional<byte[]> find(Key key, boolean isRare) {
      var stored = left.get(key);
      if (stored == null) {
        stored = known.get(key);
      }
      if (stored == null && lasting.containsKey(key)) {
        stored = Optional.of(lasting.get(key));
      }
      if (stored == null) {
        stored = remembered.get(key);
        if (stored == null && isRare) {
          stored = Optional.empty();
        }
        if (stored != null) {
          known.put(key, stored);
        }
      }
      return stored == null ? ask(key) : stored;
    }

    @Override
    public Optional<byte[]> getLasting(Key key) {
      if (!left.containsKey(key) && !known.containsKey(key)) {
        var known = remembered.get(key);
        if (known != null && known.isPresent()) {
          lasting.putIfAbsent(key, known.get());
        }
        if (lasting.containsKey(key)) {
          return Optional.of(lasting.get(key));
        }
        askedForLasting.add(key);
      }
      return find(key, false);
    }

    private Optional<byte[]> ask(Key key) {
      isSure = false;
      unknown.add(key);
      return Optional.empty();
    }

    @Override
    public long last(Key counter) {
      var last = given.get(counter);
      return last == null ? start(counter) : last;
    }

    @Override
    public boolean reaches(Key counter, long number) {
      var glance = known.containsKey(counter) ? known.get(counter) : remembered.get(counter);
      return (glance != null && number(glance) >= number) || number(find(counter, false)) >= number;
    }

    @Override
    public Optional<byte[]> latest(Key register) {
      var stored = left.get(register);
      if (stored == null) {
        stored = settled.get(register);
      }
      if (stored == null) {
        stored = Optional.ofNullable(remembered.get(register)).orElse(Optional.empty());
      }
      var higher = raised.get(register);
      return higher == null
          ? stored
          : Optional.of(stored.map(some -> WriteBatch.later(some, higher)).orElse(higher));
    }
  }

  /** The number before the first that this group gives. */
  private long start(Key counter) {
    if (settled.containsKey(counter)) {
      return number(settled.get(counter));
    }
    return known.containsKey(counter) ? number(known.get(counter)) : PROVISIONAL;
  }

  private void leave(WriteBatch batch) {
    given.putAll(batch.given());
    batch
        .raised()
        .forEach(
            (register, value) -> {
              var put = left.get(register);
              if (put != null) {
                left.put(
                    register,
                    Optional.of(put.map(some -> WriteBatch.later(some, value)).orElse(value)));
              } else {
                raised.merge(register, value, WriteBatch::later);
              }
            });
    batch
        .changes()
        .forEach(
            (key, value) -> {
              if (batch.given().containsKey(key) || batch.raised().containsKey(key)) {
                return;
              }
              raised.remove(key);
              var earlier = numbered.get(key);
              boolean isProvisional = earlier != null && earlier.inKey();
              if (value.isEmpty()) {
                numbered.remove(key);
                if (isProvisional) {
                  vanished.add(key);
                }
              } else if (batch.numbered().containsKey(key)) {
                numbered.put(key, batch.numbered().get(key));
                vanished.remove(key);
              } else if (!isProvisional) {
                numbered.remove(key);
              }
              left.put(key, value);
            });
  }

  private static byte[] bytes(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  private static long number(Optional<byte[]> stored) {
    return stored.map(some -> ByteBuffer.wrap(some).getLong()).orElse(0L);
  }

  /**
   * What is stored under keys that were unknown.
   *
   * @param found those of them that are there
   */
  void learn(Set<Key> asked, Map<Key, byte[]> found) {
    asked.forEach(
        key -> {
          if (found.containsKey(key) && askedForLasting.contains(key)) {
            lasting.put(key, found.get(key));
          } else {
            known.put(key, Optional.ofNullable(found.get(key)));
          }
        });
  }

  /** What was read, is there, and stays as it is. */
  Map<Key, byte[]> lasting() {
    return Collections.unmodifiableMap(lasting);
  }

  /** All else that was read up to now; what it was before this group, empty if it was missing. */
  Map<Key, Optional<byte[]>> read() {
    return Collections.unmodifiableMap(known);
  }

  /** What was read may be another by now: all of it is learnt anew. */
  Set<Key> forget() {
    var read = Set.copyOf(known.keySet());
    known.clear();
    runs = 0;
    return read;
  }

  /** What the last run leaves to be written; empty is what is deleted. No counter is among it. */
  Map<Key, Optional<byte[]>> left() {
    return left;
  }

  /** Which of {@link #left} have a number in them. */
  Map<Key, Numbered> numbered() {
    return numbered;
  }

  /** Whether there is anything to be written. */
  boolean changesNothing() {
    return left.isEmpty() && given.isEmpty() && raised.isEmpty();
  }

  /** The counters that numbers were taken of. */
  Map<Key, Taken> taken() {
    var taken = new HashMap<Key, Taken>();
    given.forEach((counter, last) -> taken.put(counter, new Taken(start(counter), last)));
    return taken;
  }

  /** What registers are to be raised to. */
  Map<Key, byte[]> raised() {
    return raised;
  }

  /** Where counters and registers stand once this group is stored and {@link #settle settled}. */
  Map<Key, byte[]> standing() {
    var standing = new HashMap<Key, byte[]>();
    given.forEach((counter, last) -> standing.put(counter, bytes(last)));
    raised.forEach(
        (register, value) ->
            standing.put(
                register,
                settled
                    .getOrDefault(register, Optional.empty())
                    .map(before -> WriteBatch.later(before, value))
                    .orElse(value)));
    return standing;
  }

  /**
   * Numbers of a counter.
   *
   * @param after the one before the first of them
   * @param last as far as they go
   */
  record Taken(long after, long last) {
    long count() {
      return last - after;
    }
  }

  /**
   * The group is stored: all run once more, for their answers and for what they have left.
   *
   * @param before where its counters, and the registers that its entries depend on, stood then
   */
  void settle(Map<Key, Optional<byte[]>> before) {
    settled = Map.copyOf(before);
    runs = 0;
    var unknown = run();
    if (!unknown.isEmpty()) {
      throw new IllegalStateException("A change reads more once it knows its numbers: " + unknown);
    }
  }
}
