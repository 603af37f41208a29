package dev.sequitur.node.rpc.method;

import dev.sequitur.node.rpc.json.Field;
import dev.sequitur.node.rpc.json.Formats;
import dev.sequitur.node.rpc.json.JsonText;
import dev.sequitur.node.rpc.json.ObjectFormat;
import dev.sequitur.node.rpc.json.ObjectShape;
import dev.sequitur.node.rpc.json.Sent;
import dev.sequitur.node.rpc.json.Shape;
import dev.sequitur.protocol.guard.MethodGroup;
import dev.sequitur.protocol.guard.Named;
import dev.sequitur.protocol.port.NodeStore.Listener;
import dev.sequitur.protocol.port.NodeStore.ListenerKind;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

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
        createReceiptListener(),
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

  private RpcMethod createReceiptListener() {
    return RpcMethod.of(
            MethodGroup.SUBMIT,
            listeners.creatingMethod(),
            List.of(NEW_LISTENER),
            Formats.BOOLEAN,
            "true",
            "Creates a durable listener: the node remembers what it has acknowledged. The same again"
                + " changes nothing; the same name with other filters is an error.",
            call -> create(call.get(NEW_LISTENER)))
        .aboutAll(Named.Kind.GROUPS);
  }

  private CompletionStage<Boolean> create(Sent sent) {
    var filters = ReceiptFilters.of(sent.get(FILTERS));
    var now = context.clock().instant();
    return listeners.create(
        new Listener(
            sent.get(StoredListeners.NEW_NAME),
            filters.toBytes(),
            now,
            filters.sequenceAbove(),
            sent.get(StoredListeners.STARTED) ? Optional.empty() : Optional.of(now)));
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
