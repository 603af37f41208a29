package dev.sequitur.node.rpc.schedule;

import static java.util.concurrent.CompletableFuture.completedFuture;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.json.Field;
import dev.sequitur.json.Formats;
import dev.sequitur.json.JsonText;
import dev.sequitur.json.ObjectFormat;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Sent;
import dev.sequitur.json.Shape;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.method.Call;
import dev.sequitur.node.rpc.method.ListenerFeed;
import dev.sequitur.node.rpc.method.ListenerFeed.Row;
import dev.sequitur.node.rpc.method.NodeContext;
import dev.sequitur.node.rpc.method.RpcMethod;
import dev.sequitur.node.rpc.method.StoredListeners;
import dev.sequitur.node.rpc.method.Webhook;
import dev.sequitur.node.rpc.method.WebhookSender.Answer;
import dev.sequitur.protocol.guard.MethodGroup;
import dev.sequitur.protocol.port.HeldBack;
import dev.sequitur.protocol.port.ListenerStore.Listener;
import dev.sequitur.protocol.port.ListenerStore.ListenerKind;
import dev.sequitur.protocol.port.ListenerStore.Taken;
import dev.sequitur.scheduler.SchedulerNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Addresses to which the node sends what happens in a queue. Whoever makes one sees all that
 * happens there: nobody is asked when it is sent.
 */
final class WebhookMethods {
  /** Of one call that sends again. */
  private static final int MOST_AGAIN = 100;

  private static final Field<String> URL =
      Field.of("url", Formats.TEXT, "where it is sent to, by POST");
  private static final Field<Sent> NEW_WEBHOOK =
      Field.of(
          "webhook",
          ObjectFormat.of("WebhookRequest", StoredListeners.NEW_NAME, StoredListeners.STARTED, URL)
              .with(EventFilters.SENT),
          "the new webhook");
  private static final Field<Boolean> ALONE =
      Field.or(
          "alone", Formats.BOOLEAN, false, "true to end the key before, and to make no new one");

  private static final ObjectShape<Listener> WEBHOOK =
      StoredListeners.shape("Webhook")
          .with("url", Formats.TEXT, listener -> Webhook.of(listener).url())
          .with("filters", EventFilters.SHOWN, listener -> filters(Webhook.of(listener)))
          .with("keys", Shape.NUMBER, listener -> Webhook.of(listener).keys().size())
          .with(
              "acknowledged",
              Shape.NUMBER,
              Listener::acknowledged,
              "all before the event of this number was taken, or is dead")
          .with("dead", Shape.NUMBER, listener -> listener.heldBack().rows().size())
          .with(
              "leftOut",
              Shape.NUMBER,
              listener -> listener.heldBack().leftOut(),
              "dead ones that were more than are kept");

  /** What became of one that was sent again. */
  private record Again(long number, boolean delivered, String why) {}

  private static final ObjectShape<Again> AGAIN =
      ObjectShape.<Again>named("SentAgain")
          .with("number", Shape.NUMBER, Again::number)
          .with("delivered", Formats.BOOLEAN, Again::delivered)
          .with("why", Formats.TEXT, Again::why, "why not; empty if it was");

  private final NodeContext context;
  private final StoredListeners listeners;

  WebhookMethods(NodeContext context) {
    this.context = context;
    this.listeners = new StoredListeners(context, ListenerKind.WEBHOOKS, "events_", "Webhook");
  }

  private static EventFilters filters(Webhook webhook) {
    return EventFilters.of(webhook.filters());
  }

  static ListenerFeed.Rows feed(SchedulerNode scheduler, Webhook webhook) {
    return new HappenedFeed(scheduler, filters(webhook), () -> any -> true);
  }

  List<RpcMethod> methods() {
    return List.of(
        RpcMethod.of(
            MethodGroup.WEBHOOK,
            "events_createWebhook",
            List.of(NEW_WEBHOOK),
            Formats.TEXT,
            "the key, which is told once",
            "Has the node send what happens in a queue (as events_read answers it) to an address, by"
                + " POST, one event each: at least once, those of one schedule in order. The body is"
                + " `{queue, event}`; `webhook-id` is the same each time an event is sent,"
                + " `webhook-timestamp` the time in seconds, `webhook-signature` one or two of `v1,`"
                + " and HMAC-SHA256 over id, timestamp and body with dots between, in base 64"
                + " (Standard Webhooks), by the key that this answers. An answer of 2xx takes the"
                + " event; 408, 425, 429, 502, 503, 504 and silence have all wait; any other refuses"
                + " it, and after `rpc.webhooks.attempts` it is dead. The caller must see all of the"
                + " queue. Only addresses that the operator allows are dialled, and no redirect is"
                + " followed.",
            this::create),
        listeners.getting(WEBHOOK),
        listeners.querying(WEBHOOK),
        ofWebhooks(listeners.stopping()),
        ofWebhooks(listeners.starting()),
        RpcMethod.of(
            MethodGroup.WEBHOOK,
            "events_rotateWebhookKey",
            List.of(StoredListeners.NAME, ALONE),
            Formats.TEXT.orNull(),
            "the new key, which is told once; null with `alone`",
            "Gives a webhook a new key beside the one that it has: both sign what is sent, so that a"
                + " receiver changes over when it likes. With `alone` the older one ends.",
            this::rotate),
        RpcMethod.of(
            MethodGroup.READ,
            "events_deadLetters",
            List.of(StoredListeners.NAME),
            Formats.OBJECT.list(),
            "an array of events",
            "What a webhook's receiver has refused too often, oldest first: at most "
                + HeldBack.MOST
                + ". An event that is not kept any more is its number alone.",
            this::deadLetters),
        RpcMethod.of(
            MethodGroup.WEBHOOK,
            "events_replay",
            List.of(StoredListeners.NAME),
            AGAIN.list(),
            "an array of `{number, delivered, why}`",
            "Sends what is dead of a webhook again now, one after another, the oldest "
                + MOST_AGAIN
                + " at most, and ends with the first that is refused. What is taken, or is not kept"
                + " any more, leaves the list.",
            this::replay),
        ofWebhooks(listeners.deleting()));
  }

