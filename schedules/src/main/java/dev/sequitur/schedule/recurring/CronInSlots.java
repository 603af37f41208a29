package dev.sequitur.schedule.recurring;

import static dev.sequitur.schedule.recurring.CronExpression.HOURS_OF_DAY;
import static dev.sequitur.schedule.recurring.CronExpression.MINUTES_OF_DAY;
import static dev.sequitur.schedule.recurring.CronExpression.MINUTES_OF_HOUR;
import static java.util.stream.Collectors.joining;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Whether each time of a cron expression begins a slot, and which expressions near it have only
 * such times (REC-14). What a clock jumps over is left out of account: such a time has moved to the
 * moment after the jump anyway.
 *
 * @param fromMs from when on, in milliseconds since 1970
 */
record CronInSlots(CronCadence cron, Duration slot, long fromMs) {
  private static final long MINUTE = Duration.ofMinutes(1).toMillis();
  private static final long DAY = MINUTES_OF_DAY * MINUTE;

  /** So far ahead changes of the zone's offset count: each that comes every year is among them. */
  private static final long WATCHED = 731 * DAY;

  /** Of slots that no day is made of, as each time may stand in another place in its slot. */
  private static final int MOST_LOOKED_AT = 1_000;

  /**
   * A time during which the zone's offset stays the same.
   *
   * @param startMs where a change was, or where we begin to look
   * @param endMs exclusive
   */
  private record Period(long startMs, long endMs, ZoneOffset offset) {}

  /**
   * Whether each time up to {@code untilMs} is known to begin a slot without a look at it, those
   * after a jump of the clock too: then so many slots have times as there are times.
   */
  boolean areOne(long untilMs) {
    var periods = periods(untilMs);
    return daysAreSlots()
        && eachTimeOfDayFits(periods)
        && periods.stream().skip(1).allMatch(period -> period.startMs() % slot.toMillis() == 0);
  }

  /** The first time that begins no slot. */
  Optional<Long> firstMisfit() {
    var periods = periods(fromMs + WATCHED);
    boolean daysAreSlots = daysAreSlots();
    if (daysAreSlots && eachTimeOfDayFits(periods)) {
      return Optional.empty();
    }
    return periods.stream()
        .flatMap(period -> (daysAreSlots ? inOneDay(period) : inAll(period)).stream())
        .filter(time -> time % slot.toMillis() != 0)
        .findFirst();
  }

  /** Where a day is made of slots, one day of a period has all times of day that others have. */
  private List<Long> inOneDay(Period period) {
    return cron.after(period.startMs())
        .map(first -> in(period, first + DAY, MINUTES_OF_DAY + 1))
        .orElse(List.of());
  }

  private List<Long> inAll(Period period) {
    return in(period, period.endMs(), MOST_LOOKED_AT);
  }

  private List<Long> in(Period period, long untilMs, int atMost) {
    return cron.after(period.startMs(), untilMs, atMost).stream()
        .filter(time -> time < period.endMs())
        .toList();
  }

  private boolean daysAreSlots() {
    return DAY % slot.toMillis() == 0;
  }

  private List<Period> periods(long untilMs) {
    var rules = cron.rules();
    var periods = new ArrayList<Period>();
    long start = fromMs;
    while (start <= untilMs) {
      var from = Instant.ofEpochMilli(start);
      var change = rules.nextTransition(from);
      long end = change == null ? Long.MAX_VALUE : change.getInstant().toEpochMilli();
      periods.add(new Period(start, end, rules.getOffset(from)));
      start = end;
    }
    return periods;
  }

  private boolean eachTimeOfDayFits(List<Period> periods) {
    return periods.stream().map(Period::offset).distinct().allMatch(this::eachTimeOfDayFits);
  }

