package dev.sequitur.schedule.recurring;

import dev.sequitur.schedule.ZoneName;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Days on which no series runs that stands on this list. A day is one of the list's own zone, from
 * midnight to midnight, whatever the zone of a series is.
 *
 * @param zone a name of the IANA database or an offset
 * @param days since 1970; sorted here, and without duplicates
 */
public record DaysOff(String zone, List<Long> days) {
  /** Of a list. */
  public static final int MOST_DAYS = 1_000;

  private static final long LAST_DAY = LocalDate.of(2262, 1, 1).toEpochDay();

  /**
   * @throws IllegalArgumentException if there are too many, or they are on no calendar
   */
  public DaysOff {
    ZoneName.of(zone);
    days = days.stream().distinct().sorted().toList();
    if (days.size() > MOST_DAYS) {
      throw new IllegalArgumentException("A list has at most " + MOST_DAYS + " days.");
    } else if (days.stream().anyMatch(day -> day < 0 || day > LAST_DAY)) {
      throw new IllegalArgumentException("A day off lies between 1970 and 2262.");
    }
  }

  /** Days off without another day between them, in milliseconds since 1970. */
  record Span(long fromMs, long untilMs) {}

  /** When the next day that is none begins; empty if a time is on no day off. */
  Optional<Long> over(long ms) {
    int place = place(day(ms));
    return place < 0 ? Optional.empty() : Optional.of(begin(days.get(last(place)) + 1));
  }

  boolean contains(long ms) {
    return place(day(ms)) >= 0;
  }

  /** Those of which a part lies between two moments. */
  List<Span> between(long fromMs, long untilMs) {
    var spans = new ArrayList<Span>();
    int found = place(day(fromMs));
    int place = found < 0 ? -found - 1 : found;
    while (place < days.size() && begin(days.get(place)) <= untilMs) {
      int last = last(place);
      spans.add(new Span(begin(days.get(place)), begin(days.get(last) + 1)));
      place = last + 1;
    }
    return spans;
  }

  private int place(long day) {
    return Collections.binarySearch(days, day);
  }

  /** The place of the last of the days in a row that begin at a place. */
  private int last(int place) {
    int last = place;
    while (last + 1 < days.size() && days.get(last + 1) == days.get(last) + 1) {
      last++;
    }
    return last;
  }

  private long day(long ms) {
    return Instant.ofEpochMilli(ms).atZone(zoneId()).toLocalDate().toEpochDay();
  }

  private long begin(long day) {
    return LocalDate.ofEpochDay(day).atStartOfDay(zoneId()).toInstant().toEpochMilli();
  }

  private ZoneId zoneId() {
    return ZoneName.of(zone);
  }
}
