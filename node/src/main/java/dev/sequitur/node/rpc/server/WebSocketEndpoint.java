package dev.sequitur.node.rpc.server;

import akka.NotUsed;
import akka.http.javadsl.model.ws.Message;
import akka.http.javadsl.model.ws.TextMessage;
import akka.japi.Pair;
import akka.stream.BoundedSourceQueue;
import akka.stream.Materializer;
import akka.stream.QueueOfferResult;
import akka.stream.javadsl.Flow;
import akka.stream.javadsl.Sink;
import akka.stream.javadsl.Source;
import akka.util.ByteString;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.json.JsonText;
import dev.sequitur.node.guard.Quotas;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.listener.ConnectionListeners;
import dev.sequitur.node.rpc.method.RpcExchange;
import dev.sequitur.protocol.id.Utf8;
import dev.sequitur.protocol.port.Answers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * JSON-RPC over WebSockets: each text message is a request or a batch. Answers come in the order of
 * the requests; pushed receipts in between. A caller who does not read is not read from, and one
 * who lets pushes pile up is disconnected: a new subscription goes on where the listener stands.
 */
final class WebSocketEndpoint {
  /** Requests of one connection that are worked on at once. */
  private static final int PARALLEL = 16;

  /** Each subscription has one batch on its way, and perhaps the news of its end. */
  private static final int PUSHES_PER_SUBSCRIPTION = 2;

  /** Events of schedules are pushed as they happen: so many may wait for a slow reader. */
  private static final int EVENTS = 1_024;

  /**
   * How often it is looked whether who has opened a connection would still be let in, though
   * nothing moves on it: with the look at the file of tokens, within a second.
   */
  private static final Duration LOOK_EVERY = Duration.ofMillis(700);

  private final JsonRpc rpc;
  private final Quotas quotas;
  private final ConnectionListeners.Shared shared;
  private final RpcMetrics metrics;
  private final Materializer materializer;

  WebSocketEndpoint(
      JsonRpc rpc,
      Quotas quotas,
      ConnectionListeners.Shared shared,
      RpcMetrics metrics,
      Materializer materializer) {
    this.rpc = rpc;
    this.quotas = quotas;
    this.shared = shared;
    this.metrics = metrics;
    this.materializer = materializer;
  }

  /** One message of a caller. */
  private sealed interface Incoming {
    record Text(ByteString utf8) implements Incoming {}

    record Unreadable(RpcFailure why) implements Incoming {}

    /** After it nothing is read: the rest of it would be taken for a message of its own. */
    record BrokenOff(RpcFailure why) implements Incoming {}
  }

  private record Answer(JsonRpc.Answer text, RpcExchange exchange) {}

  /** One connection; it ends when who has opened it would no longer be let in. */
  Flow<Message, Message, NotUsed> flow(Visit visit, CallerConnection caller) {
    int subscriptions = shared.settings().limits().subscriptions();
    int room = PUSHES_PER_SUBSCRIPTION * subscriptions + EVENTS;
    Pair<BoundedSourceQueue<Message>, Source<Message, NotUsed>> pushes =
        Source.<Message>queue(room).preMaterialize(materializer);
    var listeners = new ConnectionListeners(shared, push -> push(pushes.first(), push));
    var events = new ConnectionPushes(subscriptions, push -> push(pushes.first(), push));
    metrics.webSocketOpened();
    return Flow.of(Message.class)
        .mapAsync(1, this::read)
        .takeWhile(incoming -> !(incoming instanceof Incoming.BrokenOff), true)
        .takeWhile(incoming -> visit.holds())
        .mapAsync(
            PARALLEL,
            incoming ->
                answer(
                    incoming,
                    caller,
                    RpcExchange.webSocket(
                        visit.principal(), visit.traceParent(), listeners, events)))
        .mapConcat(WebSocketEndpoint::messages)
        .merge(pushes.second().takeWhile(push -> visit.holds()), true)
        .merge(whileItHolds(visit), true)
        .watchTermination(
            (notUsed, ended) -> {
              ended.whenComplete(
                  (done, failure) -> {
                    listeners.close();
                    events.close();
                    metrics.webSocketClosed();
                  });
              return notUsed;
            });
  }

