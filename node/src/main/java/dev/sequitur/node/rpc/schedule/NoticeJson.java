package dev.sequitur.node.rpc.schedule;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.node.rpc.json.JsonText;
import dev.sequitur.protocol.schedule.FamilyKind;
import dev.sequitur.protocol.schedule.family.FamilyNotice;
import dev.sequitur.protocol.schedule.family.GasPriority;
import dev.sequitur.protocol.schedule.family.MultiSignatureNotice;
import dev.sequitur.protocol.schedule.queue.QueueEffect.Notice;
import dev.sequitur.protocol.schedule.queue.QueueSetup;

/** What a queue publishes, as JSON. */
record NoticeJson(QueueSetup setup) {
  ObjectNode event(Notice notice) {
    return switch (notice) {
      case Notice.Ended(var owner, var recorded) ->
          ScheduleJson.schedule(recorded.key())
              .put("type", "ended")
              .put("owner", owner.value())
              .setAll(ScheduleJson.recorded(recorded));
      case Notice.Submitted(var key, var owner, var transaction) -> {
        var json = ScheduleJson.schedule(key).put("type", "submitted").put("owner", owner.value());
        ScheduleJson.occurrence(json, key);
        yield json.put("privateTransaction", transaction.toString());
      }
      case Notice.TransactionFailed failed -> failed(failed);
      case Notice.ShutdownComplete(var family) ->
          JsonText.object()
              .put("type", "shutdown")
              .put("family", CommandFields.name(family))
              .put("complete", true);
      case Notice.Notified(var schedule, var message) ->
          JsonText.object()
              .put("type", "notified")
              .put("schedule", CommandFields.id(schedule))
              .put("message", ScheduleJson.message(message));
      case Notice.Parked(var schedule, var owner, var why) ->
          JsonText.object()
              .put("type", "parked")
              .put("schedule", CommandFields.id(schedule))
              .put("owner", owner.value())
              .put("why", why);
      case Notice.RescheduleRefused(var by, var refusal) ->
          JsonText.object()
              .put("type", "reschedule-refused")
              .put("schedule", CommandFields.id(by))
              .put("code", ScheduleJson.word(refusal.code()))
              .put("why", refusal.sentence());
      case Notice.OfFamily(var told) -> event(told);
    };
  }

  private ObjectNode failed(Notice.TransactionFailed failed) {
    var json =
        JsonText.object()
            .put("type", "transaction-failed")
            .put("schedule", CommandFields.id(failed.schedule()))
            .put("senderAddr", failed.sender().value())
            .put("cancelledTxnCode", ScheduleJson.word(failed.code()));
    if (failed.schedule().family() == FamilyKind.GAS_PRIORITY
        && setup.family(FamilyKind.GAS_PRIORITY) instanceof GasPriority family) {
      json.set("key", GasPriorityMethods.key(family, failed.key()));
    }
    return json;
  }

  private static ObjectNode event(FamilyNotice notice) {
    return switch (notice) {
      case MultiSignatureNotice.Exported(var record) ->
          JsonText.object().put("type", "record").set("record", MultiSignatureJson.record(record));
    };
  }
}
