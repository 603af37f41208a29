package dev.sequitur.node.rpc.method;

import dev.sequitur.json.Field;
import dev.sequitur.json.Formats;
import dev.sequitur.json.ObjectFormat;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Sent;
import dev.sequitur.json.Shape;
import dev.sequitur.protocol.port.ListenerStore.Listener;
import dev.sequitur.protocol.port.ListenerStore.ListenerKind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Durable receipt listeners. */
final class ReceiptListenerMethods {
  private static final Field<Sent> NEW_LISTENER =
      Field.of(
          "listener",
          ObjectFormat.of(
                  "ReceiptListenerRequest",
                  StoredListeners.NEW_NAME,
                  StoredListeners.STARTED,
                  ReceiptFilters.SENT,
                  ReceiptFilters.OPTED)
              .open(),
          "the new listener");

  private static final ObjectShape<Listener> LISTENER =
      StoredListeners.shape("ReceiptListener")
          .with("filters", ReceiptFilters.FILTERS, ReceiptFilters::of)
          .with("options", ReceiptFilters.OPTIONS, ReceiptFilters::of)
          .with("acknowledged", Shape.NUMBER, Listener::acknowledged, "the last sequence taken")
          .maybe(
              "heldBack",
              Shape.NUMBER,
              listener ->
                  Optional.of((long) listener.heldBack().rows().size()).filter(count -> count > 0),
              "of `complete_only`: how many receipts up to `acknowledged` wait for contents that"
                  + " this node lacks")
          .maybe(
              "waits",
              Formats.BOOLEAN,
              listener -> Optional.of(listener.heldBack().isFull()).filter(Boolean::booleanValue),
              "true if no more can be held back: from the next such receipt on it is told nothing"
                  + " but those, until one of them is complete")
          .maybe(
              "leftOut",
              Shape.NUMBER,
              listener -> Optional.of(listener.heldBack().leftOut()).filter(count -> count > 0),
              "how many receipts without all contents were held back no longer, for want of room,"
                  + " and are not told");

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
            + " changes nothing; the same name with other filters or options is an error. Of one"
            + " group it is told in the ledger's order; of several, as they were stored, and no group"
            + " waits for another: `blockNumber` and `transactionIndex` say which was first. With"
            + " `complete_only` each comes once it is complete, in no promised order.",
        sent -> {
          var filters = ReceiptFilters.of(sent);
          return new StoredListeners.Chosen(filters.toBytes(), filters.sequenceAbove());
        });
  }

  private ListenerFeed feed(Listener listener, Call call) {
    return new ListenerFeed(
        "ptx_subscription",
        "receipts",
        context.settings().limits().listenerBatch(),
        Duration.ZERO,
        new ReceiptFeed(context, ReceiptFilters.of(listener), call));
  }
}
