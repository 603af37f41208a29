package dev.sequitur.node.rpc.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.node.rpc.json.JsonText;
import dev.sequitur.protocol.schedule.family.GasPriorityTerms;
import dev.sequitur.protocol.schedule.family.RecurringTerms;
import dev.sequitur.protocol.schedule.family.Terms;
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
      var json =
          JsonText.object().put("providedId", ScheduleJson.message(recurring.providedId()));
      var times = json.putArray("times");
      recurring.timesMs().forEach(time -> times.add(Instant.ofEpochMilli(time).toString()));
      return json;
    }
    return JsonText.object();
  }
}
