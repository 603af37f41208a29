package dev.sequitur.schedule.family;

import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What can be asked of one family beyond scheduling and cancelling. Each family has a sealed set of
 * them, named as its specification does.
 */
public interface FamilyOperation {
  FamilyKind family();

  /** As its specification calls it; it is throttled by this name, which is stored. */
  String name();

  /** The schedule that has to be there for it. */
  default Optional<ScheduleId> about() {
    return Optional.empty();
  }

  /** The same, and the schedule that has to be there for it never is (CLR-4). */
  default FamilyOperation aboutNone() {
    return this;
  }

  /**
   * Whether it is about what all schedules of a queue share, so that each partition does it for
   * itself (SCH-28).
   */
  default boolean isOfWholeQueue() {
    return false;
  }

  /** What it asks to have scheduled. */
  Stream<Target> targets();
}
