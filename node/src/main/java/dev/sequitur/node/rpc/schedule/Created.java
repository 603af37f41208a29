package dev.sequitur.node.rpc.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.json.Field;
import dev.sequitur.json.Formats;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Sent;
import dev.sequitur.json.Shape;
import dev.sequitur.schedule.plan.PlanResult;
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
          .maybe("id", Words.SCHEDULE_ID, trial -> trial.schedules().stream().findFirst())
          .maybe(
              "ids",
              Words.SCHEDULE_ID.list(),
              trial -> Optional.of(trial.schedules()).filter(ids -> ids.size() > 1),
              "if it makes several; what follows but the money and the times is of the first")
          .with("setAside", Words.DIGITS, Trial::setAside, "until it has run")
          .with("fee", Words.DIGITS, Trial::fee, "paid at once")
          .with(
              "available",
              Words.DIGITS,
              Trial::available,
              "what could be spent then of the account that pays")
          .with(
              "times",
              Words.CONSENSUS.list(),
              Trial::times,
              "when it would run, the first " + Trial.TIMES)
          .maybe(
              "expires",
              Words.CONSENSUS,
              Trial::expires,
              "when it ends though it has not run: for want of signatures, or with its window")
          .maybe(
              "why",
              Formats.TEXT,
              Trial::why,
              "what it would wait for, as schedule_explain says it")
          .maybe(
              "remainingExecutions",
              Shape.NUMBER,
              Created::remaining,
              "of a purchase: how many executions of the plan could be scheduled then")
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

  private static Optional<Long> remaining(Trial trial) {
    return trial.answer().result().orElse(null) instanceof PlanResult.Purchased bought
        ? Optional.of(bought.remaining())
        : Optional.empty();
  }

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
