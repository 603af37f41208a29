package dev.sequitur.persistence.postgres;

import dev.sequitur.persistence.map.Key;
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
  /** Who is overtaken so often keeps others away from what it reads, for a round trip. */
  private static final int TRIES_BESIDE = 3;

  /** Two can still end each other's. */
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
    try {
      var unknown = first;
      boolean begun = false;
      for (int tries = 1; !isStored(group, unknown, table, begun, tries, sent); tries++) {
        var read = group.forget();
        begun = tries >= TRIES_BESIDE;
        group.learn(read, table.fetchAfterFailure(read, begun));
        unknown = group.run();
      }
    } catch (SQLException | RuntimeException e) {
      table.rollBack(e);
      throw e;
    }
  }

  /**
   * @param begun whether a transaction was, in which nobody else changes what was read up to now
   * @return false if another JVM was faster
   */
  private boolean isStored(
      ChangeGroup group, Set<Key> first, EntryTable table, boolean begun, int tries, Runnable sent)
      throws SQLException {
    for (var unknown = first; !unknown.isEmpty(); unknown = group.run()) {
      group.learn(unknown, table.fetch(unknown));
    }
    if (!begun && fence.isEmpty() && group.read().isEmpty() && group.changesNothing()) {
      return true;
    }
    sent.run();
    try {
      settle(group, table.commit(group, fence, begun));
      return true;
    } catch (SQLException e) {
      group.read().keySet().forEach(remembered::forget);
      if (EntryTable.isKeptOut(e)) {
        throw fence.orElseThrow().refused();
      }
      if (!EntryTable.isOvertaken(e) || tries == MOST_TRIES) {
        throw e;
      }
      return false;
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
    group.read().forEach(remembered::put);
    group.left().forEach(remembered::change);
    group.lasting().forEach((key, value) -> remembered.put(key, Optional.of(value)));
    group.standing().forEach((key, value) -> remembered.put(key, Optional.of(value)));
  }
}
