package dev.sequitur.client.command.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** What schedule_forecast answers, in lines for people. */
final class ForecastText {
  private ForecastText() {}

  static String forecast(String family, JsonNode forecast) {
    if (forecast.isNull()) {
      return "The node's queues do not serve this family.";
    }
    var text = new StringBuilder(place(family, forecast));
    if (forecast.path("full").asBoolean()) {
      text.append("\nNothing can be scheduled for it. ").append(forecast.path("why").asText());
    }
    if (forecast.has("plans")) {
      text.append('\n').append(plans(forecast.get("plans")));
    }
    if (forecast.has("remainingExecutions")) {
      text.append("\nExecutions left: ").append(forecast.get("remainingExecutions").asText());
    }
    if (forecast.has("fees")) {
      text.append('\n').append(fees(forecast));
    }
    return text.toString();
  }

  private static String place(String family, JsonNode forecast) {
    var pattern =
        switch (family) {
          case "multi-signature" ->
              forecast.hasNonNull("maxFutureSecs")
                  ? "At %s: %s of at most %s expire; creating and executing one costs at least %s."
                  : "At %s: %s of at most %s still wait unless they are signed; creating and"
                      + " executing one costs at least %s.";
          case "plan-execution" ->
              "At %s: %s are scheduled, and a block executes %s; an execution costs at least %s.";
          default -> "From %s: %s of %s taken; a place costs at least %s.";
        };
    return pattern.formatted(
        forecast.path("from").asText(),
        forecast.path("taken").asText(),
        forecast.path("capacity").asText(),
        forecast.path("price").asText());
  }

  private static String plans(JsonNode plans) {
    var rows = new ArrayList<List<String>>();
    rows.add(List.of("PLAN", "PRICE", "TOKEN", "EARLIEST", "LATEST"));
    for (var plan : plans) {
      rows.add(
          List.of(
              plan.path("plan").asText(),
              plan.path("price").asText(),
              ScheduleText.token(plan),
              plan.path("earliest").asText(),
              plan.path("latest").asText()));
    }
    return rows.size() == 1 ? "No plan is sold." : ScheduleText.table(rows);
  }

  private static String fees(JsonNode forecast) {
    var rows = new ArrayList<List<String>>();
    rows.add(List.of("OPERATION", "FEE", "A SECOND"));
    var throttles = forecast.path("throttles");
    forecast
        .path("fees")
        .fields()
        .forEachRemaining(
            fee ->
                rows.add(
                    List.of(
                        fee.getKey(),
                        fee.getValue().asText(),
                        throttles.has(fee.getKey())
                            ? "at most " + throttles.get(fee.getKey()).asText()
                            : "")));
    return ScheduleText.table(rows)
        + "\nA schedule that names no time waits "
        + forecast.path("txExpiryTimeSecs").asText()
        + " s for its signatures.";
  }
}
