package dev.sequitur.schedule.recurring;

import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.family.FamilyState;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import org.pcollections.TreePMap;
import org.pcollections.TreePSet;

/**
 * What the family knows of its queue.
 *
 * @param tasks how many tasks each slot has been promised to, by slot since 1970; slots without one
 *     are not in it
 * @param daysOff the lists of days off, by name
 * @param standing the series that stand on each list; lists without one are not in it
 * @param filled the past times of each series, in milliseconds since 1970, that a back-fill runs or
 *     has run; series without one are not in it
 */
public record RecurringState(
    TreePMap<Long, Integer> tasks,
    TreePMap<String, DaysOff> daysOff,
    TreePMap<String, TreePSet<ScheduleId>> standing,
    TreePMap<ScheduleId, TreePSet<Long>> filled)
    implements FamilyState {
  public static final RecurringState INITIAL =
      new RecurringState(TreePMap.empty(), TreePMap.empty(), TreePMap.empty(), TreePMap.empty());

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
    return new RecurringState(
        count == 0 ? tasks.minus(slot) : tasks.plus(slot, count), daysOff, standing, filled);
  }

  /** The list on which a series stands, if it stands on one. */
  Optional<DaysOff> listOf(SeriesPolicy policy) {
    return policy.list().map(daysOff::get);
  }

  Set<ScheduleId> on(String list) {
    return standing.getOrDefault(list, TreePSet.empty());
  }

  RecurringState with(String list, DaysOff days) {
    return new RecurringState(tasks, daysOff.plus(list, days), standing, filled);
  }

  RecurringState without(String list) {
    return new RecurringState(tasks, daysOff.minus(list), standing, filled);
  }

  /** With a series that stands on a list from now on. */
  RecurringState standing(String list, ScheduleId series) {
    return new RecurringState(
        tasks,
        daysOff,
        standing.plus(list, standing.getOrDefault(list, TreePSet.empty()).plus(series)),
        filled);
  }

  /** With a series that stands on a list no more. */
  RecurringState leaving(String list, ScheduleId series) {
    var left = standing.getOrDefault(list, TreePSet.<ScheduleId>empty()).minus(series);
    return new RecurringState(
        tasks, daysOff, left.isEmpty() ? standing.minus(list) : standing.plus(list, left), filled);
  }

  Set<Long> filledOf(ScheduleId series) {
    return filled.getOrDefault(series, TreePSet.empty());
  }

  /** With a past time of a series that is filled now. */
  RecurringState filling(RecurringTerms.BackFilled time) {
    var times = filled.getOrDefault(time.series(), TreePSet.empty()).plus(time.timeMs());
    return new RecurringState(tasks, daysOff, standing, filled.plus(time.series(), times));
  }

  /** With a past time of a series that may be filled again: it did not run. */
  RecurringState unfilled(RecurringTerms.BackFilled time) {
    var left = filled.getOrDefault(time.series(), TreePSet.<Long>empty()).minus(time.timeMs());
    return left.isEmpty()
        ? without(time.series())
        : new RecurringState(tasks, daysOff, standing, filled.plus(time.series(), left));
  }

  /** Without what is known of a series that has ended. */
  RecurringState without(ScheduleId series) {
    return new RecurringState(tasks, daysOff, standing, filled.minus(series));
  }
}
