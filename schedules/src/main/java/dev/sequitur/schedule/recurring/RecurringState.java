package dev.sequitur.schedule.recurring;

import dev.sequitur.schedule.family.FamilyState;
import java.util.Collection;
import org.pcollections.TreePMap;

/**
 * How many tasks each slot has been promised to.
 *
 * @param tasks by slot since 1970; slots without one are not in it
 */
public record RecurringState(TreePMap<Long, Integer> tasks) implements FamilyState {
  static final RecurringState INITIAL = new RecurringState(TreePMap.empty());

  int in(long slot) {
    return tasks.getOrDefault(slot, 0);
  }

  RecurringState add(Collection<Long> slots, int change) {
    var next = this;
    for (long slot : slots) {
      next = next.add(slot, change);
    }
    return next;
  }

  private RecurringState add(long slot, int change) {
    int count = in(slot) + change;
    return new RecurringState(count == 0 ? tasks.minus(slot) : tasks.plus(slot, count));
  }
}
