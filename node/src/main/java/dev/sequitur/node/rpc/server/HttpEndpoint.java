package dev.sequitur.node.rpc.server;

import akka.http.javadsl.model.AttributeKeys;
import akka.http.javadsl.model.ContentType;
import akka.http.javadsl.model.ContentTypes;
import akka.http.javadsl.model.HttpEntities;
import akka.http.javadsl.model.HttpEntity;
import akka.http.javadsl.model.HttpMethods;
import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.model.StatusCode;
import akka.http.javadsl.model.StatusCodes;
import akka.http.javadsl.model.headers.Allow;
import akka.http.javadsl.model.headers.Connection;
import akka.http.javadsl.model.headers.RawHeader;
import akka.http.scaladsl.model.EntityStreamSizeException;
import akka.stream.Materializer;
import akka.stream.StreamLimitReachedException;
import akka.util.ByteString;
import dev.sequitur.node.guard.Guard;
import dev.sequitur.node.guard.Quotas;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.RpcSettings;
import dev.sequitur.node.rpc.method.RpcExchange;
import dev.sequitur.protocol.port.Answers;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * What the endpoint does with an HTTP request: JSON-RPC by POST to {@code /}, health, metrics and
 * the page by GET, WebSockets at {@code /} and {@code /ws}; anything else is refused.
 */
final class HttpEndpoint {
  private static final String ROOT = "/";
  private static final String WEB_SOCKET = "/ws";

  private final JsonRpc rpc;
  private final WebSocketEndpoint webSockets;
  private final HealthEndpoint health;
  private final Optional<PageEndpoint> page;
  private final Guard.Door door;
  private final Quotas quotas;
  private final Strangers strangers;
  private final LeavingJvm leaving;
  private final RpcSettings settings;
  private final Origins origins;
  private final Hosts hosts;
  private final Materializer materializer;

  HttpEndpoint(Parts parts, RpcSettings settings, Materializer materializer) {
    this.rpc = parts.rpc();
    this.webSockets = parts.webSockets();
    this.health = parts.health();
    this.door = parts.door();
    this.strangers = parts.strangers();
    this.leaving = parts.leaving();
    this.quotas = parts.quotas();
    this.settings = settings;
    this.page = settings.page() ? Optional.of(PageEndpoint.load()) : Optional.empty();
    this.origins =
        new Origins(settings.allowedOrigins(), settings.loopbackPages(), settings.page());
    this.hosts = new Hosts(settings.host(), settings.hostNames());
    this.materializer = materializer;
  }

  /** What answers, and who is let in. */
  record Parts(
      JsonRpc rpc,
      WebSocketEndpoint webSockets,
      HealthEndpoint health,
      Guard.Door door,
      Strangers strangers,
      Quotas quotas,
      LeavingJvm leaving) {}

  /**
   * @param caller whose connection it came on
   * @return never fails
   */
  CompletionStage<HttpResponse> answer(HttpRequest request, CallerConnection caller) {
    if (!hosts.allows(request.getUri().host())) {
      return refuse(request, StatusCodes.FORBIDDEN, hostRefused());
    }
    if (!origins.allows(request)) {
      return refuse(request, StatusCodes.FORBIDDEN, originRefused());
    }
    if (Origins.isPreflight(request)) {
      request.discardEntityBytes(materializer);
      return done(Origins.readable(request, Origins.preflight(request)));
    }
    if (!caller.hasPlace() && !isForWatchers(request)) {
      return refuse(request, StatusCodes.SERVICE_UNAVAILABLE, noPlace(caller));
    }
    var page = this.page.flatMap(it -> it.answer(request));
    if (page.isPresent()) {
      request.discardEntityBytes(materializer);
      return done(page.get());
    }
    Visit visit;
    try {
      visit = Visit.of(door, request);
    } catch (RpcFailure e) {
      return refuseStranger(request, caller, e)
          .thenApply(response -> Origins.readable(request, response));
    }
    return answerVisitor(request, visit, caller)
        .thenApply(response -> Origins.readable(request, response));
  }

