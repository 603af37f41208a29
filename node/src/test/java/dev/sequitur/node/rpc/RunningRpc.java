package dev.sequitur.node.rpc;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Behaviors;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.typesafe.config.ConfigFactory;
import dev.sequitur.cluster.metrics.Gauges;
import dev.sequitur.cluster.placement.Drain;
import dev.sequitur.cluster.placement.Draining;
import dev.sequitur.cluster.tls.WatchedCertificates;
import dev.sequitur.node.guard.Guard;
import dev.sequitur.node.guard.GuardSettings;
import dev.sequitur.node.rehearsal.Rehearsal;
import dev.sequitur.node.rpc.BackgroundTask.State;
import dev.sequitur.node.rpc.server.RpcServer;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.SenderCommitment;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.runtime.PartitionedQueues;
import dev.sequitur.trace.TransactionSpans;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** An endpoint on a free port of loopback over a fake node, and a client for it. */
public final class RunningRpc implements AutoCloseable {
  static final JsonMapper JSON = new JsonMapper();
  private static final long STOP_SECONDS = 60;

  /** Health on a free port of its own, too. */
  private static final HealthSettings HEALTH =
      new HealthSettings(
          Optional.of(InetSocketAddress.createUnresolved("127.0.0.1", 0)),
          1,
          100,
          Optional.of(Duration.ofHours(1)),
          "ledger.remote");

  private static final GuardSettings UNASKED = GuardSettings.of(Path.of("no-tokens.json"));

  private final boolean tls;
  final FakeSequencerNode node = new FakeSequencerNode();
  final PrometheusRegistry registry = new PrometheusRegistry();
  public final SchedulerOnRules scheduler;
  final RpcServer server;

  /** How many other JVMs the node has. */
  volatile int others = 1;

  final AtomicLong nanos = new AtomicLong();
  final Draining draining =
      new Draining(
          new Drain.Limits(Duration.ofSeconds(2), Duration.ofSeconds(10)),
          new Draining.Sight() {
            @Override
            public int others() {
              return others;
            }

            @Override
            public CompletionStage<Boolean> coordinating() {
              return CompletableFuture.completedFuture(true);
            }

            @Override
            public long range() {
              return 0;
            }
          },
          nanos::get);
  final HttpClient client = HttpClient.newHttpClient();
  private final ActorSystem<Void> system =
      ActorSystem.create(
          Behaviors.empty(),
          "rpc",
          ConfigFactory.parseString("akka { loglevel = WARNING, logger-startup-timeout = 60s }")
              .withFallback(ConfigFactory.load()));

  RunningRpc(RpcSettings settings) {
    this(settings, false);
  }

  RunningRpc(RpcSettings settings, boolean chaos) {
    this(settings, chaos, new SchedulerOnRules(MultiSignatureSettings.MVP), UNASKED);
  }

  private RunningRpc(
      RpcSettings settings, boolean chaos, SchedulerOnRules scheduler, GuardSettings guarded) {
    this(settings, chaos, scheduler, guarded, Diagnosable.NOTHING, WatchedCertificates.NONE);
  }

  private RunningRpc(
      RpcSettings settings,
      boolean chaos,
      SchedulerOnRules scheduler,
      GuardSettings guarded,
      Diagnosable diagnosable,
      WatchedCertificates certificates) {
    this.scheduler = scheduler;
    this.tls = guarded.tls().isPresent();
    var guard = new Guard(guarded, InstantSource.system());
    Gauges.show(registry, "sequitur_of_the_node", "Of another part of the node.", () -> 3);
    var rehearsal =
        chaos
            ? Optional.of(new Rehearsal(node.name(), node.ledger()))
            : Optional.<Rehearsal>empty();
    var served =
        new RpcServer.Served(
            node,
            node.store().listeners(),
            new PartitionedQueues(scheduler, Map.of(new QueueName("orders"), 3)),
            rehearsal,
            registry,
            1337,
            guard,
            TransactionSpans.OFF,
            diagnosable,
            Optional.empty(),
            certificates,
            draining,
            id -> Arrays.copyOf(id.getBytes(StandardCharsets.UTF_8), 32),
            new DoneBackups());
    server = RpcServer.start(system, served, settings, HEALTH).toCompletableFuture().join();
  }

  /** Each has ended when somebody looks. */
  private static final class DoneBackups implements Backups {
    private volatile State state = State.NONE;

    @Override
    public Status begin() {
      state = State.DONE;
      var at = Optional.of(Sample.NOW);
      return new Status(
          State.RUNNING,
          Optional.of("backups"),
          at,
          Optional.empty(),
          0,
          0,
          0,
          Optional.empty(),
          at);
    }

    @Override
    public Status status() {
      var at = Optional.of(Sample.NOW).filter(now -> state == State.DONE);
      return new Status(state, Optional.of("backups"), at, at, 3, 120, 40, Optional.empty(), at);
    }
  }

  public static RunningRpc withDefaults() {
    return new RunningRpc(RpcSettings.loopback(0));
  }

