package dev.sequitur.node.rpc.server;

import akka.Done;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.DispatcherSelector;
import akka.http.javadsl.settings.ServerSettings;
import akka.stream.Materializer;
import com.typesafe.config.ConfigFactory;
import dev.sequitur.cluster.placement.Draining;
import dev.sequitur.cluster.tls.WatchedCertificates;
import dev.sequitur.links.ListenAddress;
import dev.sequitur.node.guard.AuditLog;
import dev.sequitur.node.guard.Guard;
import dev.sequitur.node.rehearsal.Rehearsal;
import dev.sequitur.node.rpc.Backups;
import dev.sequitur.node.rpc.Diagnosable;
import dev.sequitur.node.rpc.HealthSettings;
import dev.sequitur.node.rpc.RpcSettings;
import dev.sequitur.node.rpc.listener.ConnectionListeners;
import dev.sequitur.node.rpc.listener.ServedListeners;
import dev.sequitur.node.rpc.method.MethodTable;
import dev.sequitur.node.rpc.method.NodeContext;
import dev.sequitur.node.rpc.method.WebhookSecrets;
import dev.sequitur.node.rpc.query.AnswersTogether;
import dev.sequitur.node.rpc.schedule.ScheduleMethods;
import dev.sequitur.node.rpc.server.Connections.Listening;
import dev.sequitur.node.rpc.webhook.HttpSender;
import dev.sequitur.node.rpc.webhook.WebhookDispatcher;
import dev.sequitur.protocol.port.ListenerStore;
import dev.sequitur.scheduler.SchedulerNode;
import dev.sequitur.sequencer.SequencerNode;
import dev.sequitur.sequencer.setup.SteadyClock;
import dev.sequitur.trace.TransactionSpans;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.concurrent.duration.FiniteDuration;

/**
 * The endpoint of one node while it is open: JSON-RPC 2.0 over HTTP and WebSocket, health, metrics.
 * Thread-safe. It owns neither the actor system nor the node.
 */
public final class RpcServer {
  private static final Logger LOG = LoggerFactory.getLogger(RpcServer.class);

  /** Few look, and each answer is short. */
  private static final int HEALTH_CONNECTIONS = 64;

  private static final int HEALTH_CONNECTIONS_PER_ADDRESS = 16;

  private final Open rpc;
  private final Optional<Open> health;
  private final Optional<AuditLog> audit;
  private final MethodTable methods;
  private final Function<Guard.Door, OtherDoor> others;
  private final Duration stopTimeout;

  private RpcServer(
      Open rpc,
      Optional<Open> health,
      Optional<AuditLog> audit,
      MethodTable methods,
      Function<Guard.Door, OtherDoor> others,
      Duration stopTimeout) {
    this.rpc = rpc;
    this.health = health;
    this.audit = audit;
    this.methods = methods;
    this.others = others;
    this.stopTimeout = stopTimeout;
  }

  /**
   * What the endpoint serves.
   *
   * @param listeners of the node
   * @param rehearsal of faults, if the node lets them be set
   * @param registry what {@code /metrics} shows
   * @param chainId of the base ledger
   * @param guard who may call
   * @param spans of transactions, and of calls
   * @param diagnosable what the process can tell of itself
   * @param lacking a sentence, if the node has begun without records that it should have
   * @param certificates that the node shows of itself
   * @param draining how the JVM leaves its node
   * @param secrets of which the keys of webhooks are made
   * @param backups of the node, which this JVM makes
   */
  public record Served(
      SequencerNode node,
      ListenerStore listeners,
      SchedulerNode scheduler,
      Optional<Rehearsal> rehearsal,
      PrometheusRegistry registry,
      long chainId,
      Guard guard,
      TransactionSpans spans,
      Diagnosable diagnosable,
      Optional<String> lacking,
      WatchedCertificates certificates,
      Draining draining,
      WebhookSecrets secrets,
      Backups backups) {
    /** What makes no spans, and has neither a configuration nor a log of its own. */
    public Served(
        SequencerNode node,
        ListenerStore listeners,
        SchedulerNode scheduler,
        Optional<Rehearsal> rehearsal,
        PrometheusRegistry registry,
        long chainId,
        Guard guard,
        WebhookSecrets secrets) {
      this(
          node,
          listeners,
          scheduler,
          rehearsal,
          registry,
          chainId,
          guard,
          TransactionSpans.OFF,
          Diagnosable.NOTHING,
          Optional.empty(),
          WatchedCertificates.NONE,
          Draining.never(),
          secrets,
          Backups.NONE);
    }
  }

