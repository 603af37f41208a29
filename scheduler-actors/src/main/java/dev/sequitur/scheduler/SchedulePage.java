package dev.sequitur.scheduler;

import dev.sequitur.schedule.ScheduleId;
import java.util.Comparator;
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

  /**
   * Pages of several that were asked the same, as one: as far as all of them were looked through.
   *
   * @param limit how many it has at most
   */
  public static SchedulePage merged(List<SchedulePage> pages, int limit) {
    var end = pages.stream().flatMap(page -> page.next().stream()).min(Comparator.naturalOrder());
    var known =
        pages.stream()
            .flatMap(page -> page.schedules().stream())
            .filter(view -> end.isEmpty() || id(view).compareTo(end.get()) <= 0)
            .sorted(Comparator.comparing(SchedulePage::id))
            .toList();
    int looked = pages.stream().mapToInt(SchedulePage::looked).sum();
    return known.size() > limit
        ? new SchedulePage(known.subList(0, limit), Optional.of(id(known.get(limit - 1))), looked)
        : new SchedulePage(known, end, looked);
  }

  private static ScheduleId id(ScheduleView view) {
    return view.schedule().id();
  }
}