  /** A node that has a configuration and a log. */
  public static RunningRpc of(Diagnosable diagnosable) {
    return new RunningRpc(
        RpcSettings.loopback(0),
        false,
        new SchedulerOnRules(MultiSignatureSettings.MVP),
        UNASKED,
        diagnosable,
        WatchedCertificates.NONE);
  }

  /** A node that shows certificates of itself. */
  static RunningRpc of(WatchedCertificates certificates) {
    return new RunningRpc(
        RpcSettings.loopback(0),
        false,
        new SchedulerOnRules(MultiSignatureSettings.MVP),
        UNASKED,
        Diagnosable.NOTHING,
        certificates);
  }

  /** A node whose multi-signature family follows the profile current. */
  public static RunningRpc withProfileCurrent() {
    return new RunningRpc(
        RpcSettings.loopback(0),
        false,
        new SchedulerOnRules(MultiSignatureSettings.CURRENT),
        UNASKED);
  }

  /** A node that asks who calls, as it is told, and on which faults can be set. */
  public static RunningRpc guarded(GuardSettings guarded) {
    return guarded(RpcSettings.loopback(0), guarded);
  }

  /** The same with limits and times of its own. */
  static RunningRpc guarded(RpcSettings settings, GuardSettings guarded) {
    return new RunningRpc(
        settings, true, new SchedulerOnRules(MultiSignatureSettings.MVP), guarded);
  }

  /** A node on which faults can be set. */
  static RunningRpc withChaos() {
    return withChaos(UNASKED);
  }

  /** The same, which writes down what is done, for one. */
  static RunningRpc withChaos(GuardSettings guarded) {
    var rpc =
        new RunningRpc(
            RpcSettings.loopback(0),
            true,
            new SchedulerOnRules(MultiSignatureSettings.MVP),
            guarded);
    rpc.scheduler.withALittleOfEverything();
    rpc.leavesWhenAsked();
    return rpc;
  }

  /** All that has ended is older than it keeps it. */
  public void hasEndedLongAgo() {
    node.store().age();
  }

  /** Its process would end when the JVM is asked to leave. */
  public void leavesWhenAsked() {
    draining.whenAsked(() -> {});
  }

  public URI uri(String path) {
    return URI.create(
        (tls ? "https" : "http") + "://127.0.0.1:" + server.address().getPort() + path);
  }

  public WebSocketClient webSocket() {
    return new WebSocketClient(client, socketUri());
  }

  /** Of a caller who shows a token. */
  WebSocketClient webSocket(String token) {
    return new WebSocketClient(client, socketUri(), token);
  }

  private URI socketUri() {
    return URI.create("ws://127.0.0.1:" + server.address().getPort() + "/ws");
  }

  /**
   * @param params a JSON array
   */
  static ObjectNode request(String method, String params) {
    var request = JSON.createObjectNode().put("jsonrpc", "2.0").put("id", 1).put("method", method);
    request.set("params", parse(params));
    return request;
  }

  /** The whole response to a call. */
  JsonNode call(String method, String params) {
    return post(request(method, params).toString());
  }

  /** The result of a call that must succeed. */
  /** The node learns how a transaction of another node ended. */
  public void hasReceiptOfOthers(String transaction) {
    var id = TransactionId.parse(transaction);
    var others = new IntentKey(id, new SenderCommitment(Sample.hash("another's")));
    node.store()
        .confirm(Map.of(others, Sample.confirmed(id)), Set.of())
        .toCompletableFuture()
        .join();
  }

  public JsonNode result(String method, String params) {
    var response = call(method, params);
    if (!response.has("result")) {
      throw new AssertionError(method + " answered " + response);
    }
    return response.get("result");
  }

  /** The error of a call that must fail. */
  public JsonNode error(String method, String params) {
    var response = call(method, params);
    if (!response.has("error")) {
      throw new AssertionError(method + " answered " + response);
    }
    return response.get("error");
  }

  JsonNode post(String body) {
    var response = exchange(BodyPublishers.ofString(body));
    if (response.statusCode() != 200) {
      throw new AssertionError("HTTP " + response.statusCode() + ": " + response.body());
    }
    return parse(response.body());
  }

  HttpResponse<String> exchange(BodyPublisher body) {
    return send(
        HttpRequest.newBuilder(uri("/"))
            .header("Content-Type", "application/json")
            .timeout(Duration.ofSeconds(60))
            .POST(body));
  }

  HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return client.send(request.build(), BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  public static JsonNode parse(String json) {
    try {
      return JSON.readTree(json);
    } catch (IOException e) {
      throw new UncheckedIOException("This is no JSON: " + json, e);
    }
  }

  @Override
  public void close() {
    try {
      server.stop().toCompletableFuture().get(STOP_SECONDS, TimeUnit.SECONDS);
      system.terminate();
      system.getWhenTerminated().toCompletableFuture().get(STOP_SECONDS, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException("The endpoint did not stop.", e);
    }
  }
}
