package dev.sequitur.node.rpc.method;

import dev.sequitur.json.Field;
import dev.sequitur.json.ObjectFormat;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Sent;
import dev.sequitur.json.Shape;
import dev.sequitur.protocol.message.GroupMessages;
import dev.sequitur.protocol.port.ListenerStore.Listener;
import dev.sequitur.protocol.port.ListenerStore.ListenerKind;
import dev.sequitur.protocol.port.NodeStore.NumberedMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Durable listeners for messages between members. */
final class MessageListenerMethods {
  private static final Field<Sent> NEW_LISTENER =
      Field.of(
          "listener",
          ObjectFormat.of(
                  "MessageListenerRequest",
                  StoredListeners.NEW_NAME,
                  StoredListeners.STARTED,
                  MessageFilters.SENT,
                  MessageFilters.OPTED)
              .open(),
          "the new listener");

  private static final ObjectShape<Listener> LISTENER =
      StoredListeners.shape("MessageListener")
          .with("filters", MessageFilters.FILTERS, MessageFilters::of)
          .with("options", MessageFilters.OPTIONS, MessageFilters::of)
          .with(
              "acknowledged", Shape.NUMBER, Listener::acknowledged, "the last localSequence taken");

  private final NodeContext context;
  private final GroupMessageMethods messages;
  private final StoredListeners listeners;

  MessageListenerMethods(NodeContext context, GroupMessageMethods messages) {
    this.context = context;
    this.messages = messages;
    this.listeners =
        new StoredListeners(context, ListenerKind.MESSAGES, "pgroup_", "MessageListener");
  }

  List<RpcMethod> methods() {
    var methods = new ArrayList<RpcMethod>();
    methods.add(creating());
    methods.add(listeners.getting(LISTENER));
    methods.add(listeners.querying(LISTENER));
    methods.add(listeners.stopping());
    methods.add(listeners.starting());
    var subscribable = new SubscriptionMethods.Subscribable("messages", listeners, this::feed);
    methods.addAll(new SubscriptionMethods("pgroup_", List.of(subscribable)).methods());
    methods.add(listeners.deleting());
    return methods;
  }

  private RpcMethod creating() {
    return listeners.creating(
        NEW_LISTENER,
        "Creates a durable listener for messages: the node remembers what it has acknowledged."
            + " The same again changes nothing; the same name with other filters or options is"
            + " an error.",
        sent -> {
          var filters = MessageFilters.of(sent);
          return new StoredListeners.Chosen(filters.toBytes(), filters.sequenceAbove());
        });
  }

  private ListenerFeed feed(Listener listener, Call call) {
    var filters = MessageFilters.of(listener);
    return new ListenerFeed(
        "pgroup_subscription",
        "messages",
        context.settings().limits().listenerBatch(),
        Duration.ZERO,
        (after, none, most) ->
            context
                .store()
                .messages(after, most)
                .thenApply(MessageListenerMethods::together)
                .thenCompose(read -> page(filters, call.asOfNow(), after, read)));
  }

  /** As many as a node would send together: a batch of long ones is not too long to be pushed. */
  private static List<NumberedMessage> together(List<NumberedMessage> read) {
    int count = 0;
    int bytes = 0;
    for (var each : read) {
      bytes += each.message().content().size();
      if (count > 0 && bytes > GroupMessages.MOST_BYTES) {
        break;
      }
      count++;
    }
    return read.subList(0, count);
  }

  private CompletionStage<ListenerFeed.Page> page(
      MessageFilters filters, Call call, long after, List<NumberedMessage> read) {
    return messages
        .rows(read)
        .thenApply(
            rows -> paged(filters, call, read.isEmpty() ? after : read.getLast().sequence(), rows));
  }

  private ListenerFeed.Page paged(
      MessageFilters filters, Call call, long upTo, List<MessageRow> rows) {
    var self = context.node().name();
    var wanted =
        rows.stream()
            .filter(row -> filters.wants(row, self))
            .filter(row -> call.sees(row.group().contract()))
            .map(
                row ->
                    new ListenerFeed.Row(row.numbered().sequence(), MessageRow.MESSAGE.write(row)))
            .toList();
    return new ListenerFeed.Page(wanted, upTo);
  }
}
