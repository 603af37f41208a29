package dev.sequitur.node.rpc.method;

import static java.util.concurrent.CompletableFuture.completedFuture;

import com.fasterxml.jackson.databind.node.NullNode;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.json.Field;
import dev.sequitur.node.rpc.json.Formats;
import dev.sequitur.node.rpc.json.JsonText;
import dev.sequitur.node.rpc.json.ObjectFormat;
import dev.sequitur.node.rpc.json.ObjectShape;
import dev.sequitur.node.rpc.json.Sent;
import dev.sequitur.node.rpc.json.Shape;
import dev.sequitur.node.rpc.query.FieldKind;
import dev.sequitur.node.rpc.query.QueryField;
import dev.sequitur.node.rpc.query.QueryReader;
import dev.sequitur.protocol.guard.MethodGroup;
import dev.sequitur.protocol.guard.Named;
import dev.sequitur.protocol.port.NodeStore.Listener;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;

/** Durable receipt listeners, and the subscriptions to them over a WebSocket. */
final class ReceiptListenerMethods {
  private static final String RECEIPTS = "receipts";
  private static final Field<String> NAME =
      Field.of("name", Formats.NAME, "the listener's name").mentions(Field.Mention.LISTENER);
  private static final Field<String> SUBSCRIPTION =
      Field.of("subscription", Formats.TEXT, "the id that ptx_subscribe returned");

  private static final Field<String> LISTENER_NAME =
      Field.of("name", Formats.NAME, "").mentions(Field.Mention.LISTENER);
  private static final Field<Sent> FILTERS =
      Field.or(
          "filters",
          ReceiptFilters.SENT,
          ReceiptFilters.SENT.empty("filters"),
          "what it is to be told");
  private static final Field<Boolean> STARTED =
      Field.or("started", Formats.BOOLEAN, true, "false if it is to be told nothing yet");
  private static final Field<Sent> NEW_LISTENER =
      Field.of(
          "listener",
          ObjectFormat.of("ReceiptListenerRequest", LISTENER_NAME, STARTED, FILTERS).open(),
          "the new listener");
  private static final Field<String> TYPE = Field.of("type", Formats.TEXT, "`receipts`");
  private static final Field<String> SUBSCRIBED =
      Field.of("listener", Formats.NAME, "the listener's name").mentions(Field.Mention.LISTENER);

  private static final ObjectShape<Listener> LISTENER =
      ObjectShape.<Listener>named("ReceiptListener")
          .with("name", Formats.NAME, Listener::name)
          .with("created", Formats.TIME, Listener::created)
          .with("started", Formats.BOOLEAN, listener -> listener.stopped().isEmpty())
          .with("filters", ReceiptFilters.FILTERS, ReceiptFilters::of)
          .with("options", Shape.ANY, listener -> JsonText.object(), "always empty here")
          .with("acknowledged", Shape.NUMBER, Listener::acknowledged, "the last sequence taken");

  private static final Map<String, QueryField<Listener>> FIELDS =
      QueryField.table(
          List.of(
              QueryField.of("name", FieldKind.TEXT, Listener::name),
              QueryField.of("created", FieldKind.TIME, Listener::created),
              QueryField.of(
                  "started", FieldKind.BOOLEAN, listener -> listener.stopped().isEmpty())));

  private static final Field<Sent> QUERY = QueryReader.field("ReceiptListenerQuery", FIELDS);

  private final NodeContext context;

  ReceiptListenerMethods(NodeContext context) {
    this.context = context;
  }

  List<RpcMethod> methods() {
    return List.of(
        createReceiptListener(),
        getReceiptListener(),
        queryReceiptListeners(),
        stopped(
            "ptx_stopReceiptListener",
            "Has a listener told nothing until it is started again. What is subscribed to it stays so;"
                + " a batch that is on its way still counts.",
            true),
        stopped(
            "ptx_startReceiptListener", "Has a listener told again, from where it stands.", false),
        subscribe(),
        unsubscribe(),
        acknowledgement(
            "ptx_ack",
            "WebSocket only, not answered. The batch has been taken; the next one comes.",
            ListenerSession::acknowledge),
        acknowledgement(
            "ptx_nack",
            "WebSocket only, not answered. The batch is wanted again; it comes after a pause that"
                + " grows with each time.",
            ListenerSession::refuse),
        deleteReceiptListener());
  }

  private RpcMethod createReceiptListener() {
    return RpcMethod.of(
            MethodGroup.SUBMIT,
            "ptx_createReceiptListener",
            List.of(NEW_LISTENER),
            Formats.BOOLEAN,
            "true",
            "Creates a durable listener: the node remembers what it has acknowledged. The same again"
                + " changes nothing; the same name with other filters is an error.",
            call -> create(call.get(NEW_LISTENER)))
        .aboutAll(Named.Kind.GROUPS);
  }

