package dev.sequitur.client.command.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.ZoneName;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A point in time or a span of it, as a person writes it, in the words of JSON-RPC. */
final class WrittenMoment {
  static final String EXAMPLES =
      "such as 2030-01-31T12:00:00Z, '2030-01-31 13:00 Europe/Zurich', 'tomorrow 9:30', or +90s, +5m,"
          + " +2h, +1d from now";

  private static final String NONE = "none";
  private static final String EXPIRE_AND_REFUND = "expire-and-refund";
  private static final DateTimeFormatter SHOWN =
      DateTimeFormatter.ofPattern("EEE yyyy-MM-dd HH:mm:ss", Locale.ROOT);
  private static final Pattern SPAN = Pattern.compile("([0-9]{1,9})([smhd])");

  /** What a clock on the wall shows, at a place if it is named. */
  private static final Pattern LOCAL =
      Pattern.compile(
          "(?<day>[0-9]{4}-[0-9]{2}-[0-9]{2}|today|tomorrow)[ T]"
              + "(?<hour>[0-9]{1,2}):(?<minute>[0-9]{2})(?::(?<second>[0-9]{2}))?"
              + "(?: (?<zone>\\S.*))?",
          Pattern.CASE_INSENSITIVE);

  private WrittenMoment() {}

  /**
   * A point in time.
   *
   * @param fromNow whether it was said as a distance from the present, so that it is another time
   *     whenever it is said
   * @param zone of the clock on the wall that shows it, if it was said so
   */
  record Time(Instant instant, boolean fromNow, Optional<ZoneId> zone) {
    /** None at all, where one that was there may be taken away. */
    private static final Time NOWHEN = new Time(Instant.MAX, false, Optional.empty());

    /** As JSON-RPC has it. */
    String text() {
      return equals(NOWHEN) ? NONE : instant.toString();
    }

    /** For a person: with what that clock shows. */
    String shown() {
      return WrittenMoment.shown(instant, zone);
    }
  }

  /** With what the clock on the wall shows there. */
  static String shown(Instant instant, Optional<ZoneId> zone) {
    return zone.map(it -> SHOWN.format(instant.atZone(it)) + " " + it + " (" + instant + ")")
        .orElseGet(instant::toString);
  }

  /** A date with its offset, what a clock on the wall shows, or how long from now. */
  static final class At implements ITypeConverter<Time> {
    @Override
    public Time convert(String text) {
      var time =
          read(text)
              .filter(found -> !found.instant().isBefore(Instant.EPOCH))
              .orElseThrow(
                  () ->
                      new TypeConversionException(
                          "'" + text + "' is no time to come: write it " + EXAMPLES));
      if (!time.instant().isBefore(ConsensusTime.END)) {
        throw new TypeConversionException("'" + text + "' is too far away. " + ConsensusTime.ENDS);
      }
      return time;
    }

    private static Optional<Time> read(String text) {
      if (text.startsWith("+")) {
        return fromNow(text).map(instant -> new Time(instant, true, Optional.empty()));
      }
      var local = LOCAL.matcher(text.strip());
      return local.matches()
          ? Optional.of(onTheWall(local))
          : date(text).map(instant -> new Time(instant, false, Optional.empty()));
    }

    private static Optional<Instant> fromNow(String text) {
      var now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
      var longest = Duration.between(now, ConsensusTime.END);
      // An instant cannot hold the longest spans that can be written.
      return span(text.substring(1))
          .map(span -> now.plus(span.compareTo(longest) < 0 ? span : longest));
    }

    private static Optional<Instant> date(String text) {
      try {
        return Optional.of(OffsetDateTime.parse(text).toInstant());
      } catch (DateTimeException e) {
        return Optional.empty();
      }
    }
  }

  /** The same, or the word for none at all. */
  static final class AtOrNone implements ITypeConverter<Time> {
    @Override
    public Time convert(String text) {
      return text.equals(NONE) ? Time.NOWHEN : new At().convert(text);
    }
  }

  /** Which moment a clock on the wall shows a time, if it shows it once. */
  private static Time onTheWall(Matcher said) {
    var zone = zone(Optional.ofNullable(said.group("zone")));
    var local = local(said, zone);
    var offsets = zone.getRules().getValidOffsets(local);
    if (offsets.isEmpty()) {
      throw new TypeConversionException(
          "'%s' is a time that clocks in %s jump over: name one an hour later"
              .formatted(said.group(), zone));
    } else if (offsets.size() > 1) {
      throw new TypeConversionException(
          "'%s' is a time that clocks in %s show twice: write %s or %s"
              .formatted(
                  said.group(),
                  zone,
                  local.atOffset(offsets.get(0)),
                  local.atOffset(offsets.get(1))));
    }
    boolean fromNow = !Character.isDigit(said.group("day").charAt(0));
    return new Time(local.toInstant(offsets.get(0)), fromNow, Optional.of(zone));
  }