  private static HealthChecks checks(
      Served served, Optional<AuditLog> audit, HealthSettings healthy) {
    return new HealthChecks(
        served, () -> audit.flatMap(AuditLog::trouble), healthy, SteadyClock.ofSystem());
  }

  /**
   * Opens the endpoint; completes when it is bound.
   *
   * @return fails if the address cannot be bound
   */
  public static CompletionStage<RpcServer> start(
      ActorSystem<?> system, Served served, RpcSettings settings, HealthSettings healthy) {
    var node = served.node();
    var doors = served.guard().doors(settings, healthy);
    var audit = served.guard().openAudit(doors);
    var materializer = Materializer.matFromSystem(system);
    var servedListeners = new ServedListeners();
    var sender =
        new HttpSender(
            system,
            settings.webhooks(),
            InstantSource.system(),
            system.dispatchers().lookup(DispatcherSelector.blocking()));
    var context =
        new NodeContext(
            node,
            served.scheduler(),
            settings,
            InstantSource.system(),
            UUID::randomUUID,
            served.listeners(),
            servedListeners::deleted,
            served.rehearsal(),
            served.chainId(),
            served.diagnosable(),
            served.draining(),
            sender,
            served.secrets(),
            served.backups());
    WebhookDispatcher.start(
        system,
        served.listeners(),
        settings.webhooks(),
        sender,
        served.secrets(),
        webhook -> ScheduleMethods.feed(context, webhook),
        served.registry(),
        InstantSource.system());
    var methods = MethodTable.of(context, ScheduleMethods.of(context));
    var metrics = new RpcMetrics(served.registry());
    metrics.methods(methods.methods());
    var checks = checks(served, audit, healthy);
    var together = AnswersTogether.ofThisJvm();
    metrics.answers(together::taken);
    var audited = new Audited(audit, InstantSource.system(), System::nanoTime);
    node.committees().take(audited::committee);
    var strangers = new Strangers(audited);
    var leaving = new LeavingJvm(served.draining());
    var permission = new Permission(served.guard()::grants, node);
    Function<Guard.Door, OtherDoor> others =
        door -> new OtherDoor(door, permission, strangers, audited, served.guard().quotas());
    var rpc =
        new JsonRpc(
            new JsonRpc.Parts(
                methods,
                permission,
                served.guard().quotas(),
                new PendingCalls(
                    served.guard().quotas(), node, served.scheduler(), settings.timeouts().call()),
                audited,
                new CallSpans(served.spans()),
                leaving,
                together,
                checks::hindrance),
            settings,
            metrics);
    var shared =
        new ConnectionListeners.Shared(system, served.listeners(), settings, servedListeners);
    var webSockets =
        new WebSocketEndpoint(rpc, served.guard().quotas(), shared, metrics, materializer);
    var health = new HealthEndpoint(checks, metrics, strangers, materializer);
    var http =
        new HttpEndpoint(
            new HttpEndpoint.Parts(
                rpc, webSockets, health, doors.rpc(), strangers, served.guard().quotas(), leaving),
            settings,
            materializer);
    var parts = new Connections.Parts(http::answer, metrics, served.guard().engines());
    var serverSettings = serverSettings(system, settings);
    var connections = new Connections(system, rpcPort(settings), serverSettings, parts);
    metrics.connections(connections::open);
    return openHealth(
            healthy,
            listen -> {
              var hosts = new Hosts(listen.getHostString(), settings.hostNames());
              var looked =
                  new Connections.Parts(
                      (request, caller) ->
                          health.answerOrRefuse(request, caller, hosts, doors.health()),
                      metrics,
                      served.guard().engines());
              return new Connections(system, healthPort(listen, settings), serverSettings, looked);
            })
        .thenCompose(
            apart ->
                Open.of(connections)
                    .thenApply(
                        opened ->
                            new RpcServer(
                                opened,
                                apart,
                                audit,
                                methods,
                                others,
                                settings.timeouts().stop())));
  }

