package dev.sequitur.scheduler;

import static java.util.Spliterator.ORDERED;
import static java.util.Spliterators.spliteratorUnknownSize;

import dev.sequitur.schedule.family.Schedule;
import dev.sequitur.schedule.queue.DueList;
import dev.sequitur.schedule.queue.DuePlace;
import dev.sequitur.schedule.queue.SortedParts;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.StreamSupport;

/**
 * A page of schedules in the order in which they are due.
 *
 * @param next what to ask for after; empty on the last page. A page may be short, or empty, and
 *     still not be the last, since one call looks at only so many schedules
 * @param looked at how many schedules it was looked for these, wanted or not
 */
public record DuePage(List<Placed> schedules, Optional<DuePlace> next, int looked) {
  public DuePage {
    schedules = List.copyOf(schedules);
  }

  /** A schedule and where it stands. */
  public record Placed(DuePlace place, ScheduleView view) {}

  /**
   * As callers see it.
   *
   * @param views of a schedule
   */
  public static DuePage of(DueList.Page page, Function<Schedule, ScheduleView> views) {
    var seen =
        page.schedules().stream()
            .map(placed -> new Placed(placed.place(), views.apply(placed.schedule())))
            .toList();
    return new DuePage(seen, page.next(), page.looked());
  }

  /**
   * Pages of several that were asked the same, as one: as far as all of them were looked through.
   *
   * @param limit how many it has at most
   */
  public static DuePage merged(List<DuePage> pages, int limit) {
    var end = pages.stream().flatMap(page -> page.next().stream()).min(Comparator.naturalOrder());
    var parts = pages.stream().map(page -> page.schedules().iterator()).toList();
    var inOrder = new SortedParts<>(parts, Comparator.comparing(Placed::place));
    var known =
        StreamSupport.stream(spliteratorUnknownSize(inOrder, ORDERED), false)
            .takeWhile(placed -> end.isEmpty() || placed.place().compareTo(end.get()) <= 0)
            .limit(limit + 1L)
            .toList();
    int looked = pages.stream().mapToInt(DuePage::looked).sum();
    return known.size() > limit
        ? new DuePage(known.subList(0, limit), Optional.of(known.get(limit - 1).place()), looked)
        : new DuePage(known, end, looked);
  }
}
