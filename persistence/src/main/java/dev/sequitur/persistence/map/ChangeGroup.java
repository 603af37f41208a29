package dev.sequitur.persistence.map;

import dev.sequitur.persistence.journal.Key;
import dev.sequitur.persistence.journal.WriteBatch;
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
 */
final class ChangeGroup {
  /** What one reads that looks up what it has looked up is some three deep. */
  private static final int MOST_RUNS = 50;

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
  private Map<Key, Optional<byte[]>> left = Map.of();
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
    for (var change : changes) {
      var isSure = new boolean[] {true};
      var batch =
          new WriteBatch(
              key -> {
                var stored = left.get(key);
                if (stored == null) {
                  stored = known.get(key);
                }
                if (stored == null) {
                  stored = remembered.get(key);
                  if (stored != null) {
                    known.put(key, stored);
                  }
                }
                if (stored == null) {
                  isSure[0] = false;
                  unknown.add(key);
                  return Optional.empty();
                }
                return stored;
              });
      if (change.run(batch) && isSure[0]) {
        left.putAll(batch.changes());
      }
    }
    return Set.copyOf(unknown);
  }

  /**
   * What is stored under keys that were unknown.
   *
   * @param found those of them that are there
   */
  void learn(Set<Key> asked, Map<Key, byte[]> found) {
    asked.forEach(key -> known.put(key, Optional.ofNullable(found.get(key))));
  }

  /** All that was read up to now; what it was before this group, empty if it was missing. */
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

  /** What the last run leaves to be written; empty is what is deleted. */
  Map<Key, Optional<byte[]>> left() {
    return left;
  }
}