  /** Connections that are listened for. */
  private record Open(Listening listening, Connections connections) {
    static CompletionStage<Open> of(Connections connections) {
      return connections.listen().thenApply(listening -> new Open(listening, connections));
    }

    CompletionStage<Done> stop(Duration patience) {
      return listening.stop().get().thenCompose(unbound -> connections.stop(patience));
    }
  }

  private static Connections.Port rpcPort(RpcSettings settings) {
    return new Connections.Port(
        "JSON-RPC",
        new ListenAddress("rpc", settings.host(), settings.port()),
        settings.limits().connections(),
        settings.limits().connectionsPerAddress(),
        ", or raise rpc.limits.connections or rpc.limits.connections-per-address",
        settings.timeouts());
  }

  private static Connections.Port healthPort(InetSocketAddress listen, RpcSettings settings) {
    return new Connections.Port(
        "Health",
        new ListenAddress("health", listen.getHostString(), listen.getPort()),
        HEALTH_CONNECTIONS,
        HEALTH_CONNECTIONS_PER_ADDRESS,
        "",
        settings.timeouts());
  }

  /** What an actor system has bound when its start fails ends with it. */
  private static CompletionStage<Optional<Open>> openHealth(
      HealthSettings healthy, Function<InetSocketAddress, Connections> at) {
    if (healthy.listen().isEmpty()) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    return Open.of(at.apply(healthy.listen().get()))
        .thenApply(
            open -> {
              LOG.info("Health and metrics are served at {}", open.listening().address());
              return Optional.of(open);
            });
  }

  /** Where health and metrics listen, if they have a port of their own. */
  public Optional<InetSocketAddress> healthAddress() {
    return health.map(open -> open.listening().address());
  }

  /** Where it listens, with the port that the operating system chose if it was asked to. */
  public InetSocketAddress address() {
    return rpc.listening().address();
  }

  /** How another port lets callers in through a door. */
  public OtherDoor other(Guard.Door door) {
    return others.apply(door);
  }

  /** Everything that can be called. */
  public MethodTable methods() {
    return methods;
  }

  /**
   * Takes no more connections, lets what is under way end within the time for it, closes the rest.
   */
  public CompletionStage<Done> stop() {
    return rpc.stop(stopTimeout)
        .thenCompose(
            ended ->
                health
                    .map(open -> open.stop(stopTimeout))
                    .orElseGet(() -> CompletableFuture.completedFuture(ended)))
        .thenApply(
            ended -> {
              audit.ifPresent(AuditLog::close);
              return Done.getInstance();
            });
  }

  /** Against callers that are slow on purpose, and those that hold connections. */
  private static ServerSettings serverSettings(ActorSystem<?> system, RpcSettings settings) {
    // By its name in the configuration: the setter for it does nothing.
    var config =
        ConfigFactory.parseMap(
                Map.of(
                    "akka.http.server.parsing.error-handler",
                    MalformedRequests.class.getName(),
                    "akka.http.server.parsing.ssl-session-attribute",
                    "on"))
            .withFallback(system.settings().config());
    var defaults = ServerSettings.create(config);
    var timeouts = settings.timeouts();
    return defaults
        .withTimeouts(
            defaults
                .getTimeouts()
                .withIdleTimeout(scala(timeouts.idle()))
                // Ours answers first, with a JSON-RPC error.
                .withRequestTimeout(scala(timeouts.call().plus(timeouts.body()).plusSeconds(5))))
        .withParserSettings(
            defaults.getParserSettings().withMaxContentLength(RequestBody.mostRead(settings)))
        .withWebsocketSettings(
            defaults
                .getWebsocketSettings()
                .withPeriodicKeepAliveMaxIdle(scala(timeouts.keepAlive())));
  }

  private static FiniteDuration scala(Duration duration) {
    return FiniteDuration.fromNanos(duration.toNanos());
  }
}
