package dev.sequitur.node.rpc.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.json.Field;
import dev.sequitur.json.Formats;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Sent;
import dev.sequitur.json.Shape;
import dev.sequitur.schedule.queue.Trial;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a creation answers: what was made, or, in a dry run, what would come of it.
 *
 * @param made empty in a dry run
 * @param trial of a dry run
 */
record Created<T>(Optional<T> made, Optional<Trial> trial) {
  /** Of a creation. */
  static final Field<Boolean> DRY_RUN =
      Field.or(
          "dryRun",
          Formats.BOOLEAN,
          false,
          "whether nothing is to be done: it is refused as the creation would be, or answers what it"
              + " would cost and when it would run");

  private static final ObjectShape<Trial> TRIAL =
      ObjectShape.<Trial>named("DryRun")
          .maybe("id", Words.SCHEDULE_ID, trial -> trial.answer().schedule())
          .with("setAside", Words.DIGITS, Trial::setAside, "until it has run")
          .with("fee", Words.DIGITS, Trial::fee, "paid at once")
          .with("available", Words.DIGITS, Trial::available, "what its owner could spend then")
          .with(
              "times",
              Words.CONSENSUS.list(),
              Trial::times,
              "when it would run, the first " + Trial.TIMES)
          .maybe(
              "warning",
              Formats.TEXT,
              Trial::warning,
              "why it would not be run unless others go, and what to do; else left out")
          .maybe(
              "place",
              ScheduleShapes.FORECAST,
              Trial::place,
              "how full its first time would be with it, as schedule_forecast has it");

  static <T> Created<T> made(T made) {
    return new Created<>(Optional.of(made), Optional.empty());
  }

  static <T> Created<T> tried(Trial trial) {
    return new Created<>(Optional.empty(), Optional.of(trial));
  }

  /**
   * @param made of what is answered if it is made
   */
  static <T> Shape<Created<T>> shape(Shape<T> made) {
    return Shape.oneOf(
        List.of(made, TRIAL),
        created ->
            Stream.concat(
                    created.made().<JsonNode>map(made::write).stream(),
                    created.trial().<JsonNode>map(TRIAL::write).stream())
                .findFirst()
                .orElseThrow());
  }

  /** How many schedules a creation begins. */
  static int begun(Sent sent) {
    return sent.get(DRY_RUN) ? 0 : 1;
  }
}
