package dev.sequitur.schedule.gaspriority;

import dev.sequitur.schedule.family.FamilyState;
import java.util.OptionalLong;
import org.pcollections.TreePVector;

/**
 * The newest ticks in which a block was cut while something waited longer than its own tick:
 * lateness is counted in these, so that an outage expires nothing (GAS-2).
 *
 * @param cut oldest first
 */
public record GasPriorityState(TreePVector<Long> cut) implements FamilyState {
  static final GasPriorityState INITIAL = new GasPriorityState(TreePVector.empty());

  /**
   * @param limit how many are remembered
   */
  GasPriorityState plus(long tick, int limit) {
    var next = isAhead(tick) ? TreePVector.singleton(tick) : cut.plus(tick);
    return new GasPriorityState(next.size() > limit ? next.minus(0) : next);
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
