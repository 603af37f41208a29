package dev.sequitur.client.command.schedule;

import com.fasterxml.jackson.databind.JsonNode;

/** What became of one time of a schedule, in words. */
final class RunText {
  private RunText() {}

  /** Such as "alice's run: pays 5 to bob, 1 ms late, 1 charged". */
  static String of(JsonNode outcome) {
    var text = new StringBuilder();
    text.append(outcome.path("owner").asText())
        .append("'s ")
        .append(outcome.path("outcome").asText())
        .append(": ")
        .append(ScheduleText.runs(outcome));
    var attempts = outcome.path("attempts");
    var last = attempts.path(attempts.size() - 1);
    if (last.has("lateMs")) {
      text.append(", ").append(last.path("lateMs").asText()).append(" ms late");
    }
    if (attempts.size() > 1) {
      text.append(", at attempt ").append(attempts.size());
    }
    var charged = outcome.at("/cost/charged").asText();
    if (!charged.isEmpty() && !charged.equals("0")) {
      text.append(", ").append(charged).append(" charged");
    }
    var note = outcome.path("note").asText();
    return note.isEmpty() ? text.toString() : text.append(" (").append(note).append(')').toString();
  }
}
