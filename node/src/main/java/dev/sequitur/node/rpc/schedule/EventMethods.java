package dev.sequitur.node.rpc.schedule;

import static java.util.concurrent.CompletableFuture.completedFuture;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.json.Field;
import dev.sequitur.json.Formats;
import dev.sequitur.json.JsonText;
import dev.sequitur.node.rpc.method.Call;
import dev.sequitur.node.rpc.method.NodeContext;
import dev.sequitur.node.rpc.method.RpcMethod;
import dev.sequitur.schedule.queue.QueueEffect.Notice;
import dev.sequitur.schedule.queue.QueueEffect.Publish;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.Subscription;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** What a queue publishes, pushed over a WebSocket. */
record EventMethods(NodeContext context) {
  private static final String PUSHED = "schedule_subscription";

  private static final Field<String> SUBSCRIPTION =
      Field.of("subscription", Formats.NAME, "its id");

  List<RpcMethod> methods() {
    return List.of(
        RpcMethod.reading(
            "schedule_subscribe",
            List.of(CommandFields.QUEUE),
            Formats.TEXT,
            "the subscription's id",
            "Pushes what the queue publishes from now on of schedules that the caller may see over"
                + " this WebSocket, as"
                + " `schedule_subscription` with `{subscription, result: {queue, events}}`, in"
                + " order and without acknowledgement. An event has a `type`: `submitted` (the"
                + " sequencer has it, as `transaction`), `ended` (an"
                + " occurrence has its outcome, as in schedule_getOutcomes), `transaction-failed` (the text's"
                + " TransactionFailedEvent, with its `key`), `shutdown`, `notified` (what a schedule had to say),"
                + " `parked` (it waits until its owner acts: `why` says what to do),"
                + " `intervened` (its owner has paused or resumed it, run it now or skipped its next time),"
                + " `reschedule-refused`, or a family's own. What a crash or a lost connection"
                + " falls between is not told again: schedule_getOutcomes has each outcome from the"
                + " number on where the caller was. A caller"
                + " that does not read is disconnected.",
            this::subscribe),
        RpcMethod.reading(
            "schedule_unsubscribe",
            List.of(SUBSCRIPTION),
            Formats.BOOLEAN,
            "whether there was one",
            "Ends a subscription of this WebSocket.",
            call -> completedFuture(call.pushes().close(call.get(SUBSCRIPTION)))));
  }

  private CompletionStage<String> subscribe(Call call) {
    var queue = call.get(CommandFields.QUEUE);
    var session = call.pushes();
    var id = session.open(PUSHED, push -> listen(call, queue, push));
    call.exchange().afterAnswer(() -> session.start(id));
    return completedFuture(id);
  }

  private Subscription listen(Call call, QueueName queue, Consumer<JsonNode> push) {
    return context
        .scheduler()
        .subscribe(
            queue,
            (published, told) -> {
              // Asked each time: what is pushed passes the same check as what is asked for.
              var now = call.asOfNow();
              var seen =
                  told.stream()
                      .filter(each -> SeenSchedules.hears(now, each))
                      .map(Publish::notice)
                      .toList();
              if (!seen.isEmpty()) {
                push.accept(events(published, seen));
              }
            });
  }

  private JsonNode events(QueueName queue, List<Notice> notices) {
    var json = JsonText.object().put("queue", queue.value());
    var events = json.putArray("events");
    var writing = new NoticeShape(context.scheduler().setup());
    notices.forEach(notice -> events.add(writing.write(notice)));
    return json;
  }
}
