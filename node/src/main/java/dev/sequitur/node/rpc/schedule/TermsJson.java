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
    if (terms instanceof GasPriorityTerms gas) {
      return JsonText.object()
          .put("scheduledTime", Instant.ofEpochMilli(gas.scheduledTimeMs()).toString())
          .put("maxGasAmount", Long.toString(gas.maxGasAmount()))
          .put("maxGasUnitPrice", Long.toString(gas.maxGasUnitPrice()));
    } else if (terms instanceof RecurringTerms recurring) {
      var json = JsonText.object().put("providedId", ScheduleJson.message(recurring.providedId()));
      var times = json.putArray("times");
      recurring.timesMs().forEach(time -> times.add(Instant.ofEpochMilli(time).toString()));
      return json;
    } else if (terms instanceof SeriesTerms series) {
      var json = JsonText.object().put("providedId", ScheduleJson.message(series.providedId()));
      if (series.cadence() instanceof Cadence.Every every) {
        json.put("first", Instant.ofEpochMilli(every.firstMs()).toString())
            .put("frequency", Duration.ofMillis(every.everyMs()).toString());
      } else if (series.cadence() instanceof CronCadence cron) {
        json.put("cron", cron.expression()).put("zone", cron.zone());
      }
      series.runs().ifPresent(runs -> json.put("runs", runs));
      return json;
    } else if (terms instanceof PlanTerms plan) {
      return JsonText.object()
          .put("plan", plan.plan())
          .put("timestamp", Instant.ofEpochSecond(plan.timestamp()).toString())
          .put("value", plan.value().toString());
    } else if (terms instanceof MultiSignatureTerms multi) {
      return MultiSignatureJson.terms(multi);
    }
    return JsonText.object();
  }
}