  private boolean eachTimeOfDayFits(ZoneOffset offset) {
    var minutes = minutes();
    return hours().stream()
        .allMatch(
            hour ->
                minutes.stream()
                    .allMatch(minute -> behind(hour * MINUTES_OF_HOUR + minute, offset) == 0));
  }

  /** By how many milliseconds a minute of the day comes after the beginning of its slot. */
  private long behind(int minuteOfDay, ZoneOffset offset) {
    return Math.floorMod(minuteOfDay * MINUTE - offset.getTotalSeconds() * 1_000L, slot.toMillis());
  }

  private List<Integer> minutes() {
    return cron.expression().minutes();
  }

  private List<Integer> hours() {
    return cron.expression().hours();
  }

  private String field(int place) {
    return cron.expression().field(place);
  }

  /**
   * The expressions nearest to this one of which each time begins a slot: one, or two that are as
   * near as each other. None if a day is not made of slots, or if no expression near it fits all
   * offsets that its zone will have.
   *
   * @param misfit the first time that begins no slot
   */
  List<String> nearest(long misfit) {
    long behind = misfit % slot.toMillis();
    long ahead = slot.toMillis() - behind;
    if (minutes().size() > 1) {
      return snapped(cron.rules().getOffset(Instant.ofEpochMilli(misfit))).stream().toList();
    }
    var earlier = shifted(-behind);
    var later = shifted(ahead);
    if (earlier.isPresent() && later.isPresent() && behind == ahead) {
      return List.of(earlier.get(), later.get());
    }
    return (behind <= ahead ? Stream.of(earlier, later) : Stream.of(later, earlier))
        .flatMap(Optional::stream)
        .limit(1)
        .toList();
  }

  private Optional<String> shifted(long byMs) {
    return byMs % MINUTE == 0
        ? fitting(timesOfDay().map(minute -> minute + Math.toIntExact(byMs / MINUTE)).toList())
        : Optional.empty();
  }

  /** Each time of day at the beginning of its slot. */
  private Optional<String> snapped(ZoneOffset offset) {
    return fitting(
        timesOfDay()
            .map(minute -> minute - Math.toIntExact(behind(minute, offset) / MINUTE))
            .toList());
  }

  private Stream<Integer> timesOfDay() {
    var minutes = minutes();
    return hours().stream()
        .flatMap(hour -> minutes.stream().map(minute -> hour * MINUTES_OF_HOUR + minute));
  }

  /** An expression for just these minutes of the day, if there is one that fits. */
  private Optional<String> fitting(List<Integer> minutesOfDay) {
    boolean everyDay = Stream.of(2, 3, 4).allMatch(place -> field(place).equals("*"));
    if (!everyDay && minutesOfDay.stream().anyMatch(at -> at < 0 || at >= MINUTES_OF_DAY)) {
      return Optional.empty();
    }
    var minutes = new TreeSet<Integer>();
    var hours = new TreeSet<Integer>();
    var all = new TreeSet<Integer>();
    for (int at : minutesOfDay) {
      int ofDay = Math.floorMod(at, MINUTES_OF_DAY);
      all.add(ofDay);
      minutes.add(ofDay % MINUTES_OF_HOUR);
      hours.add(ofDay / MINUTES_OF_HOUR);
    }
    if (minutes.size() * hours.size() != all.size()) {
      return Optional.empty();
    }
    var hourField = List.copyOf(hours).equals(hours()) ? field(1) : listed(hours, HOURS_OF_DAY);
    var expression =
        Stream.of(listed(minutes, MINUTES_OF_HOUR), hourField, field(2), field(3), field(4))
            .collect(joining(" "));
    var found = new CronInSlots(new CronCadence(expression, cron.zone()), slot, fromMs);
    return found.firstMisfit().isEmpty() ? Optional.of(expression) : Optional.empty();
  }

  private static String listed(Collection<Integer> values, int ofAll) {
    return values.size() == ofAll
        ? "*"
        : values.stream().map(String::valueOf).collect(joining(","));
  }
}