  /**
   * A caller whose token or certificate does not hold, or who shows none where one is asked for.
   */
  private CompletionStage<HttpResponse> refuseStranger(
      HttpRequest request, CallerConnection caller, RpcFailure failure) {
    return refuse(request, StatusCodes.UNAUTHORIZED, failure)
        .thenCompose(refusal -> strangers.answer(request, caller.address(), failure, refusal));
  }

  /**
   * Whether a request is for health or metrics, which are answered though no connection has room.
   */
  private static boolean isForWatchers(HttpRequest request) {
    var path = request.getUri().path();
    return request.method().equals(HttpMethods.GET)
        && (path.startsWith("/health") || path.equals("/metrics"));
  }

  private CompletionStage<HttpResponse> answerVisitor(
      HttpRequest request, Visit visit, CallerConnection caller) {
    if (isForWatchers(request)) {
      try {
        visit.requireReading();
      } catch (RpcFailure e) {
        return refuse(request, StatusCodes.FORBIDDEN, e);
      }
    }
    var path = request.getUri().path();
    var upgrade = request.getAttribute(AttributeKeys.webSocketUpgrade);
    if (upgrade.isPresent() && (path.equals(ROOT) || path.equals(WEB_SOCKET))) {
      return done(upgrade.get().handleMessagesWith(webSockets.flow(visit, caller)));
    }
    var looked = health.answer(request);
    if (looked.isPresent()) {
      request.discardEntityBytes(materializer);
      return looked.get();
    }
    if (!request.method().equals(HttpMethods.POST)) {
      return refuse(request, StatusCodes.METHOD_NOT_ALLOWED, notPost())
          .thenApply(response -> response.addHeader(Allow.create(HttpMethods.POST)));
    }
    return path.equals(ROOT)
        ? metered(request, visit, caller)
        : refuse(request, StatusCodes.NOT_FOUND, noSuchPath());
  }

  /**
   * Answers a call if its caller's quota has room for it, and tells in the answer what is left of
   * the quota, by the headers of the IETF's draft RateLimit.
   */
  private CompletionStage<HttpResponse> metered(
      HttpRequest request, Visit visit, CallerConnection caller) {
    try {
      var left = quotas.take(visit.principal(), 1);
      var answer = call(request.entity(), visit, caller);
      return left.isEmpty()
          ? answer
          : answer.thenApply(
              response ->
                  tell(response, left.get(), quotas.pendingLeft(visit.principal()).orElse(0)));
    } catch (Quotas.Exceeded e) {
      return refuse(request, StatusCodes.TOO_MANY_REQUESTS, e.failure())
          .thenApply(
              response ->
                  response.addHeader(
                      RawHeader.create("Retry-After", Long.toString(e.retryAfterSeconds()))));
    }
  }

  private static HttpResponse tell(HttpResponse response, Quotas.Left left, int pending) {
    var quota = left.quota();
    return response
        .addHeader(
            RawHeader.create(
                "RateLimit-Policy",
                "\"caller\";q=%d;w=%d, \"pending\";q=%d"
                    .formatted(
                        quota.burst(),
                        Math.max(1, quota.burst() / quota.perSecond()),
                        quota.pending())))
        .addHeader(
            RawHeader.create(
                "RateLimit",
                "\"caller\";r=%d;t=%d, \"pending\";r=%d"
                    .formatted(left.requests(), left.resetSeconds(), pending)));
  }

  private CompletionStage<HttpResponse> call(
      HttpEntity entity, Visit visit, CallerConnection caller) {
    if (entity.getContentLengthOption().orElse(0) > RequestBody.mostRead(settings)) {
      // Far too much to wait for: the answer goes out and the connection is closed.
      return done(
          json(rpc.refusal(RequestBody.tooLarge(settings))).addHeader(Connection.create("close")));
    }
    return body(entity)
        .handle(
            (body, failure) ->
                failure == null
                    ? rpc.answer(
                        body.toArray(), RpcExchange.http(visit.principal(), visit.traceParent()))
                    : CompletableFuture.completedFuture(
                        JsonRpc.Answer.of(rpc.refusal(refusal(failure)))))
        .thenCompose(Function.identity())
        .thenApply(answer -> elsewhereNext(response(answer, caller)));
  }

