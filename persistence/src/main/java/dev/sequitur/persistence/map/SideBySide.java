package dev.sequitur.persistence.map;

import dev.sequitur.persistence.journal.Key;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/**
 * Side by side with those of other JVMs: the changes run upon what this JVM remembers, and what it
 * does not know is fetched. Then one round trip stores what they leave, bound to that all they have
 * read is still so. If it is not, it is fetched, and they run again.
 */
final class SideBySide implements Isolation {
  /** Who is overtaken more often has others who write the same all the time. */
  private static final int MOST_TRIES = 20;

  private final Remembered remembered;

  SideBySide(Remembered remembered) {
    this.remembered = remembered;
  }

  @Override
  public int mostAtOnce() {
    return 1_000;
  }

  @Override
  public ChangeGroup group(List<? extends ChangeGroup.Change> changes) {
    return new ChangeGroup(changes, remembered);
  }

  @Override
  public void store(ChangeGroup group, Set<Key> first, EntryTable table, Runnable sent)
      throws SQLException {
    var unknown = first;
    for (int tries = 1; true; tries++) {
      while (!unknown.isEmpty()) {
        group.learn(unknown, table.fetch(unknown));
        unknown = group.run();
      }
      if (group.read().isEmpty() && group.left().isEmpty()) {
        return;
      }
      sent.run();
      try {
        table.commitIfUnchanged(group.read(), group.left());
        remember(group);
        return;
      } catch (SQLException e) {
        group.read().keySet().forEach(remembered::forget);
        table.rollBack(e);
        if (!EntryTable.isOvertaken(e) || tries == MOST_TRIES) {
          throw e;
        }
        unknown = group.forget();
      }
    }
  }

  /** Nobody is to be asked again for what was read. */
  private void remember(ChangeGroup group) {
    group
        .read()
        .forEach((key, value) -> remembered.put(key, group.left().getOrDefault(key, value)));
  }
}
