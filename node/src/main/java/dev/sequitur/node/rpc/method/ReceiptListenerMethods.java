package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.json.Formats;
import dev.sequitur.node.rpc.json.JsonText;
import dev.sequitur.node.rpc.method.RpcMethod.Parameter;
import dev.sequitur.protocol.port.NodeStore.Listener;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;

/** Durable receipt listeners, and the subscriptions to them over a WebSocket. */
final class ReceiptListenerMethods {
  private static final String RECEIPTS = "receipts";
  private static final Parameter NAME =
      Parameter.of("name", ParameterType.NAME, "the listener's name");
  private static final Parameter SUBSCRIPTION =
      Parameter.of("subscription", ParameterType.TEXT, "the id that ptx_subscribe returned");

  private final NodeContext context;

  ReceiptListenerMethods(NodeContext context) {
    this.context = context;
  }

  List<RpcMethod> methods() {
    return List.of(
        createReceiptListener(),
        getReceiptListener(),
        subscribe(),
        unsubscribe(),
        acknowledgement(
            "ptx_ack",
            "WebSocket only, not answered. The batch has been taken; the next one comes.",
            ReceiptSession::acknowledge),
        acknowledgement(
            "ptx_nack",
            "WebSocket only, not answered. The batch is wanted again; it comes after a pause that"
                + " grows with each time.",
            ReceiptSession::refuse),
        deleteReceiptListener());
  }

  private RpcMethod createReceiptListener() {
    return new RpcMethod(
        "ptx_createReceiptListener",
        List.of(
            Parameter.of(
                "listener",
                ParameterType.OBJECT,
                "`{name, filters?: {sequenceAbove?, domain?, type?}}`")),
        "true",
        "Creates a durable listener: the node remembers what it has acknowledged. The same again"
            + " changes nothing; the same name with other filters is an error.",
        true,
        this::create);
  }

  private RpcMethod getReceiptListener() {
    return new RpcMethod(
        "ptx_getReceiptListener",
        List.of(NAME),
        "the listener with `acknowledged`, ours, the last sequence taken; or null",
        "A listener as it was created.",
        true,
        this::find);
  }

  private CompletionStage<JsonNode> find(Call call) {
    return context
        .node()
        .store()
        .listener(call.text(0))
        .thenApply(
            found -> found.<JsonNode>map(ReceiptListenerMethods::json).orElse(NullNode.instance));
  }

  private RpcMethod subscribe() {
    return new RpcMethod(
        "ptx_subscribe",
        List.of(
            Parameter.of("type", ParameterType.TEXT, "`receipts`"),
            Parameter.of("listener", ParameterType.NAME, "the listener's name")),
        "the subscription's id",
        "WebSocket only. Pushes the listener's receipts in batches, each after the one before was"
            + " acknowledged, from where the listener stands: at least once, in order of"
            + " `sequence`. A newer subscription to the same listener takes over.",
        true,
        this::subscribe);
  }

  private static RpcMethod unsubscribe() {
    return new RpcMethod(
        "ptx_unsubscribe",
        List.of(SUBSCRIPTION),
        "whether there was one",
        "WebSocket only. Ends a subscription; the listener stays.",
        true,
        call -> done(BooleanNode.valueOf(call.receipts().unsubscribe(call.text(0)))));
  }

  private RpcMethod deleteReceiptListener() {
    return new RpcMethod(
        "ptx_deleteReceiptListener",
        List.of(NAME),
        "whether there was one",
        "Deletes a listener and ends what is subscribed to it.",
        true,
        this::delete);
  }

  private static RpcMethod acknowledgement(
      String name, String doc, BiConsumer<ReceiptSession, String> action) {
    return new RpcMethod(
        name,
        List.of(SUBSCRIPTION),
        "nothing at all",
        doc,
        false,
        call -> {
          action.accept(call.receipts(), call.text(0));
          return done(NullNode.instance);
        });
  }

  private CompletionStage<JsonNode> create(Call call) {
    var fields = call.object(0);
    var name = fields.requiredParsed("name", "a string of 1 to 256 characters", Formats::name);
    var properties = ListenerProperties.read(fields);
    var listener =
        new Listener(
            name, properties.toBytes(), context.clock().instant(), properties.sequenceAbove());
    return context
        .node()
        .store()
        .createListener(listener)
        .thenApply(
            created -> {
              if (!created) {
                throw new RpcFailure(
                    ErrorCode.LISTENER_EXISTS,
                    "There is a receipt listener '%s' with other filters. Delete it first, or choose another name."
                        .formatted(name));
              }
              return BooleanNode.TRUE;
            });
  }

  private CompletionStage<JsonNode> delete(Call call) {
    return context
        .node()
        .store()
        .deleteListener(call.text(0))
        .thenApply(
            deleted -> {
              context.listeners().deleted(call.text(0));
              return BooleanNode.valueOf(deleted);
            });
  }

  private CompletionStage<JsonNode> subscribe(Call call) {
    var session = call.receipts();
    if (!call.text(0).equals(RECEIPTS)) {
      throw new RpcFailure(
          ErrorCode.WRONG_TYPE, call.path(0) + " must be \"receipts\": nothing else is pushed.");
    }
    return context
        .node()
        .store()
        .listener(call.text(1))
        .thenApply(
            found -> {
              var listener = found.orElseThrow(() -> unknown(call.text(1)));
              var id = session.subscribe(listener);
              call.exchange().afterAnswer(() -> session.start(id));
              return TextNode.valueOf(id);
            });
  }

  private static RpcFailure unknown(String name) {
    return new RpcFailure(
        ErrorCode.UNKNOWN_LISTENER,
        "There is no receipt listener '%s'. Create it with ptx_createReceiptListener."
            .formatted(name));
  }

  private static JsonNode json(Listener listener) {
    var json =
        JsonText.object()
            .put("name", listener.name())
            .put("created", listener.created().toString())
            .put("started", true);
    json.set("filters", ListenerProperties.of(listener).filters());
    json.putObject("options");
    return json.put("acknowledged", listener.acknowledged());
  }

  private static CompletionStage<JsonNode> done(JsonNode result) {
    return CompletableFuture.completedFuture(result);
  }
}