  private static RpcMethod ofWebhooks(RpcMethod method) {
    return method.withGroup(MethodGroup.WEBHOOK);
  }

  private CompletionStage<String> create(Call call) {
    var sent = call.get(NEW_WEBHOOK);
    SeenSchedules.mustSeeAll(call);
    context.webhooks().mustBeAllowed(sent.get(URL));
    var filters = EventFilters.of(sent).ordered(context.scheduler());
    var webhook =
        Webhook.fresh(filters.queue().value(), sent.get(URL), EventFilters.SHOWN.write(filters));
    return listeners
        .make(call, sent, new StoredListeners.Chosen(webhook.toBytes(), filters.from()))
        .thenApply(made -> webhook.newestKey(context.secrets()).written());
  }

  private CompletionStage<Optional<String>> rotate(Call call) {
    return listeners
        .known(call, call.get(StoredListeners.NAME))
        .thenCompose(
            found -> {
              boolean alone = call.get(ALONE);
              var webhook = Webhook.of(found);
              var changed = alone ? webhook.withNewestKey() : webhook.withAnotherKey();
              return context
                  .listeners()
                  .change(ListenerKind.WEBHOOKS, found, changed.toBytes())
                  .thenApply(
                      there -> {
                        if (!there) {
                          throw new RpcFailure(
                              ErrorCode.UNKNOWN_LISTENER,
                              "The webhook was changed or deleted meanwhile: look at it again.");
                        }
                        return alone
                            ? Optional.<String>empty()
                            : Optional.of(changed.newestKey(context.secrets()).written());
                      });
            });
  }

  private CompletionStage<List<JsonNode>> deadLetters(Call call) {
    SeenSchedules.mustSeeAll(call);
    return listeners
        .known(call, call.get(StoredListeners.NAME))
        .thenCompose(
            found -> {
              CompletionStage<List<JsonNode>> all = completedFuture(new ArrayList<>());
              for (var row : found.heldBack().rows()) {
                all =
                    all.thenCombine(
                        row(Webhook.of(found), row.number()),
                        (letters, letter) -> {
                          letters.add(letter.json());
                          return letters;
                        });
              }
              return all;
            });
  }

  /** As it is sent; its number alone if it is not kept any more. */
  private CompletionStage<Row> row(Webhook webhook, long number) {
    return context
        .scheduler()
        .happenings(filters(webhook).queue(), number - 1, 1)
        .thenApply(
            page ->
                page.happenings().stream()
                    .filter(each -> each.number() == number - 1)
                    .map(each -> HappenedFeed.written(each, context.scheduler().setup()))
                    .findFirst()
                    .orElseGet(
                        () -> JsonText.object().put("type", "forgotten").put("number", number - 1)))
        .thenApply(json -> new Row(number, json));
  }

  private CompletionStage<List<Again>> replay(Call call) {
    SeenSchedules.mustSeeAll(call);
    return listeners
        .known(call, call.get(StoredListeners.NAME))
        .thenCompose(
            found ->
                again(
                    found,
                    found.heldBack().rows().stream().limit(MOST_AGAIN).toList(),
                    new ArrayList<>()));
  }

  private CompletionStage<List<Again>> again(
      Listener found, List<HeldBack.Row> left, List<Again> done) {
    if (left.isEmpty()) {
      return completedFuture(done);
    }
    var webhook = Webhook.of(found);
    long number = left.getFirst().number();
    return row(webhook, number)
        .thenCompose(row -> sent(webhook, row))
        .thenCompose(
            one -> {
              done.add(one);
              if (!one.delivered() && !one.why().isEmpty()) {
                return completedFuture(done);
              }
              var taken = new Taken(found.acknowledged(), List.of(), List.of(number));
              return context
                  .listeners()
                  .acknowledge(ListenerKind.WEBHOOKS, found, taken)
                  .thenCompose(
                      there ->
                          there
                              ? again(found, left.subList(1, left.size()), done)
                              : completedFuture(done));
            });
  }

  private CompletionStage<Again> sent(Webhook webhook, Row row) {
    long number = row.number() - 1;
    if (row.json().path("type").asText().equals("forgotten")) {
      return completedFuture(new Again(number, false, ""));
    }
    return context
        .webhooks()
        .send(webhook.receiver(context.secrets()), webhook.id(row.number()), webhook.body(row))
        .thenApply(
            answer ->
                switch (answer) {
                  case Answer.Taken() -> new Again(number, true, "");
                  case Answer.Refused(var why) -> new Again(number, false, why);
                  case Answer.Unreached(var why) -> new Again(number, false, why);
                });
  }
}
