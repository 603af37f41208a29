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
    if (notice instanceof Notice.Ended ended) {
      var json =
          ScheduleJson.schedule(ended.recorded().key())
              .put("type", "ended")
              .put("owner", ended.owner().value());
      return json.setAll(ScheduleJson.recorded(ended.recorded()));
    } else if (notice instanceof Notice.Submitted submitted) {
      var json =
          ScheduleJson.schedule(submitted.key())
              .put("type", "submitted")
              .put("owner", submitted.owner().value());
      ScheduleJson.occurrence(json, submitted.key());
      return json.put("privateTransaction", submitted.privateTransaction().toString());
    } else if (notice instanceof Notice.TransactionFailed failed) {
      return failed(failed);
    } else if (notice instanceof Notice.ShutdownComplete shutdown) {
      return JsonText.object()
          .put("type", "shutdown")
          .put("family", CommandFields.name(shutdown.family()))
          .put("complete", true);
    } else if (notice instanceof Notice.Notified notified) {
      return JsonText.object()
          .put("type", "notified")
          .put("schedule", CommandFields.id(notified.schedule()))
          .put("message", ScheduleJson.message(notified.message()));
    } else if (notice instanceof Notice.Parked parked) {
      return JsonText.object()
          .put("type", "parked")
          .put("schedule", CommandFields.id(parked.schedule()))
          .put("owner", parked.owner().value())
          .put("why", parked.why());
    } else if (notice instanceof Notice.RescheduleRefused refused) {
      return JsonText.object()
          .put("type", "reschedule-refused")
          .put("schedule", CommandFields.id(refused.by()))
          .put("code", ScheduleJson.word(refused.refusal().code()))
          .put("why", refused.refusal().sentence());
    } else if (notice instanceof Notice.OfFamily family) {
      return event(family.notice());
    }
    throw new IllegalStateException("Unknown notice: " + notice);
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
    if (notice instanceof MultiSignatureNotice.Exported exported) {
      var json = JsonText.object().put("type", "record");
      json.set("record", MultiSignatureJson.record(exported.record()));
      return json;
    }
    return JsonText.object().put("type", notice.getClass().getSimpleName());
  }
}
