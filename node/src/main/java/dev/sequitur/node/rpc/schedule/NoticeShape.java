package dev.sequitur.node.rpc.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.json.Formats;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.queue.QueueEffect;
import dev.sequitur.schedule.queue.QueueEffect.Notice;
import dev.sequitur.schedule.queue.QueueSetup;
import java.util.function.Function;

/** What a queue publishes. */
record NoticeShape(QueueSetup setup) {
  private static final ObjectShape<Notice.Ended> ENDED =
      NoticeShape.<Notice.Ended>of(
              "EndedEvent", "ended", ended -> ended.recorded().key().schedule())
          .all(ScheduleShapes.RECORDED, Notice.Ended::recorded);

  private static final ObjectShape<Notice.Submitted> SUBMITTED =
      NoticeShape.<Notice.Submitted>of(
              "SubmittedEvent", "submitted", submitted -> submitted.key().schedule())
          .with("owner", Words.ACCOUNT, Notice.Submitted::owner)
          .all(ScheduleShapes.OCCURRENCE, Notice.Submitted::key)
          .with("transaction", Formats.TRANSACTION_ID, Notice.Submitted::transaction);

  private static final ObjectShape<Notice.TransactionFailed> FAILED =
      NoticeShape.<Notice.TransactionFailed>of(
              "TransactionFailedEvent", "transaction-failed", Notice.TransactionFailed::schedule)
          .with("senderAddr", Words.ACCOUNT, Notice.TransactionFailed::sender)
          .with(
              "cancelledTxnCode",
              Words.among(QueueEffect.CancelledTxnCode.class),
              Notice.TransactionFailed::code);

  private static final ObjectShape<Notice.ShutdownComplete> SHUTDOWN =
      ObjectShape.<Notice.ShutdownComplete>named("Shutdown")
          .constant("type", "shutdown")
          .with("family", Words.FAMILY, Notice.ShutdownComplete::family)
          .with("complete", Formats.BOOLEAN, shutdown -> true);

  private static final ObjectShape<Notice.Notified> NOTIFIED =
      NoticeShape.<Notice.Notified>of("NotifiedEvent", "notified", Notice.Notified::schedule)
          .with("message", Words.MESSAGE, Notice.Notified::message);

  private static final ObjectShape<Notice.Parked> PARKED =
      NoticeShape.<Notice.Parked>of("ParkedEvent", "parked", Notice.Parked::schedule)
          .with("owner", Words.ACCOUNT, Notice.Parked::owner)
          .with("why", Formats.TEXT, Notice.Parked::why);

  private static final ObjectShape<Notice.Intervened> INTERVENED =
      NoticeShape.<Notice.Intervened>of(
              "IntervenedEvent", "intervened", Notice.Intervened::schedule)
          .with("owner", Words.ACCOUNT, Notice.Intervened::owner)
          .all(ScheduleShapes.INTERVENTION, Notice.Intervened::intervention);

  private static final ObjectShape<Notice.RescheduleRefused> REFUSED =
      NoticeShape.<Notice.RescheduleRefused>of(
              "RescheduleRefusedEvent", "reschedule-refused", Notice.RescheduleRefused::by)
          .with("code", Words.among(Refusal.Code.class), refused -> refused.refusal().code())
          .with("why", Formats.TEXT, refused -> refused.refusal().sentence());

  private static <T extends Notice> ObjectShape<T> of(
      String name, String type, Function<T, ScheduleId> schedule) {
    return ObjectShape.<T>named(name)
        .constant("type", type)
        .with("schedule", Words.SCHEDULE_ID, schedule);
  }

  JsonNode write(Notice notice) {
    return switch (notice) {
      case Notice.Ended ended -> ENDED.write(ended);
      case Notice.Submitted submitted -> SUBMITTED.write(submitted);
      case Notice.TransactionFailed failed -> failed(failed);
      case Notice.ShutdownComplete shutdown -> SHUTDOWN.write(shutdown);
      case Notice.Notified notified -> NOTIFIED.write(notified);
      case Notice.Parked parked -> PARKED.write(parked);
      case Notice.Intervened done -> INTERVENED.write(done);
      case Notice.RescheduleRefused refused -> REFUSED.write(refused);
      case Notice.OfFamily(var told) -> FamilyShape.of(told.family()).notice(told);
    };
  }

  private JsonNode failed(Notice.TransactionFailed failed) {
    var json = FAILED.write(failed);
    var kind = failed.schedule().family();
    FamilyShape.of(kind)
        .key(setup.family(kind), failed.key())
        .ifPresent(key -> json.set("key", key));
    return json;
  }
}
