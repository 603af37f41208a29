package dev.sequitur.node.rpc.schedule;

import static java.util.stream.Collectors.joining;

import dev.sequitur.json.Field;
import dev.sequitur.json.Format;
import dev.sequitur.json.Sent;
import dev.sequitur.json.Shape;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.scheduler.OutcomeQuery;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Which page of a queue's outcomes, or of all that has happened there, is wanted. */
final class OutcomeFields {
  private OutcomeFields() {}

  static final Field<Long> FROM =
      Field.or("from", CommandFields.NUMBER, 0L, "the number of the first");
  static final Field<Outcome> OUTCOME =
      Field.optional(
          "outcome", oneOf(Outcome.class, "outcomes", "failed"), "only those that ended so");
  static final Field<Instant> SINCE =
      Field.optional("since", CommandFields.INSTANT, "only what happened then or later");
  static final Field<Instant> UNTIL =
      Field.optional("until", CommandFields.INSTANT, "only what happened before");
  static final Field<Integer> LIMIT = CommandFields.limit(OutcomeQuery.MOST);

  /** What outcomes, events and what is told of events are chosen by. */
  static final List<Field<?>> WHICH =
      List.of(
          FROM,
          CommandFields.OF_FAMILY,
          CommandFields.OF_OWNER,
          OUTCOME,
          CommandFields.LABEL,
          SINCE,
          UNTIL);

  /** By {@link #WHICH}. */
  static OutcomeQuery query(Sent sent, int limit) {
    return new OutcomeQuery(
        sent.get(FROM),
        limit,
        sent.find(CommandFields.OF_FAMILY),
        sent.find(CommandFields.OF_OWNER),
        Optional.empty(),
        sent.find(OUTCOME),
        sent.find(SINCE),
        sent.find(UNTIL),
        sent.find(CommandFields.LABEL));
  }

  /**
   * A word of an enumeration, as {@link Words#word} writes it.
   *
   * @param called what several of them are
   */
  static <E extends Enum<E>> Format<E> oneOf(Class<E> constants, String called, String example) {
    var words = "one of " + words(constants);
    return Format.ofText(
        words,
        Shape.words(words, example).of(Words::word),
        text ->
            find(constants, text)
                .orElseThrow(
                    () ->
                        new IllegalArgumentException(
                            "The " + called + " are " + words(constants) + ".")));
  }

  /** The constant that is written so. */
  static <E extends Enum<E>> Optional<E> find(Class<E> constants, String text) {
    return Stream.of(constants.getEnumConstants())
        .filter(each -> Words.word(each).equals(text))
        .findFirst();
  }

  private static <E extends Enum<E>> String words(Class<E> constants) {
    return Stream.of(constants.getEnumConstants()).map(Words::word).collect(joining(", "));
  }
}
