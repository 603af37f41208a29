package dev.sequitur.client.command.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import picocli.CommandLine.Option;

/** Whether a creation is to be told only what would come of it. */
final class DryRun {
  @Option(
      names = "--dry-run",
      description =
          "Does nothing: says when it would run and what it would cost, or why it would be refused.")
  private boolean isDry;

  boolean isSaid() {
    return isDry;
  }

  /** Adds what was said to a command. */
  void addTo(ObjectNode command) {
    if (isDry) {
      command.put("dryRun", true);
    }
  }

  /**
   * What is told of what was answered.
   *
   * @param done if it was done
   */
  Function<JsonNode, String> or(Function<JsonNode, String> done) {
    return or(Optional.empty(), done);
  }

  /**
   * The same.
   *
   * @param zone of the clock by which its caller said when
   */
  Function<JsonNode, String> or(Optional<ZoneId> zone, Function<JsonNode, String> done) {
    var shownBy = zone.orElseGet(ZoneId::systemDefault);
    return isDry ? trial -> text(trial, shownBy) : done;
  }

  private static String text(JsonNode trial, ZoneId zone) {
    var place = trial.path("place");
    return new Facts()
        .add("nothing done", "this is what would come of it")
        .add("schedule", ids(trial))
        .add(
            "runs at",
            StreamSupport.stream(trial.path("times").spliterator(), false)
                .map(time -> shown(time, zone))
                .collect(Collectors.joining("\n")))
        .add("ends by", trial.has("expires") ? shown(trial.path("expires"), zone) : "")
        .add("waits", trial.path("why").asText())
        .add("set aside", trial.path("setAside").asText())
        .add("paid at once", trial.path("fee").asText())
        .add("then left", trial.path("available").asText())
        .add("executions", remaining(trial))
        .add(
            "its place",
            place.isMissingNode()
                ? ""
                : "%s of %s taken with it, at %s each"
                    .formatted(
                        place.path("taken").asText(),
                        place.path("capacity").asText(),
                        place.path("price").asText()))
        .add(
            "would expire",
            place.path("unreached").asLong() == 0
                ? ""
                : place.path("unreached").asText() + " of those that stand there")
        .add("warning", trial.path("warning").asText())
        .text();
  }

  private static String ids(JsonNode trial) {
    return trial.has("ids")
        ? StreamSupport.stream(trial.path("ids").spliterator(), false)
            .map(JsonNode::asText)
            .collect(Collectors.joining("\n"))
        : trial.path("id").asText();
  }

  private static String shown(JsonNode time, ZoneId zone) {
    return WrittenMoment.shown(Instant.parse(time.asText()), Optional.of(zone));
  }

  private static String remaining(JsonNode trial) {
    return trial.has("remainingExecutions")
        ? trial.path("remainingExecutions").asText() + " left to schedule then"
        : "";
  }
}
