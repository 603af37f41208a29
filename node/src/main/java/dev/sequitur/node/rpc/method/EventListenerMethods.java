package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.sequitur.json.Field;
import dev.sequitur.json.Formats;
import dev.sequitur.json.ObjectFormat;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Sent;
import dev.sequitur.json.Shape;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.protocol.id.Utf8;
import dev.sequitur.protocol.port.EventNumbers;
import dev.sequitur.protocol.port.ListenerStore.Listener;
import dev.sequitur.protocol.port.ListenerStore.ListenerKind;
import dev.sequitur.protocol.port.PublicContracts;
import java.util.List;
import java.util.UUID;

/** Durable listeners for what contracts of the base ledger tell. */
final class EventListenerMethods {
  private static final Field<Sent> NEW_LISTENER =
      Field.of(
          "listener",
          ObjectFormat.of(
                  "BlockchainEventListenerRequest",
                  StoredListeners.NEW_NAME,
                  StoredListeners.STARTED)
              .with(EventSources.SENT)
              .open(),
          "the new listener");

  private static final ObjectShape<Listener> LISTENER =
      StoredListeners.shape("BlockchainEventListener").all(EventSources.SHOWN, EventSources::of);

  /** How far a listener has come. */
  private record Status(long block, long height) {}

  private static final ObjectShape<Status> CHECKPOINT =
      ObjectShape.<Status>named("EventListenerCheckpoint")
          .with(
              "blockNumber",
              Shape.NUMBER,
              Status::block,
              "all of it and of those before has been taken; -1 before block 0");
  private static final ObjectShape<Status> STATUS =
      ObjectShape.<Status>named("EventListenerStatus")
          .with(
              "catchup",
              Formats.BOOLEAN,
              status -> status.block() < status.height(),
              "whether there are final blocks that it has not taken")
          .with("checkpoint", CHECKPOINT, status -> status);

  private final NodeContext context;
  private final StoredListeners listeners;

  EventListenerMethods(NodeContext context) {
    this.context = context;
    this.listeners =
        new StoredListeners(context, ListenerKind.EVENTS, "ptx_", "BlockchainEventListener");
  }

  List<RpcMethod> methods() {
    return List.of(
        creating(),
        listeners.getting(LISTENER),
        status(),
        listeners.querying(LISTENER),
        listeners.stopping(),
        listeners.starting());
  }

  /** By itself: on the reference page it stands behind what its listener is for. */
  RpcMethod deleting() {
    return listeners.deleting();
  }

  SubscriptionMethods.Subscribable subscribable() {
    return new SubscriptionMethods.Subscribable(
        "blockchainevents", listeners, (listener, call) -> feed(listener));
  }

  private RpcMethod creating() {
    return listeners.creating(
        NEW_LISTENER,
        "Creates a durable listener for what contracts tell in final blocks: the node remembers"
            + " what it has acknowledged. The same again changes nothing; the same name with"
            + " other sources or options is an error. Refused if the base ledger runs no"
            + " contracts. After `start --reindex` it is told again from the fork on: an event has"
            + " `again`: true then, if the listener had been told of the block that stood where"
            + " its block stands now.",
        this::chosen);
  }

  private StoredListeners.Chosen chosen(Sent sent) {
    contracts();
    var sources = EventSources.of(sent);
    long first = sources.firstBlock().orElse(context.node().blockHeight().value() + 1);
    return new StoredListeners.Chosen(sources.toBytes(), EventNumbers.lastOf(first - 1));
  }

  private RpcMethod status() {
    return RpcMethod.reading(
        "ptx_getBlockchainEventListenerStatus",
        List.of(StoredListeners.NAME),
        STATUS.orNull(),
        "`{catchup, checkpoint}`, or null",
        "How far a listener has come: what was taken by who is subscribed to it.",
        call ->
            listeners
                .find(call, call.get(StoredListeners.NAME))
                .thenApply(found -> found.map(this::status)));
  }

  private Status status(Listener listener) {
    return new Status(
        EventNumbers.blockAfter(listener.acknowledged()) - 1, context.node().blockHeight().value());
  }

  /** What a chain tells is for all who may read it, as when it is asked for. */
  private ListenerFeed feed(Listener listener) {
    var sources = EventSources.of(listener);
    return new ListenerFeed(
        "ptx_subscription",
        "events",
        sources.batch(context.settings().limits().listenerBatch()),
        sources.patience(),
        new EventFeed(
            sources, listener.again().orElse(0L), contracts(), context.node()::blockHeight),
        (count, rows) -> batchId(listener, rows.getFirst()));
  }

  /** A UUID, as clients of Go read it; the same for a batch that begins with the same event. */
  private static JsonNode batchId(Listener listener, ListenerFeed.Row first) {
    boolean isAgain = listener.again().filter(upTo -> first.number() <= upTo).isPresent();
    var begins = listener.name() + "\n" + first.number() + (isAgain ? "\nagain" : "");
    return TextNode.valueOf(UUID.nameUUIDFromBytes(Utf8.encode(begins)).toString());
  }

  private PublicContracts contracts() {
    return context
        .node()
        .ledger()
        .contracts()
        .orElseThrow(
            () ->
                new RpcFailure(
                    ErrorCode.UNSUPPORTED,
                    "The base ledger of this node runs no contracts, so that there are no events: they need an Ethereum chain (ledger.mode = ethereum)."));
  }
}
