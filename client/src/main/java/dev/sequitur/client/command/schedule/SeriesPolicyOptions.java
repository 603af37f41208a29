package dev.sequitur.client.command.schedule;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.console.Values;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** What an owner says of a series beyond its cadence. */
final class SeriesPolicyOptions {
  @Option(
      names = "--not-before",
      paramLabel = "TIME",
      converter = WrittenMoment.AtOrNone.class,
      description = "Its start: no time of a series is earlier ('none' takes it away).")
  private WrittenMoment.Time notBefore;

  @Option(
      names = "--not-after",
      paramLabel = "TIME",
      converter = WrittenMoment.AtOrNone.class,
      description = "Its end: no time of a series is later ('none' takes it away).")
  private WrittenMoment.Time notAfter;

  @Option(
      names = "--days-off",
      paramLabel = "NAME",
      description =
          "A list of days on which a series does not run, see 'days-off' ('none' takes it away).")
  private String daysOff;

  @Option(
      names = "--overlap",
      paramLabel = "POLICY",
      description =
          "What is due while a series runs: wait, skip, or buffer-one, which keeps the newest"
              + " (default: wait).")
  private String overlap;

  @Option(
      names = "--jitter",
      paramLabel = "SPAN",
      converter = WrittenMoment.SpanOrNone.class,
      description =
          "Each time of a series runs up to so much later, always as much for the same time ('none'"
              + " takes it away).")
  private String jitter;

  @Option(
      names = "--pause-after",
      paramLabel = "N",
      converter = Failures.class,
      description = "A series is paused after so many failed runs in a row (0: never).")
  private String pauseAfter;

  /** None, or as many as a series may have. */
  static final class Failures implements ITypeConverter<String> {
    private static final int MOST = 1_000;

    @Override
    public String convert(String text) {
      return Long.toString(Values.wholeNumber(text, 0, MOST));
    }
  }

  boolean isSaid() {
    return Stream.of(notBefore, notAfter, daysOff, overlap, jitter, pauseAfter)
        .anyMatch(said -> said != null);
  }

  /** Adds what was said to a command. */
  void addTo(ObjectNode command, NodeOptions node) {
    NodeOptions.put(command, "notBefore", time(notBefore, node));
    NodeOptions.put(command, "notAfter", time(notAfter, node));
    NodeOptions.put(command, "daysOff", daysOff);
    NodeOptions.put(command, "overlap", overlap);
    NodeOptions.put(command, "jitter", jitter);
    NodeOptions.put(command, "pauseAfter", pauseAfter);
  }

  private static String time(WrittenMoment.Time said, NodeOptions node) {
    return said == null ? null : node.time(said);
  }
}
