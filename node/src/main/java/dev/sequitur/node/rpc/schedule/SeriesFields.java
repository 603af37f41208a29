package dev.sequitur.node.rpc.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.json.Field;
import dev.sequitur.json.Format;
import dev.sequitur.json.Sent;
import dev.sequitur.json.Shape;
import dev.sequitur.schedule.recurring.Overlap;
import dev.sequitur.schedule.recurring.SeriesPolicy;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** What its owner may say of a series beyond its cadence, at its creation and by a change. */
final class SeriesFields {
  private static final String NONE = "none";

  /** RFC 3339 or Unix seconds, in milliseconds. */
  static final Format<Long> TIME =
      Format.of(
          "a time such as 2030-01-31T12:00:00Z, or Unix seconds",
          CommandFields.either(Words.MILLIS),
          CommandFields::secondsAsMillis);

  private static final Field<Long> NOT_BEFORE =
      Field.optional(
          "notBefore",
          orNone(SeriesPolicy.NO_START),
          "of a series: no time of it is earlier (`none`: whenever)");
  private static final Field<Long> NOT_AFTER =
      Field.optional(
          "notAfter",
          orNone(SeriesPolicy.NO_END),
          "of a series: no time of it is later, and it ends with its last (`none`: it has no end)");

  private static final Field<String> DAYS_OFF =
      Field.optional(
          "daysOff",
          Format.of("the name of a list of days off, or `none`", "swiss", SeriesFields::list),
          "of a series: the list of days on which it does not run (recurring_setDaysOff)");
  private static final Shape<Overlap> OVERLAP_WORDS = Words.among(Overlap.class);
  private static final Field<Overlap> OVERLAP =
      Field.optional(
          "overlap",
          Format.ofText("wait, skip or buffer-one", OVERLAP_WORDS, SeriesFields::overlap),
          "of a series: what is due while it runs waits (`wait`), is missed (`skip`), or is missed but"
              + " for the newest, which runs then (`buffer-one`)");
  private static final Field<Duration> JITTER =
      Field.optional(
          "jitter",
          Format.ofText("a duration such as PT1H, or `none`", Words.DURATION, SeriesFields::jitter),
          "of a series: each time runs up to so much later, by whole slots and always as much for the"
              + " same time, but before the next; at most a day");
  private static final Field<Long> PAUSE_AFTER =
      Field.optional(
          "pauseAfter",
          CommandFields.NUMBER,
          "of a series: it is paused after so many runs in a row that have failed, 1 to 1000 (0:"
              + " never)");

  /** In the order in which they are told. */
  static final List<Field<?>> ALL =
      List.of(NOT_BEFORE, NOT_AFTER, DAYS_OFF, OVERLAP, JITTER, PAUSE_AFTER);

  private SeriesFields() {}

  /** Whether anything was sent of it. */
  static boolean isIn(Sent sent) {
    return ALL.stream().anyMatch(sent::has);
  }

  /** What only a series has. */
  static Field<?>[] and(Field<?>... others) {
    return Stream.concat(Stream.of(others), ALL.stream()).toArray(Field<?>[]::new);
  }

  /**
   * @throws IllegalArgumentException if what was sent goes not together
   */
  static SeriesPolicy policy(Sent sent) {
    return revision(sent).of(SeriesPolicy.NONE);
  }

  static SeriesPolicy.Revision revision(Sent sent) {
    return isIn(sent)
        ? new SeriesPolicy.Revision(
            sent.find(NOT_BEFORE),
            sent.find(NOT_AFTER),
            sent.find(DAYS_OFF),
            sent.find(OVERLAP),
            sent.find(JITTER),
            sent.find(PAUSE_AFTER)
                .map(after -> (int) Math.min(after, SeriesPolicy.MOST_FAILURES + 1)))
        : SeriesPolicy.Revision.NONE;
  }

  /** A time, or the word for none. */
  private static Format<Long> orNone(long none) {
    return Format.of(
        TIME.type() + ", or `none`",
        CommandFields.either(Words.MILLIS),
        (path, node) -> isNone(node) ? none : TIME.read(path, node));
  }

  private static Duration jitter(String text) {
    return text.equals(NONE) ? Duration.ZERO : CommandFields.parseDuration(text);
  }

  private static Overlap overlap(String text) {
    return Stream.of(Overlap.values())
        .filter(each -> Words.word(each).equals(text))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("Send wait, skip or buffer-one."));
  }

  private static String list(String text) {
    return text.equals(NONE) ? SeriesPolicy.NO_LIST : text;
  }

  private static boolean isNone(JsonNode node) {
    return NONE.equals(node.textValue());
  }
}
