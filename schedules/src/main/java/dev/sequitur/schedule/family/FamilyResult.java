package dev.sequitur.schedule.family;

import dev.sequitur.schedule.ScheduleId;
import java.util.List;

/** What a family answers to an operation beyond yes or no: ids, numbers, codes of its text. */
public interface FamilyResult {
  /** Those that the operation has made, or found to be there already; in their order. */
  default List<ScheduleId> schedules() {
    return List.of();
  }
}