  /** Whoever balances the load opens the next connection to a JVM that stays. */
  private HttpResponse elsewhereNext(HttpResponse response) {
    return leaving.refuses() ? response.addHeader(Connection.create("close")) : response;
  }

  /**
   * A long answer is written as fast as its caller reads it, and takes room until it is written.
   */
  private static HttpResponse response(JsonRpc.Answer answer, CallerConnection caller) {
    if (answer.text().isEmpty()) {
      answer.written().run();
      return nothing();
    }
    var body = answer.text().get();
    if (!AnswerParts.isLong(body)) {
      answer.written().run();
      return json(body);
    }
    var parts =
        AnswerParts.of(
            body,
            (from, length) -> ByteString.fromArrayUnsafe(body, from, length),
            caller.writes(answer.written()));
    return HttpResponse.create()
        .withEntity(HttpEntities.create(ContentTypes.APPLICATION_JSON, body.length, parts));
  }

  private CompletionStage<ByteString> body(HttpEntity entity) {
    if (entity instanceof HttpEntity.Strict strict
        && strict.getData().length() <= settings.limits().bodyBytes()) {
      return CompletableFuture.completedFuture(strict.getData());
    }
    return RequestBody.read(entity.getDataBytes(), settings, materializer);
  }

  private RpcFailure refusal(Throwable failure) {
    var cause = Answers.cause(failure);
    if (cause instanceof RpcFailure refused) {
      return refused;
    }
    if (cause instanceof StreamLimitReachedException
        || cause instanceof EntityStreamSizeException) {
      return RequestBody.tooLarge(settings);
    }
    // Only a connection that broke ends so, and then nobody reads the answer.
    return new RpcFailure(ErrorCode.MALFORMED_JSON, "The body broke off. Send it again, whole.");
  }

  private CompletionStage<HttpResponse> refuse(
      HttpRequest request, StatusCode status, RpcFailure failure) {
    request.discardEntityBytes(materializer);
    return done(json(rpc.refusal(failure)).withStatus(status));
  }

  private static RpcFailure originRefused() {
    return new RpcFailure(
        ErrorCode.ORIGIN_REFUSED,
        "Web pages of this origin may not call the node. Add it to the node's rpc.allowed-origins.");
  }

  private static RpcFailure hostRefused() {
    return new RpcFailure(ErrorCode.HOST_REFUSED, Hosts.REFUSED);
  }

  private static RpcFailure noPlace(CallerConnection caller) {
    return new RpcFailure(
        ErrorCode.TOO_MANY_CONNECTIONS,
        "The node has no place for another connection of %s. Close some, or use one for several requests."
            .formatted(caller.address().getHostAddress()));
  }

  private static RpcFailure notPost() {
    return new RpcFailure(
        ErrorCode.NOT_POST,
        "Only POST is answered here. Send JSON-RPC 2.0 by POST to /, or open a WebSocket.");
  }

  private static RpcFailure noSuchPath() {
    return new RpcFailure(ErrorCode.NO_SUCH_PATH, "JSON-RPC is served at / only. POST to /.");
  }

  /** A notification or a batch of them is due no response. */
  private static HttpResponse nothing() {
    return HttpResponse.create().withStatus(StatusCodes.NO_CONTENT);
  }

  private static HttpResponse json(byte[] body) {
    return ok(ContentTypes.APPLICATION_JSON, body);
  }

  private static HttpResponse ok(ContentType type, byte[] body) {
    return HttpResponse.create().withEntity(HttpEntities.create(type, body));
  }

  private static CompletionStage<HttpResponse> done(HttpResponse response) {
    return CompletableFuture.completedFuture(response);
  }
}
