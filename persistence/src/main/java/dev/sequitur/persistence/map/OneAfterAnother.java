package dev.sequitur.persistence.map;

import dev.sequitur.persistence.journal.Key;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/**
 * One after another: the transaction begins by passing the {@link Fence}, and so is alone among
 * those that pass it too. Then it fetches what the changes read, which takes as many round trips as
 * one of them looks up what it has looked up; one more writes and commits, however many changes
 * there are.
 */
record OneAfterAnother(Fence fence) implements Isolation {
  @Override
  public int mostAtOnce() {
    return 128;
  }

  @Override
  public ChangeGroup group(List<? extends ChangeGroup.Change> changes) {
    return new ChangeGroup(changes);
  }

  @Override
  public void store(ChangeGroup group, Set<Key> first, EntryTable table, Runnable sent)
      throws SQLException {
    try {
      var unknown = first;
      var found = table.begin(fence, unknown);
      while (!unknown.isEmpty()) {
        group.learn(unknown, found);
        unknown = group.run();
        found = table.fetch(unknown);
      }
      sent.run();
      table.commit(group.left());
    } catch (SQLException | RuntimeException e) {
      table.rollBack(e);
      throw e;
    }
  }
}