  private RpcMethod getReceiptListener() {
    return RpcMethod.of(
        MethodGroup.READ,
        "ptx_getReceiptListener",
        List.of(NAME),
        LISTENER.orNull(),
        "the listener with `acknowledged`, ours, the last sequence taken; or null",
        "A listener as it was created.",
        call -> context.node().store().listener(call.get(NAME)));
  }

  private RpcMethod stopped(String name, String doc, boolean stops) {
    return RpcMethod.of(
            MethodGroup.SUBMIT,
            name,
            List.of(NAME),
            Formats.BOOLEAN,
            "true",
            doc,
            call -> {
              var at = stops ? Optional.of(context.clock().instant()) : Optional.<Instant>empty();
              return context
                  .node()
                  .store()
                  .stopListener(call.get(NAME), at)
                  .thenApply(
                      found -> {
                        if (!found) {
                          throw unknown(call.get(NAME));
                        }
                        return true;
                      });
            })
        .aboutAll(Named.Kind.GROUPS);
  }

  private RpcMethod queryReceiptListeners() {
    return RpcMethod.of(
        MethodGroup.READ,
        "ptx_queryReceiptListeners",
        List.of(QUERY),
        LISTENER.list(),
        "an array of listeners",
        "Listeners as they were created, by name unless sorted otherwise.",
        call ->
            context
                .node()
                .store()
                .listeners()
                .thenCompose(all -> context.rows(call.get(QUERY), FIELDS, all)));
  }

  private RpcMethod subscribe() {
    return RpcMethod.of(
            MethodGroup.SUBMIT,
            "ptx_subscribe",
            List.of(TYPE, SUBSCRIBED),
            Formats.TEXT,
            "the subscription's id",
            "WebSocket only. Pushes the listener's receipts in batches, each after the one before was"
                + " acknowledged, from where the listener stands: at least once, in order of"
                + " `sequence`. A newer subscription to the same listener takes over.",
            this::subscribe)
        .aboutAll(Named.Kind.GROUPS);
  }

  private static RpcMethod unsubscribe() {
    return RpcMethod.of(
        MethodGroup.SUBMIT,
        "ptx_unsubscribe",
        List.of(SUBSCRIPTION),
        Formats.BOOLEAN,
        "whether there was one",
        "WebSocket only. Ends a subscription; the listener stays.",
        call -> completedFuture(call.listeners().unsubscribe(call.get(SUBSCRIPTION))));
  }

  private RpcMethod deleteReceiptListener() {
    return RpcMethod.of(
            MethodGroup.SUBMIT,
            "ptx_deleteReceiptListener",
            List.of(NAME),
            Formats.BOOLEAN,
            "whether there was one",
            "Deletes a listener and ends what is subscribed to it.",
            call -> delete(call.get(NAME)))
        .aboutAll(Named.Kind.GROUPS);
  }

  private static RpcMethod acknowledgement(
      String name, String doc, BiConsumer<ListenerSession, String> action) {
    return new RpcMethod(
        MethodGroup.SUBMIT,
        Set.of(),
        name,
        List.of(SUBSCRIPTION),
        Shape.ANY,
        "nothing at all",
        doc,
        false,
        Optional.empty(),
        call -> {
          action.accept(call.listeners(), call.get(SUBSCRIPTION));
          return completedFuture(NullNode.instance);
        });
  }

  private CompletionStage<Boolean> create(Sent sent) {
    var name = sent.get(LISTENER_NAME);
    var properties = ReceiptFilters.of(sent.get(FILTERS));
    var now = context.clock().instant();
    var listener =
        new Listener(
            name,
            properties.toBytes(),
            now,
            properties.sequenceAbove(),
            sent.get(STARTED) ? Optional.empty() : Optional.of(now));
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
              return true;
            });
  }

  private CompletionStage<Boolean> delete(String name) {
    return context
        .node()
        .store()
        .deleteListener(name)
        .thenApply(
            deleted -> {
              context.listeners().deleted(name);
              return deleted;
            });
  }

  private CompletionStage<String> subscribe(Call call) {
    var session = call.listeners();
    if (!call.get(TYPE).equals(RECEIPTS)) {
      throw new RpcFailure(
          ErrorCode.WRONG_TYPE, call.path(TYPE) + " must be \"receipts\": nothing else is pushed.");
    }
    return context
        .node()
        .store()
        .listener(call.get(SUBSCRIBED))
        .thenApply(
            found -> {
              var listener = found.orElseThrow(() -> unknown(call.get(SUBSCRIBED)));
              var id = session.subscribe(listener);
              call.exchange().afterAnswer(() -> session.start(id));
              return id;
            });
  }

  private static RpcFailure unknown(String name) {
    return new RpcFailure(
        ErrorCode.UNKNOWN_LISTENER,
        "There is no receipt listener '%s'. Create it with ptx_createReceiptListener."
            .formatted(name));
  }
}
