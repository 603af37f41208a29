package dev.sequitur.node.rpc.method;

import static java.util.concurrent.CompletableFuture.completedFuture;

import com.fasterxml.jackson.databind.node.NullNode;
import dev.sequitur.json.Field;
import dev.sequitur.json.Format;
import dev.sequitur.json.Formats;
import dev.sequitur.json.Shape;
import dev.sequitur.node.rpc.method.RpcExchange.ListenerSession;
import dev.sequitur.protocol.port.ListenerStore.Listener;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;

/** Subscriptions to durable listeners over a WebSocket, alike for all that is listened for. */
public final class SubscriptionMethods {
  private static final Field<String> SUBSCRIBED =
      Field.of("listener", Formats.NAME, "the listener's name").mentions(Field.Mention.LISTENER);

  /**
   * One kind of listeners.
   *
   * @param word that callers send as {@code type}
   * @param feed what a listener is told of, as far as who calls may see it when it is told
   */
  public record Subscribable(
      String word, StoredListeners listeners, BiFunction<Listener, Call, ListenerFeed> feed) {}

  private final String prefix;
  private final List<Subscribable> kinds;
  private final Field<String> type;
  private final Field<String> subscription;

  /**
   * @param prefix of the methods, such as {@code ptx_}
   */
  public SubscriptionMethods(String prefix, List<Subscribable> kinds) {
    this.prefix = prefix;
    this.kinds = List.copyOf(kinds);
    this.type =
        Field.of(
            "type",
            Format.among(kinds.stream().map(Subscribable::word).toList()),
            "what is pushed");
    this.subscription =
        Field.of("subscription", Formats.TEXT, "the id that " + prefix + "subscribe returned");
  }

  public List<RpcMethod> methods() {
    return List.of(
        RpcMethod.submitting(
            prefix + "subscribe",
            List.of(type, SUBSCRIBED),
            Formats.TEXT,
            "the subscription's id",
            "WebSocket only. Pushes what a listener is told of in batches, each after the one"
                + " before was acknowledged, from where the listener stands: at least once, in"
                + " order. What the caller may not see at that time is left out, and not told"
                + " later. Several subscriptions to one listener share it: each"
                + " batch goes to one of them in turn; one that is refused, or not acknowledged for"
                + " 30 s, goes to the next.",
            this::subscribe),
        RpcMethod.submitting(
            prefix + "unsubscribe",
            List.of(subscription),
            Formats.BOOLEAN,
            "whether there was one",
            "WebSocket only. Ends a subscription; the listener stays.",
            call -> completedFuture(call.listeners().unsubscribe(call.get(subscription)))),
        acknowledgement(
            "ack",
            "WebSocket only, not answered. The batch has been taken; the next one comes.",
            ListenerSession::acknowledge),
        acknowledgement(
            "nack",
            "WebSocket only, not answered. The batch is wanted again; it comes after a pause that"
                + " grows with each time.",
            ListenerSession::refuse));
  }

  private RpcMethod acknowledgement(
      String verb, String doc, BiConsumer<ListenerSession, String> action) {
    return RpcMethod.submitting(
            prefix + verb,
            List.of(subscription),
            Shape.ANY,
            "nothing at all",
            doc,
            call -> {
              action.accept(call.listeners(), call.get(subscription));
              return completedFuture(NullNode.instance);
            })
        .withAnswered(false);
  }

  private CompletionStage<String> subscribe(Call call) {
    var session = call.listeners();
    var kind =
        kinds.stream().filter(each -> each.word().equals(call.get(type))).findFirst().orElseThrow();
    return kind.listeners()
        .known(call, call.get(SUBSCRIBED))
        .thenApply(
            listener -> {
              var id =
                  session.subscribe(
                      kind.listeners().kind(), listener, kind.feed().apply(listener, call));
              call.exchange().afterAnswer(() -> session.start(id));
              return id;
            });
  }
}