  /** Of no messages. It ends, and the connection with it, when the visit no longer holds. */
  private static Source<Message, NotUsed> whileItHolds(Visit visit) {
    return visit.principal().isAsked()
        ? Source.tick(LOOK_EVERY, LOOK_EVERY, visit)
            .takeWhile(Visit::holds)
            .mapConcat(any -> List.<Message>of())
            .mapMaterializedValue(cancellable -> NotUsed.getInstance())
        : Source.<Message>maybe().mapMaterializedValue(never -> NotUsed.getInstance());
  }

  /** The text or why it is not read. */
  private CompletionStage<Incoming> read(Message message) {
    if (!message.isText()) {
      message.asBinaryMessage().getStreamedData().runWith(Sink.ignore(), materializer);
      return CompletableFuture.completedFuture(
          new Incoming.Unreadable(
              new RpcFailure(
                  ErrorCode.MALFORMED_JSON, "The message is binary. Send JSON in text messages.")));
    }
    TextMessage text = message.asTextMessage();
    var bytes =
        text.isStrict()
            ? Source.single(utf8(text.getStrictText()))
            : text.getStreamedText().map(WebSocketEndpoint::utf8);
    return RequestBody.read(bytes, shared.settings(), materializer)
        .handle((body, failure) -> failure == null ? new Incoming.Text(body) : unread(failure));
  }

  private static ByteString utf8(String text) {
    return ByteString.fromArrayUnsafe(Utf8.encode(text));
  }

  private static Incoming unread(Throwable failure) {
    var cause = Answers.cause(failure);
    if (cause instanceof RpcFailure refused
        && refused.code().equals(ErrorCode.BODY_TOO_LARGE.code())) {
      return new Incoming.Unreadable(refused);
    }
    return new Incoming.BrokenOff(
        cause instanceof RpcFailure slow
            ? slow
            : new RpcFailure(
                ErrorCode.MALFORMED_JSON,
                "The message broke off, or is not UTF-8. Connect again and send it whole."));
  }

  private CompletionStage<Answer> answer(
      Incoming incoming, CallerConnection caller, RpcExchange exchange) {
    return switch (incoming) {
      case Incoming.Text(var utf8) -> answer(utf8, caller, exchange);
      case Incoming.Unreadable(var why) -> refused(why, exchange);
      case Incoming.BrokenOff(var why) -> refused(why, exchange);
    };
  }

  private CompletionStage<Answer> answer(
      ByteString utf8, CallerConnection caller, RpcExchange exchange) {
    try {
      quotas.take(exchange.caller(), 1);
    } catch (Quotas.Exceeded e) {
      return refused(e.failure(), exchange);
    }
    return rpc.answer(utf8.toArray(), exchange)
        .thenApply(
            answer ->
                new Answer(
                    new JsonRpc.Answer(answer.text(), caller.writes(answer.written())), exchange));
  }

  private CompletionStage<Answer> refused(RpcFailure why, RpcExchange exchange) {
    return CompletableFuture.completedFuture(
        new Answer(JsonRpc.Answer.of(rpc.refusal(why)), exchange));
  }

  /** Runs when the answer's turn has come: what it begins cannot overtake it. */
  private static Iterable<Message> messages(Answer answer) {
    answer.exchange().answered();
    var text = answer.text().text();
    if (text.filter(AnswerParts::isLong).isPresent()) {
      return List.of(TextMessage.create(AnswerParts.text(text.get(), answer.text().written())));
    }
    answer.text().written().run();
    return text.map(WebSocketEndpoint::message).stream().toList();
  }

  private static Message message(byte[] json) {
    return TextMessage.create(new String(json, StandardCharsets.UTF_8));
  }

  private static void push(BoundedSourceQueue<Message> pushes, ObjectNode notification) {
    var outcome = pushes.offer(message(JsonText.write(notification)));
    if (outcome.equals(QueueOfferResult.dropped())) {
      pushes.fail(new IllegalStateException("The caller does not read what is pushed."));
    }
  }
}
