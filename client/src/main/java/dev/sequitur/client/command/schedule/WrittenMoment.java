package dev.sequitur.client.command.schedule;

import dev.sequitur.schedule.ConsensusTime;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A point in time or a span of it, as a person writes it, in the words of JSON-RPC. */
final class WrittenMoment {
  static final String EXAMPLES = "such as 2030-01-31T12:00:00Z, or +90s, +5m, +2h, +1d from now";

  private static final String EXPIRE_AND_REFUND = "expire-and-refund";
  private static final Pattern SPAN = Pattern.compile("([0-9]{1,9})([smhd])");

  private WrittenMoment() {}

  /**
   * A point in time.
   *
   * @param text as JSON-RPC has it
   * @param fromNow whether it was said as a span, which is another time whenever it is said
   */
  record Time(String text, boolean fromNow) {}

  /** A date with its offset, or how long from now. */
  static final class At implements ITypeConverter<Time> {
    @Override
    public Time convert(String text) {
      boolean fromNow = text.startsWith("+");
      var time =
          (fromNow ? fromNow(text) : date(text))
              .filter(found -> !found.isBefore(Instant.EPOCH))
              .orElseThrow(
                  () ->
                      new TypeConversionException(
                          "'" + text + "' is no time to come: write it " + EXAMPLES));
      if (!time.isBefore(ConsensusTime.END)) {
        throw new TypeConversionException("'" + text + "' is too far away. " + ConsensusTime.ENDS);
      }
      return new Time(time.toString(), fromNow);
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

  /** A span of time, or one of the other words of a late policy. */
  static final class Late implements ITypeConverter<String> {
    @Override
    public String convert(String text) {
      return span(text).map(Duration::toString).orElse(text);
    }
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
