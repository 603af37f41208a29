package dev.sequitur.persistence.map;

import dev.sequitur.persistence.journal.Key;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** What keeps what other JVMs write from coming between what a group reads and what it writes. */
interface Isolation {
  /** So many changes share a transaction. */
  int mostAtOnce();

  /** What is to be stored together, before it is run. */
  ChangeGroup group(List<? extends ChangeGroup.Change> changes);

  /**
   * Stores what a group leaves.
   *
   * @param unknown what its first run has read and did not know
   * @param sent is told before the database is sent what it may store
   */
  void store(ChangeGroup group, Set<Key> unknown, EntryTable table, Runnable sent)
      throws SQLException;
}
