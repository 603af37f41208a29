package dev.sequitur.client.command.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;

/** What became of one time of a schedule, in words. */
final class RunText {
  private RunText() {}

  /** Such as "alice's run: paid 5 to bob, 1 ms late, 1 charged, balance 95". */
  static String of(JsonNode outcome) {
    return "%s's %s: %s"
        .formatted(outcome.path("owner").asText(), outcome.path("outcome").asText(), said(outcome));
  }

  /** Such as "paid 5 to bob, 1 ms late, 1 charged, balance 95". */
  static String said(JsonNode outcome) {
    var text = new StringBuilder(did(outcome));
    if (outcome.has("labels")) {
      text.append(" [").append(ScheduleText.labels(outcome)).append(']');
    }
    var attempts = outcome.path("attempts");
    var last = attempts.path(attempts.size() - 1);
    if (last.has("lateMs")) {
      text.append(", ").append(late(last));
    }
    if (attempts.size() > 1) {
      text.append(", at attempt ").append(attempts.size());
    }
    var charged = outcome.at("/cost/charged").asText();
    if (!charged.isEmpty() && !charged.equals("0")) {
      text.append(", ").append(charged).append(" charged");
    }
    if (outcome.has("balance")) {
      text.append(", balance ").append(outcome.path("balance").asText());
    }
    var note = outcome.path("note").asText();
    return note.isEmpty() ? text.toString() : text.append(" (").append(note).append(')').toString();
  }

  /** How late an attempt was: to the millisecond, or after an outage in its two largest units. */
  static String late(JsonNode attempt) {
    var late = Duration.ofMillis(attempt.path("lateMs").asLong());
    String said;
    if (late.toMinutes() == 0) {
      said = late.toMillis() + " ms";
    } else if (late.toHours() == 0) {
      said = late.toMinutes() + " min " + late.toSecondsPart() + " s";
    } else if (late.toDays() == 0) {
      said = late.toHours() + " h " + late.toMinutesPart() + " min";
    } else {
      said = late.toDays() + " d " + late.toHoursPart() + " h";
    }
    return said + " late";
  }

  /** What has been done, or was to be. */
  private static String did(JsonNode outcome) {
    var target = outcome.path("target");
    var action = target.path("type").asText().equals("repeat") ? target.path("action") : target;
    var type = action.path("type").asText();
    boolean plain = type.equals("transfer") || type.equals("notify");
    if (!plain || !outcome.path("outcome").asText().equals("run")) {
      return ScheduleText.runs(outcome);
    }
    return type.equals("transfer")
        ? "paid " + action.path("amount").asText() + " to " + action.path("to").asText()
        : "said \"" + action.path("message").asText() + '"';
  }
}
