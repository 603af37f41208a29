package dev.sequitur.schedule.gaspriority;

import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.family.FamilyState;
import java.util.Optional;
import java.util.OptionalLong;
import org.pcollections.TreePMap;
import org.pcollections.TreePVector;

/**
 * What the family knows of its queue.
 *
 * @param cut the newest ticks in which a block was cut while something waited longer than its own
 *     tick, oldest first: lateness is counted in these, so that an outage expires nothing (GAS-2)
 * @param repetitions as which each that goes on waits or runs now, by the id of its first run
 */
public record GasPriorityState(TreePVector<Long> cut, TreePMap<ScheduleId, ScheduleId> repetitions)
    implements FamilyState {
  static final GasPriorityState INITIAL =
      new GasPriorityState(TreePVector.empty(), TreePMap.empty());

  GasPriorityState goingOn(ScheduleId first, ScheduleId now) {
    return new GasPriorityState(cut, repetitions.plus(first, now));
  }

  /** One of its runs has ended: so has the repetition, unless another follows in the same step. */
  GasPriorityState ended(ScheduleId first, ScheduleId run) {
    return run.equals(repetitions.get(first))
        ? new GasPriorityState(cut, repetitions.minus(first))
        : this;
  }

  Optional<ScheduleId> present(ScheduleId first) {
    return Optional.ofNullable(repetitions.get(first));
  }

  /**
   * @param limit how many are remembered
   */
  GasPriorityState plus(long tick, int limit) {
    var next = isAhead(tick) ? TreePVector.singleton(tick) : cut.plus(tick);
    return new GasPriorityState(next.size() > limit ? next.minus(0) : next, repetitions);
  }

  boolean hasNewest(long tick) {
    return !cut.isEmpty() && cut.get(cut.size() - 1) == tick;
  }

  /** They were counted when a tick was shorter, and say nothing any more. */
  private boolean isAhead(long current) {
    return !cut.isEmpty() && cut.get(cut.size() - 1) > current;
  }

  /** The tick that, counted back from {@code current}, was the {@code number}th to be cut. */
  OptionalLong back(int number, long current) {
    if (isAhead(current)) {
      return OptionalLong.empty();
    }
    int known = hasNewest(current) ? cut.size() - 1 : cut.size();
    return known < number ? OptionalLong.empty() : OptionalLong.of(cut.get(known - number));
  }
}
