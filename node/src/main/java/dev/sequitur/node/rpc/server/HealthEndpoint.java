package dev.sequitur.node.rpc.server;

import akka.http.javadsl.model.ContentTypes;
import akka.http.javadsl.model.HttpEntities;
import akka.http.javadsl.model.HttpHeader;
import akka.http.javadsl.model.HttpMethods;
import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.model.StatusCodes;
import akka.stream.Materializer;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.json.JsonText;
import dev.sequitur.node.guard.Guard;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.server.HealthChecks.Checked;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.port.Transport.Link;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * {@code GET} of {@code /health}, {@code /health/live}, {@code /health/ready} and {@code /metrics}.
 * A node that is not live, or not ready, answers 503; {@code /health} goes by readiness.
 */
final class HealthEndpoint {
  private final HealthChecks checks;
  private final RpcMetrics metrics;
  private final Strangers strangers;
  private final Materializer materializer;

  HealthEndpoint(
      HealthChecks checks, RpcMetrics metrics, Strangers strangers, Materializer materializer) {
    this.strangers = strangers;
    this.checks = checks;
    this.metrics = metrics;
    this.materializer = materializer;
  }

  /**
   * Where nothing else is served.
   *
   * @param hosts by which it may be called there
   * @param door who is let in there
   */
  CompletionStage<HttpResponse> answerOrRefuse(
      HttpRequest request, CallerConnection caller, Hosts hosts, Guard.Door door) {
    request.discardEntityBytes(materializer);
    if (!hosts.allows(request.getUri().host())) {
      return CompletableFuture.completedFuture(
          HttpResponse.create().withStatus(StatusCodes.FORBIDDEN).withEntity(Hosts.REFUSED + "\n"));
    }
    try {
      Visit.of(door, request).requireReading();
    } catch (RpcFailure e) {
      boolean known = e.code().equals(ErrorCode.NOT_GRANTED.code());
      var answer = HttpResponse.create().withEntity(e.text() + "\n");
      return known
          ? CompletableFuture.completedFuture(answer.withStatus(StatusCodes.FORBIDDEN))
          : strangers.answer(
              request, caller.address(), e, answer.withStatus(StatusCodes.UNAUTHORIZED));
    }
    return answer(request)
        .orElseGet(
            () ->
                CompletableFuture.completedFuture(
                    HttpResponse.create().withStatus(StatusCodes.NOT_FOUND)));
  }

  /** The answer; empty if the request asks for something else, which is then the caller's. */
  Optional<CompletionStage<HttpResponse>> answer(HttpRequest request) {
    if (!request.method().equals(HttpMethods.GET)) {
      return Optional.empty();
    }
    return Optional.ofNullable(
        switch (request.getUri().path()) {
          case "/health" ->
              checks.check().thenApply(checked -> json(all(checked), checked.health().isReady()));
          case "/health/live" ->
              checks.restart().thenApply(reasons -> verdict(reasons.isEmpty(), reasons));
          case "/health/ready" ->
              checks
                  .check()
                  .thenApply(
                      checked -> verdict(checked.health().isReady(), checked.health().unready()));
          case "/metrics" ->
              CompletableFuture.completedFuture(
                  metrics(request.getHeader("accept").map(HttpHeader::value)));
          default -> null;
        });
  }

  private HttpResponse metrics(Optional<String> accept) {
    var page = metrics.scrape(accept);
    return HttpResponse.create()
        .withEntity(HttpEntities.create(ContentTypes.parse(page.contentType()), page.text()));
  }

  private ObjectNode all(Checked checked) {
    var node = checks.node();
    var seen = checked.seen();
    var health = checked.health();
    var json =
        JsonText.object()
            .put("status", health.status())
            .put("live", health.isLive())
            .put("ready", health.isReady())
            .put("node", node.name().value())
            .put("blockHeight", seen.indexed().value());
    json.putObject("ledger")
        .put("reachable", seen.head().isPresent())
        .put("head", seen.head().map(BlockHeight::value).orElse(null));
    addAll(json.putArray("troubles"), health.troubles());
    addAll(json.putArray("remarks"), checked.remarks());
    json.put("groups", node.groupCount());
    var peers = json.putArray("peers");
    node.peers().stream()
        .sorted()
        .forEach(
            peer ->
                addLink(
                    peers.addObject().put("node", peer.value()),
                    Optional.ofNullable(seen.links().get(peer))));
    return json;
  }

  private static void addLink(ObjectNode json, Optional<Link> link) {
    json.put(
        "link",
        link.map(known -> known.connected() ? "connected" : "not connected")
            .orElse("in this process"));
    link.map(Link::trouble)
        .filter(trouble -> !trouble.isEmpty())
        .ifPresent(trouble -> json.put("trouble", trouble));
  }

  private static HttpResponse verdict(boolean good, List<String> reasons) {
    var json = JsonText.object().put("status", good ? "UP" : "DOWN");
    addAll(json.putArray("troubles"), reasons);
    return json(json, good);
  }

  private static void addAll(ArrayNode array, List<String> sentences) {
    sentences.forEach(array::add);
  }

  private static HttpResponse json(ObjectNode json, boolean good) {
    return HttpResponse.create()
        .withStatus(good ? StatusCodes.OK : StatusCodes.SERVICE_UNAVAILABLE)
        .withEntity(HttpEntities.create(ContentTypes.APPLICATION_JSON, JsonText.write(json)));
  }
}
