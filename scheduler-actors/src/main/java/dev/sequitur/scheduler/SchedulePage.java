package dev.sequitur.scheduler;

import dev.sequitur.schedule.ScheduleId;
import java.util.List;
import java.util.Optional;

/**
 * A page of schedules.
 *
 * @param next what to ask for after; empty on the last page. A page may be short, or empty, and
 *     still not be the last, since one call looks at only so many schedules
 * @param looked at how many schedules it was looked for these, wanted or not
 */
public record SchedulePage(List<ScheduleView> schedules, Optional<ScheduleId> next, int looked) {
  public SchedulePage {
    schedules = List.copyOf(schedules);
  }
}