  private static LocalDateTime local(Matcher said, ZoneId zone) {
    try {
      var day =
          switch (said.group("day").toLowerCase(Locale.ROOT)) {
            case "today" -> LocalDate.now(zone);
            case "tomorrow" -> LocalDate.now(zone).plusDays(1);
            default -> LocalDate.parse(said.group("day"));
          };
      var second = Optional.ofNullable(said.group("second")).map(Integer::parseInt).orElse(0);
      return day.atTime(
          Integer.parseInt(said.group("hour")), Integer.parseInt(said.group("minute")), second);
    } catch (DateTimeException e) {
      throw new TypeConversionException(
          "'" + said.group() + "' is on no calendar or clock: write it " + EXAMPLES);
    }
  }

  /** Of a series that goes by cron, whose clock it goes by. */
  static Optional<ZoneId> zoneOf(JsonNode terms) {
    return Optional.ofNullable(terms.path("zone").textValue()).map(ZoneId::of);
  }

  /** That of this machine if none is named. */
  static ZoneId zone(Optional<String> name) {
    try {
      return name.map(ZoneName::of).orElseGet(ZoneId::systemDefault);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }

  /** A date with its offset, or how long ago; as JSON-RPC has it. */
  static final class Ago implements ITypeConverter<String> {
    static final String EXAMPLES =
        "such as 2026-01-31T12:00:00Z, 'today 9:30', or 90s, 5m, 2h, 1d ago";

    @Override
    public String convert(String text) {
      var now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
      var longest = Duration.between(Instant.EPOCH, now);
      return span(text)
          .map(span -> now.minus(span.compareTo(longest) < 0 ? span : longest))
          .or(() -> At.read(text).filter(said -> !text.startsWith("+")).map(Time::instant))
          .orElseThrow(
              () -> new TypeConversionException("'" + text + "' is no time: write it " + EXAMPLES))
          .toString();
    }
  }

  /** Such as 90s, 5m, 2h, 1d or PT5M. */
  static final class Span implements ITypeConverter<String> {
    @Override
    public String convert(String text) {
      return span(text)
          .map(Duration::toString)
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      "'" + text + "' is no span of time: write it such as 90s, 5m, 2h or 1d"));
    }
  }

  /** The same, or the word for none. */
  static final class SpanOrNone implements ITypeConverter<String> {
    @Override
    public String convert(String text) {
      return text.equals(NONE) ? text : new Span().convert(text);
    }
  }

  /** A span of time, also after run-once, or one of the other words of a late policy. */
  static final class Late implements ITypeConverter<String> {
    private static final String ONCE = "run-once ";
    private static final Set<String> WORDS =
        Set.of("as-specified", "skip", "run-once", "run-all", EXPIRE_AND_REFUND);

    @Override
    public String convert(String text) {
      if (WORDS.contains(text)) {
        return text;
      }
      var once = text.startsWith(ONCE) ? ONCE : "";
      return once
          + span(text.substring(once.length()))
              .map(Duration::toString)
              .orElseThrow(
                  () ->
                      new TypeConversionException(
                          "'"
                              + text
                              + "' says nothing of what is late: write skip, run-once, run-all, or"
                              + " how late it may still run, such as 5m or 'run-once 5m'"));
    }
  }

  /** A late policy as {@link Late} reads it. */
  static String lateText(String policy) {
    return policy.startsWith(Late.ONCE)
        ? Late.ONCE + spanText(policy.substring(Late.ONCE.length()))
        : spanText(policy);
  }

  /** The same of a recurring task, whose fees are not given back. */
  static final class LateOfTask implements ITypeConverter<String> {
    @Override
    public String convert(String text) {
      if (text.equals(EXPIRE_AND_REFUND)) {
        throw new TypeConversionException(
            "'%s' is not for a task, whose fees are not given back: write skip, run-once, run-all,"
                    .formatted(text)
                + " or how late it may still run, such as 5m");
      }
      return new Late().convert(text);
    }
  }

  /** Of an execution of a plan, whose window says how late it may run. */
  static final class LateOfPlan implements ITypeConverter<String> {
    @Override
    public String convert(String text) {
      if (text.equals(EXPIRE_AND_REFUND)) {
        return text;
      }
      throw new TypeConversionException(
          "'"
              + text
              + "' is not for a plan, whose window says how late it may run: write "
              + EXPIRE_AND_REFUND);
    }
  }

  /** As a person writes it: PT90M of JSON-RPC is 90m. What is no whole number of seconds stays. */
  static String spanText(String duration) {
    return span(duration)
        .filter(span -> span.isPositive() && span.getNano() == 0)
        .map(
            span ->
                span.toSeconds() % 86_400 == 0
                    ? span.toDays() + "d"
                    : span.toSeconds() % 3_600 == 0
                        ? span.toHours() + "h"
                        : span.toSeconds() % 60 == 0
                            ? span.toMinutes() + "m"
                            : span.toSeconds() + "s")
        .orElse(duration);
  }

  private static Optional<Duration> span(String text) {
    var found = SPAN.matcher(text.toLowerCase(Locale.ROOT));
    if (found.matches()) {
      long count = Long.parseLong(found.group(1));
      return Optional.of(
          switch (found.group(2)) {
            case "s" -> Duration.ofSeconds(count);
            case "m" -> Duration.ofMinutes(count);
            case "h" -> Duration.ofHours(count);
            default -> Duration.ofDays(count);
          });
    }
    try {
      return Optional.of(Duration.parse(text));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
