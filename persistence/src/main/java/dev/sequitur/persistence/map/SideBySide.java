package dev.sequitur.persistence.map;

import dev.sequitur.persistence.journal.Key;
import dev.sequitur.persistence.postgres.DatabaseException;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Stores groups side by side with those of other JVMs: the changes run upon what this JVM
 * remembers, and what it does not know is fetched. Then one round trip stores what they leave,
 * bound to that this JVM may write and that all they have read is still so. If it is not, it is
 * fetched, and they run again.
 *
 * @param fence who may write; empty if everybody
 * @param mostAtOnce so many changes share a transaction
 */
record SideBySide(Remembered remembered, Optional<Fence> fence, int mostAtOnce) {
  /** Who is overtaken more often has others who write the same all the time. */
  private static final int MOST_TRIES = 20;

  /** What is to be stored together, before it is run. */
  ChangeGroup group(List<? extends ChangeGroup.Change> changes) {
    return new ChangeGroup(changes, remembered);
  }

  /**
   * Stores what a group leaves.
   *
   * @param first what its first run has read and did not know
   * @param sent is told before the database is sent what it may store
   */
  void store(ChangeGroup group, Set<Key> first, EntryTable table, Runnable sent)
      throws SQLException {
    var unknown = first;
    for (int tries = 1; true; tries++) {
      while (!unknown.isEmpty()) {
        group.learn(unknown, table.fetch(unknown));
        unknown = group.run();
      }
      if (fence.isEmpty() && group.read().isEmpty() && group.changesNothing()) {
        return;
      }
      sent.run();
      try {
        var before = table.commit(group, fence);
        settle(group, before);
        return;
      } catch (SQLException e) {
        group.read().keySet().forEach(remembered::forget);
        boolean isKeptOut = EntryTable.isKeptOut(e);
        if (isKeptOut || !EntryTable.isOvertaken(e) || tries == MOST_TRIES) {
          table.rollBack(e);
          if (isKeptOut) {
            throw fence.orElseThrow().refused();
          }
          throw e;
        }
        var read = group.forget();
        group.learn(read, table.fetchAfterFailure(read));
        unknown = group.run();
      }
    }
  }

  /** Nobody is to be asked again for what was read. */
  private void settle(ChangeGroup group, Map<Key, Optional<byte[]>> before) {
    if (!before.isEmpty()) {
      try {
        group.settle(before);
      } catch (RuntimeException e) {
        throw new DatabaseException("It is stored, but what came of it is not known.", e);
      }
    }
    group
        .read()
        .forEach((key, value) -> remembered.put(key, group.left().getOrDefault(key, value)));
    group.lasting().forEach((key, value) -> remembered.put(key, Optional.of(value)));
    group.standing().forEach((key, value) -> remembered.put(key, Optional.of(value)));
  }
}
