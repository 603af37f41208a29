package dev.sequitur.node.rpc.method;

import dev.sequitur.node.rpc.json.Field;
import dev.sequitur.node.rpc.json.JsonText;
import dev.sequitur.node.rpc.json.ObjectFormat;
import dev.sequitur.node.rpc.json.ObjectShape;
import dev.sequitur.node.rpc.json.Sent;
import dev.sequitur.node.rpc.json.Shape;
import dev.sequitur.protocol.port.NodeStore.Listener;
import dev.sequitur.protocol.port.NodeStore.ListenerKind;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import java.time.Duration;
import java.util.List;

/** Durable receipt listeners. */
final class ReceiptListenerMethods {
  private static final Field<Sent> FILTERS =
      Field.or(
          "filters",
          ReceiptFilters.SENT,
          ReceiptFilters.SENT.empty("filters"),
          "what it is to be told");
  private static final Field<Sent> NEW_LISTENER =
      Field.of(
          "listener",
          ObjectFormat.of(
                  "ReceiptListenerRequest",
                  StoredListeners.NEW_NAME,
                  StoredListeners.STARTED,
                  FILTERS)
              .open(),
          "the new listener");

  private static final ObjectShape<Listener> LISTENER =
      StoredListeners.shape("ReceiptListener")
          .with("filters", ReceiptFilters.FILTERS, ReceiptFilters::of)
          .with("options", Shape.ANY, listener -> JsonText.object(), "always empty here")
          .with("acknowledged", Shape.NUMBER, Listener::acknowledged, "the last sequence taken");

  private final NodeContext context;
  private final StoredListeners listeners;

  ReceiptListenerMethods(NodeContext context) {
    this.context = context;
    this.listeners = new StoredListeners(context, ListenerKind.RECEIPTS, "ptx_", "ReceiptListener");
  }

  List<RpcMethod> methods() {
    return List.of(
        creating(),
        listeners.getting(LISTENER),
        listeners.querying(LISTENER),
        listeners.stopping(),
        listeners.starting());
  }

  /** By itself: on the reference page it stands behind what its listener is for. */
  RpcMethod deleting() {
    return listeners.deleting();
  }

  SubscriptionMethods.Subscribable subscribable() {
    return new SubscriptionMethods.Subscribable("receipts", listeners, this::feed);
  }

  private RpcMethod creating() {
    return listeners.creating(
        NEW_LISTENER,
        "Creates a durable listener: the node remembers what it has acknowledged. The same again"
            + " changes nothing; the same name with other filters is an error.",
        sent -> {
          var filters = ReceiptFilters.of(sent.get(FILTERS));
          return new StoredListeners.Chosen(filters.toBytes(), filters.sequenceAbove());
        });
  }

  private ListenerFeed feed(Listener listener) {
    var filters = ReceiptFilters.of(listener);
    return new ListenerFeed(
        "ptx_subscription",
        "receipts",
        context.settings().limits().listenerBatch(),
        Duration.ZERO,
        (after, most) ->
            context
                .node()
                .store()
                .receipts(after, most)
                .thenApply(read -> page(filters, after, read)));
  }

  private static ListenerFeed.Page page(
      ReceiptFilters filters, long after, List<NumberedReceipt> read) {
    var wanted =
        read.stream()
            .filter(filters::wants)
            .map(
                receipt ->
                    new ListenerFeed.Row(
                        receipt.sequence(), TransactionShapes.RECEIPT.write(receipt)))
            .toList();
    return new ListenerFeed.Page(wanted, read.isEmpty() ? after : read.getLast().sequence());
  }
}
