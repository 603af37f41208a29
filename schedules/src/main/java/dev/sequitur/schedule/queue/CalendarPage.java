package dev.sequitur.schedule.queue;

import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.family.Schedule;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What is to run from a time on, as things stand now.
 *
 * @param planned ascending by time
 * @param next from which time on there may be more; empty if there is none before the end
 * @param partial whether some may be missing: what stands before the beginning was too much to look
 *     for all that runs again later, or one time has more than a page takes
 */
public record CalendarPage(List<Planned> planned, Optional<ConsensusTime> next, boolean partial) {
  public CalendarPage {
    planned = List.copyOf(planned);
  }

  /**
   * Those of several partitions that were asked the same, as one: as far as all of them were looked
   * through, and no time in parts.
   *
   * @param limit how many it has at most
   */
  public static CalendarPage merged(List<CalendarPage> pages, int limit) {
    var end = pages.stream().flatMap(page -> page.next().stream()).min(Comparator.naturalOrder());
    var known =
        pages.stream()
            .flatMap(page -> page.planned().stream())
            .filter(each -> end.isEmpty() || each.at().isBefore(end.get()))
            .sorted(Comparator.comparing(Planned::at).thenComparing(each -> each.schedule().id()))
            .toList();
    boolean partial = pages.stream().anyMatch(CalendarPage::partial);
    if (known.size() <= limit) {
      return new CalendarPage(known, end, partial);
    }
    var cut = known.get(limit).at();
    var whole = known.stream().filter(each -> each.at().isBefore(cut)).toList();
    return whole.isEmpty()
        ? new CalendarPage(known.subList(0, limit), Optional.of(cut.nextNano()), true)
        : new CalendarPage(whole, Optional.of(cut), partial);
  }

  /** One time of a schedule. */
  public record Planned(ConsensusTime at, Schedule schedule) {}
}
