package dev.sequitur.protocol.schedule.recurring;

import com.cronutils.model.Cron;
import com.cronutils.model.definition.CronDefinition;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import java.util.List;
import java.util.Optional;

/**
 * A cron expression of five fields in a time zone. It names times of the clock on the wall, and
 * each of them runs once: one that the clock jumps over runs at the moment after the jump, with all
 * others of that gap; one that the clock shows twice runs the first time. Whoever wants something
 * in each hour of a day with 25 takes {@link Cadence.Every}.
 *
 * @param expression minute, hour, day of month (or L for the last), month, day of week; if both
 *     days are restricted, either will do
 * @param zone a name of the IANA database or an offset
 */
public record CronCadence(String expression, String zone) implements Cadence {
  private static final int MOST_CHARACTERS = 200;
  private static final int SUNDAY_TOO = 7;

  /** Those of Unix, and L for the last day of the month. */
  private static final CronDefinition FIELDS =
      CronDefinitionBuilder.defineCron()
          .withMinutes()
          .withStrictRange()
          .and()
          .withHours()
          .withStrictRange()
          .and()
          .withDayOfMonth()
          .supportsL()
          .withStrictRange()
          .and()
          .withMonth()
          .withStrictRange()
          .and()
          .withDayOfWeek()
          .withValidRange(0, 7)
          .withMondayDoWValue(1)
          .withIntMapping(SUNDAY_TOO, 0)
          .withStrictRange()
          .and()
          .instance();

  public CronCadence {
    parse(expression);
    zone(zone);
  }

  @Override
  public Optional<Long> after(long ms) {
    return parsed().after(ms);
  }

  @Override
  public List<Long> after(long ms, long untilMs, int atMost) {
    return Cadence.walk(parsed()::after, ms, untilMs, atMost);
  }

  private Parsed parsed() {
    return new Parsed(ExecutionTime.forCron(parse(expression)), zone(zone).getRules());
  }

  /** To parse costs more than to ask. */
  private record Parsed(ExecutionTime times, ZoneRules rules) {
    Optional<Long> after(long ms) {
      // The expression is asked in a zone without changes: what they do is decided here.
      var from = Instant.ofEpochMilli(ms);
      var local = LocalDateTime.ofInstant(from, rules.getOffset(from));
      while (true) {
        var next = times.nextExecution(local.atZone(ZoneOffset.UTC));
        if (next.isEmpty()) {
          return Optional.empty();
        }
        local = next.get().toLocalDateTime();
        var change = rules.getTransition(local);
        var instant =
            change != null && change.isGap()
                ? change.getInstant()
                : local.toInstant(rules.getValidOffsets(local).get(0));
        if (instant.toEpochMilli() > ms) {
          return Optional.of(instant.toEpochMilli());
        }
      }
    }
  }

  ZoneRules rules() {
    return zone(zone).getRules();
  }

  private static ZoneId zone(String name) {
    try {
      return ZoneId.of(name);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "There is no time zone '" + name + "': name one like Europe/Zurich or UTC.", e);
    }
  }

  private static Cron parse(String expression) {
    if (expression.length() > MOST_CHARACTERS) {
      throw new IllegalArgumentException("A cron expression has at most 200 characters.");
    }
    try {
      return new CronParser(FIELDS).parse(expression).validate();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "This is no cron expression of minute, hour, day of month, month and day of week: "
              + e.getMessage(),
          e);
    }
  }
}
