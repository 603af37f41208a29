package dev.sequitur.node.rpc.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.node.rpc.json.JsonText;
import dev.sequitur.protocol.schedule.family.Cadence;
import dev.sequitur.protocol.schedule.family.CronCadence;
import dev.sequitur.protocol.schedule.family.GasPriorityTerms;
import dev.sequitur.protocol.schedule.family.MultiSignatureTerms;
import dev.sequitur.protocol.schedule.family.PlanTerms;
import dev.sequitur.protocol.schedule.family.RecurringTerms;
import dev.sequitur.protocol.schedule.family.SeriesTerms;
import dev.sequitur.protocol.schedule.family.Terms;
import java.time.Duration;
import java.time.Instant;

/** What only a family understands of a schedule, in its specification's words. */
final class TermsJson {
  private TermsJson() {}

  static JsonNode terms(Terms terms) {
    return switch (terms) {
      case GasPriorityTerms gas ->
          JsonText.object()
              .put("scheduledTime", Instant.ofEpochMilli(gas.scheduledTimeMs()).toString())
              .put("maxGasAmount", Long.toString(gas.maxGasAmount()))
              .put("maxGasUnitPrice", Long.toString(gas.maxGasUnitPrice()));
      case RecurringTerms(var providedId, var timesMs) -> {
        var json = JsonText.object().put("providedId", ScheduleJson.message(providedId));
        var times = json.putArray("times");
        timesMs.forEach(time -> times.add(Instant.ofEpochMilli(time).toString()));
        yield json;
      }
      case SeriesTerms(var providedId, var cadence, var most) -> {
        var json = JsonText.object().put("providedId", ScheduleJson.message(providedId));
        switch (cadence) {
          case Cadence.Every(var firstMs, var everyMs) ->
              json.put("first", Instant.ofEpochMilli(firstMs).toString())
                  .put("frequency", Duration.ofMillis(everyMs).toString());
          case CronCadence cron -> json.put("cron", cron.expression()).put("zone", cron.zone());
        }
        most.ifPresent(runs -> json.put("runs", runs));
        yield json;
      }
      case PlanTerms(var plan, var timestamp, var value) ->
          JsonText.object()
              .put("plan", plan)
              .put("timestamp", Instant.ofEpochSecond(timestamp).toString())
              .put("value", value.toString());
      case MultiSignatureTerms multi -> MultiSignatureJson.terms(multi);
    };
  }
}
