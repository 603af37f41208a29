package dev.sequitur.client.command.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;

/** All that schedule_get knows of one schedule, a line each, for people. */
final class ScheduleDetails {
  private final Facts facts = new Facts();

  private ScheduleDetails() {}

  static String schedule(JsonNode schedule) {
    var details = new ScheduleDetails();
    details.add(schedule);
    return details.facts.text();
  }

  private void add(JsonNode schedule) {
    line("schedule", schedule.path("id"));
    line("state", schedule.path("state"));
    line("parked for", schedule.path("parkedFor"));
    if (schedule.has("terms")) {
      addWaiting(schedule);
    }
    if (schedule.has("lastOutcome")) {
      addLast(schedule.get("lastOutcome"), !schedule.has("terms"));
    }
  }

  /** With what it was about, if the schedule itself is gone. */
  private void addLast(JsonNode last, boolean gone) {
    if (gone) {
      line("owner", last.path("owner"));
      line("ran", ScheduleText.runs(last));
      addDescription(last);
      addTerms(last);
      line("wanted at", last.path("asked"));
    }
    var note = last.path("note").asText();
    line(
        "ended last",
        last.path("outcome").asText()
            + " at "
            + last.path("at").asText()
            + (note.isEmpty() ? "" : " (" + note + ")"));
    line("in words", RunText.said(last));
    line("cost", ScheduleText.cost(last.path("cost")));
    line("by", ScheduleText.ran(last));
  }

  private void addWaiting(JsonNode schedule) {
    line("owner", schedule.path("owner"));
    line("runs", ScheduleText.runs(schedule));
    addDescription(schedule);
    line("next", ScheduleText.when(schedule, WrittenMoment.zoneOf(schedule.path("terms"))));
    addTerms(schedule);
    if (!schedule.path("late").asText().equals("as-specified")) {
      line("if late", WrittenMoment.lateText(schedule.path("late").asText()));
    }
    if (schedule.path("maxAttempts").asInt() > 1) {
      line("attempts", "at most " + schedule.path("maxAttempts").asText() + pauses(schedule));
    }
    line("failed", schedule.path("failures"));
    line(
        "occurrence",
        schedule.path("occurrence").asText()
            + " of incarnation "
            + schedule.path("incarnation").asText());
    if (schedule.has("execution")) {
      line("execution", execution(schedule.get("execution")));
    }
    schedule.path("interventions").forEach(done -> line("done to it", intervention(done)));
  }

  /**
   * @param of a schedule, or an outcome of one
   */
  private void addDescription(JsonNode of) {
    line("for", of.path("description"));
    line("labels", ScheduleText.labels(of));
  }

  /**
   * @param of as of {@link #addDescription}
   */
  private void addTerms(JsonNode of) {
    var terms = of.path("terms");
    if (terms.has("maxGasAmount")) {
      line(
          "offers",
          "%s for each of %s gas, at most"
              .formatted(
                  terms.path("maxGasUnitPrice").asText(), terms.path("maxGasAmount").asText()));
      line("set aside", terms.path("setAside").asBoolean() ? "what it pays, too" : "");
    }
    line("called", terms.path("providedId"));
    line("key", terms.path("idempotencyKey"));
    if (terms.has("runs")) {
      long left = terms.get("runs").asLong() - of.path("occurrence").asLong();
      line("runs left", left + " of " + terms.get("runs").asText());
    }
    line("back-fill of", terms.path("backFillOf"));
    line("for", terms.path("backFillTime"));
    line("not before", terms.path("notBefore"));
    line("not after", terms.path("notAfter"));
    line("days off", terms.path("daysOff"));
    line("overlap", terms.path("overlap"));
    line("jitter", WrittenMoment.spanText(terms.path("jitter").asText()));
    line("pause after", terms.path("pauseAfter"));
    line("plan", terms.path("plan"));
    line("value", terms.path("value"));
    if (terms.has("scheduleID")) {
      addSigned(terms);
    }
  }

  private void addSigned(JsonNode terms) {
    line("creator", terms.path("creatorAccountID"));
    line("payer", terms.path("payerAccountID"));
    line("memo", terms.path("memo"));
    line("nonce", terms.path("nonce"));
    line("about it", terms.path("scheduleMemo"));
    line("admin key", key(terms.path("adminKey")));
    line("transaction", terms.path("scheduledTransactionID"));
    line("body", terms.path("transactionBody"));
  }

  private static String pauses(JsonNode schedule) {
    var pauses = new ArrayList<String>();
    schedule.path("pauses").forEach(pause -> pauses.add(WrittenMoment.spanText(pause.asText())));
    return pauses.isEmpty() ? "" : ", after " + String.join(", ", pauses);
  }

  /** Nested keys are shown as JSON has them. */
  private static String key(JsonNode key) {
    return key.isNull() ? "none: nobody can cancel it" : key.isTextual() ? key.asText() : "" + key;
  }

  private static String intervention(JsonNode done) {
    var note = done.path("note").asText();
    return "%s by %s at %s%s"
        .formatted(
            done.path("did").asText(),
            done.path("by").asText(),
            done.path("at").asText(),
            note.isEmpty() ? "" : ": " + note);
  }

  private static String execution(JsonNode execution) {
    var text =
        "attempt %s from %s"
            .formatted(execution.path("attempt").asText(), execution.path("startAt").asText());
    var conclusion = execution.path("conclusion");
    return conclusion.has("reason") ? text + ": " + conclusion.get("reason").asText() : text;
  }

  private void line(String label, JsonNode value) {
    line(label, value.asText(""));
  }

  private void line(String label, String value) {
    facts.add(label, value);
  }
}
