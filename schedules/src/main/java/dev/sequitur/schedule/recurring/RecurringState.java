package dev.sequitur.schedule.recurring;

import dev.sequitur.protocol.copying.Copyable;
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
@Copyable
public record RecurringState(
    TreePMap<Long, Integer> tasks,
    TreePMap<String, DaysOff> daysOff,
    TreePMap<String, TreePSet<ScheduleId>> standing,
    TreePMap<ScheduleId, TreePSet<Long>> filled)
    implements FamilyState, RecurringStateBuilder.With {
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
    return withTasks(count == 0 ? tasks.minus(slot) : tasks.plus(slot, count));
  }

  /** The list on which a series stands, if it stands on one. */
  Optional<DaysOff> listOf(SeriesPolicy policy) {
    return policy.list().map(daysOff::get);
  }

  Set<ScheduleId> on(String list) {
    return standing.getOrDefault(list, TreePSet.empty());
  }

  RecurringState with(String list, DaysOff days) {
    return withDaysOff(daysOff.plus(list, days));
  }

  RecurringState without(String list) {
    return withDaysOff(daysOff.minus(list));
  }

  /** With a series that stands on a list from now on. */
  RecurringState standing(String list, ScheduleId series) {
    return withStanding(
        standing.plus(list, standing.getOrDefault(list, TreePSet.empty()).plus(series)));
  }

  /** With a series that stands on a list no more. */
  RecurringState leaving(String list, ScheduleId series) {
    var left = standing.getOrDefault(list, TreePSet.<ScheduleId>empty()).minus(series);
    return withStanding(left.isEmpty() ? standing.minus(list) : standing.plus(list, left));
  }

  Set<Long> filledOf(ScheduleId series) {
    return filled.getOrDefault(series, TreePSet.empty());
  }

  /** With a past time of a series that is filled now. */
  RecurringState filling(RecurringTerms.BackFilled time) {
    var times = filled.getOrDefault(time.series(), TreePSet.empty()).plus(time.timeMs());
    return withFilled(filled.plus(time.series(), times));
  }

  /** With a past time of a series that may be filled again: it did not run. */
  RecurringState unfilled(RecurringTerms.BackFilled time) {
    var left = filled.getOrDefault(time.series(), TreePSet.<Long>empty()).minus(time.timeMs());
    return left.isEmpty() ? without(time.series()) : withFilled(filled.plus(time.series(), left));
  }

  /** Without what is known of a series that has ended. */
  RecurringState without(ScheduleId series) {
    return withFilled(filled.minus(series));
  }
}
