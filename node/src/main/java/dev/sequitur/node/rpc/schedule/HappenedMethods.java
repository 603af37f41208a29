package dev.sequitur.node.rpc.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.json.Field;
import dev.sequitur.json.Formats;
import dev.sequitur.json.ObjectFormat;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Sent;
import dev.sequitur.json.Shape;
import dev.sequitur.node.rpc.method.Call;
import dev.sequitur.node.rpc.method.ListenerFeed;
import dev.sequitur.node.rpc.method.NodeContext;
import dev.sequitur.node.rpc.method.RpcMethod;
import dev.sequitur.node.rpc.method.StoredListeners;
import dev.sequitur.node.rpc.method.SubscriptionMethods;
import dev.sequitur.protocol.guard.Named;
import dev.sequitur.protocol.port.HeldBack;
import dev.sequitur.protocol.port.ListenerStore.Listener;
import dev.sequitur.protocol.port.ListenerStore.ListenerKind;
import dev.sequitur.schedule.queue.History.Happened;
import dev.sequitur.scheduler.QueueName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/** What has happened in a queue, from where its reader stopped; and durable listeners for it. */
final class HappenedMethods {
  private static final Field<Sent> NEW_LISTENER =
      Field.of(
          "listener",
          ObjectFormat.of(
                  "ScheduleEventListenerRequest", StoredListeners.NEW_NAME, StoredListeners.STARTED)
              .with(EventFilters.SENT),
          "the new listener");

  private static final ObjectShape<Listener> LISTENER =
      StoredListeners.shape("ScheduleEventListener")
          .with("filters", EventFilters.SHOWN, listener -> EventFilters.of(listener.properties()))
          .with(
              "acknowledged",
              Shape.NUMBER,
              Listener::acknowledged,
              "all before the event of this number has been taken");

  private static final ObjectFormat PAGE_FORMAT =
      ObjectFormat.of("EventsRequest").with(EventFilters.SENT).with(List.of(OutcomeFields.LIMIT));
  private static final Field<Sent> PAGE =
      Field.or("page", PAGE_FORMAT, PAGE_FORMAT.empty("page"), "which; all if left out");

  private record Read(List<JsonNode> events, long next) {}

  private static final ObjectShape<Read> READ =
      ObjectShape.<Read>named("Events")
          .with("events", Formats.OBJECT.list(), Read::events)
          .with("next", Shape.NUMBER, Read::next, "what to ask for next");

  private final NodeContext context;
  private final StoredListeners listeners;

  HappenedMethods(NodeContext context) {
    this.context = context;
    this.listeners = new StoredListeners(context, ListenerKind.SCHEDULES, "events_", "Listener");
  }

  List<RpcMethod> methods() {
    var methods = new ArrayList<RpcMethod>();
    methods.add(
        RpcMethod.reading(
            "events_read",
            List.of(PAGE),
            READ,
            "`{events, next}`",
            "What has happened in a queue, in order and from the number on where the caller was:"
                + " `ended` (an outcome, as in schedule_getOutcomes), `parked`, `shutdown` and what a"
                + " family tells, each with its `number` and as schedule_subscribe pushes it. What"
                + " else is pushed stands in the outcome that follows it. All of them share the"
                + " numbers of outcomes; scheduler.history says how many are kept. Where some are"
                + " not kept any more, the first is of the type `forgotten`, `upTo` a number. What"
                + " the filters do not want or the caller may not see is left out: as long as `next`"
                + " is above `from`, there may be more.",
            this::read));
    methods.add(
        listeners.creating(
            NEW_LISTENER,
            "Creates a durable listener for what happens in a queue, which is told what events_read"
                + " answers: the node remembers what it has acknowledged. The same again changes"
                + " nothing; the same name with other filters is an error.",
            sent -> {
              var filters = EventFilters.of(sent).ordered(context.scheduler());
              return new StoredListeners.Chosen(filters.toBytes(), filters.from());
            }));
    methods.add(listeners.getting(LISTENER));
    methods.add(listeners.querying(LISTENER));
    methods.add(listeners.stopping());
    methods.add(listeners.starting());
    methods.addAll(
        new SubscriptionMethods(
                "events_",
                List.of(new SubscriptionMethods.Subscribable("schedules", listeners, this::feed)))
            .methods());
    methods.add(listeners.deleting());
    return methods;
  }

  private CompletionStage<Read> read(Call call) {
    var sent = call.get(PAGE);
    var filters = EventFilters.of(sent);
    return feed(filters, call)
        .after(filters.from(), HeldBack.NONE, sent.get(OutcomeFields.LIMIT))
        .thenApply(
            page ->
                new Read(page.rows().stream().map(ListenerFeed.Row::json).toList(), page.readTo()));
  }

  private ListenerFeed feed(Listener listener, Call call) {
    return new ListenerFeed(
        "events_subscription",
        "events",
        context.settings().limits().listenerBatch(),
        Duration.ZERO,
        feed(EventFilters.of(listener.properties()), call));
  }

  private HappenedFeed feed(EventFilters filters, Call call) {
    return new HappenedFeed(
        context.scheduler(), filters, () -> sight(filters.queue(), call.asOfNow()));
  }

  /** What was granted may have been taken away since. */
  private static Predicate<Happened> sight(QueueName queue, Call call) {
    return call.reads(List.of(new Named(Named.Kind.QUEUES, queue.whole().value())))
        ? happened -> SeenSchedules.hears(call, happened.whose())
        : happened -> false;
  }
}
