package dev.sequitur.schedule.recurring;

import dev.sequitur.schedule.ZoneName;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Optional;

/**
 * A cron expression of five fields in a time zone. It names times of the clock on the wall, and
 * each of them runs once: one that the clock jumps over runs at the moment after the jump, with all
 * others of that gap; one that the clock shows twice runs the first time, and the second time, too,
 * if the hours are those that come and not certain ones ({@code *&#47;15 * * * *}).
 *
 * @param expression minute, hour, day of month (or L for the last), month, day of week; if both
 *     days are restricted, either will do
 * @param zone a name of the IANA database or an offset
 */
public record CronCadence(CronExpression expression, String zone) implements Cadence {
  private static final long MINUTE = 60_000;
  private static final int SECONDS = 60;

  /** Beyond any time that somebody waits for, and far from what is no number of milliseconds. */
  private static final long LAST = Long.MAX_VALUE / 2;

  public CronCadence {
    ZoneName.of(zone);
  }

  /** As somebody has written it. */
  public CronCadence(String expression, String zone) {
    this(new CronExpression(expression), zone);
  }

  @Override
  public Optional<Long> after(long ms) {
    if (ms >= LAST) {
      return Optional.empty();
    }
    var rules = rules();
    var next = expression.after(shown(rules, ms));
    var once =
        next.isPresent() ? Optional.of(instant(rules, next.getAsLong())) : Optional.<Long>empty();
    return once.isPresent() && expression.followsRealTime()
        ? shownAgain(rules, ms, once.get()).or(() -> once)
        : once;
  }

  /** The first time between two moments, exclusive, that the clock on the wall has shown before. */
  private Optional<Long> shownAgain(ZoneRules rules, long afterMs, long beforeMs) {
    var change = rules.previousTransition(Instant.ofEpochMilli(afterMs + 1));
    if (change == null) {
      change = rules.nextTransition(Instant.ofEpochMilli(afterMs));
    }
    while (change != null && ms(change.getInstant()) < beforeMs) {
      if (change.isOverlap()) {
        long from = Math.max(afterMs, ms(change.getInstant()) - 1);
        var minute = expression.after(at(from, change.getOffsetAfter()));
        if (minute.isPresent() && minute.getAsLong() <= lastShownTwice(change)) {
          return Optional.of(minute.getAsLong() * MINUTE - offsetMs(change.getOffsetAfter()));
        }
      }
      change = rules.nextTransition(change.getInstant());
    }
    return Optional.empty();
  }

  private static long lastShownTwice(ZoneOffsetTransition overlap) {
    return minute(overlap.getDateTimeBefore(), -1);
  }

  private static long at(long ms, ZoneOffset offset) {
    return Math.floorDiv(ms + offsetMs(offset), MINUTE);
  }

  /** What the clock on the wall shows. */
  private static long local(ZoneRules rules, long ms) {
    return at(ms, rules.getOffset(Instant.ofEpochMilli(ms)));
  }

  /** When the clock on the wall shows a minute first; if it jumps over it, after the jump. */
  private static long instant(ZoneRules rules, long minute) {
    var local = LocalDateTime.ofEpochSecond(minute * SECONDS, 0, ZoneOffset.UTC);
    var change = rules.getTransition(local);
    if (change == null) {
      return minute * MINUTE - offsetMs(rules.getOffset(local));
    }
    return change.isGap()
        ? ms(change.getInstant())
        : minute * MINUTE - offsetMs(change.getOffsetBefore());
  }

  /** At most two for each change of the zone's offset, and one for each month, are looked at. */
  @Override
  public long count(long afterMs, long untilMs) {
    var rules = rules();
    long count = expression.count(shown(rules, afterMs), shown(rules, untilMs));
    // All that a clock jumps over, and what it shows after the jump, are one time.
    var change = rules.nextTransition(Instant.ofEpochMilli(afterMs));
    while (change != null && ms(change.getInstant()) <= untilMs) {
      if (change.isGap()) {
        count -= Math.max(0, atOnce(change) - 1);
      }
      change = rules.nextTransition(change.getInstant());
    }
    return expression.followsRealTime() ? count + countAgain(rules, afterMs, untilMs) : count;
  }

  /** Of those that the clock on the wall has shown before. */
  private long countAgain(ZoneRules rules, long afterMs, long untilMs) {
    long count = 0;
    var change = rules.previousTransition(Instant.ofEpochMilli(afterMs + 1));
    if (change == null) {
      change = rules.nextTransition(Instant.ofEpochMilli(afterMs));
    }
    while (change != null && ms(change.getInstant()) <= untilMs) {
      if (change.isOverlap()) {
        var offset = change.getOffsetAfter();
        long from = Math.max(afterMs, ms(change.getInstant()) - 1);
        count +=
            expression.count(
                at(from, offset), Math.min(at(untilMs, offset), lastShownTwice(change)));
      }
      change = rules.nextTransition(change.getInstant());
    }
    return count;
  }

  private long atOnce(ZoneOffsetTransition gap) {
    return expression.count(minute(gap.getDateTimeBefore(), -1), minute(gap.getDateTimeAfter(), 0));
  }

  /** The last minute that the clock on the wall has shown, though it may show an earlier one. */
  private static long shown(ZoneRules rules, long ms) {
    long local = local(rules, ms);
    var now = Instant.ofEpochMilli(ms);
    var change =
        rules.getTransition(LocalDateTime.ofEpochSecond(local * SECONDS, 0, ZoneOffset.UTC));
    boolean again = change != null && change.isOverlap() && !now.isBefore(change.getInstant());
    return again ? minute(change.getDateTimeBefore(), -1) : local;
  }

  /**
   * @param more nanoseconds
   */
  private static long minute(LocalDateTime local, int more) {
    return Math.floorDiv(local.plusNanos(more).toEpochSecond(ZoneOffset.UTC), SECONDS);
  }

  private static long ms(Instant instant) {
    return instant.toEpochMilli();
  }

  private static long offsetMs(ZoneOffset offset) {
    return offset.getTotalSeconds() * 1_000L;
  }

  ZoneRules rules() {
    return ZoneName.of(zone).getRules();
  }
}
