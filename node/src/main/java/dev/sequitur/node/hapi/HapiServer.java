package dev.sequitur.node.hapi;

import akka.Done;
import akka.actor.typed.ActorSystem;
import akka.http.javadsl.ConnectionContext;
import akka.http.javadsl.Http;
import akka.http.javadsl.ServerBinding;
import akka.http.javadsl.settings.ServerSettings;
import akka.stream.Materializer;
import com.typesafe.config.ConfigFactory;
import dev.sequitur.links.ListenAddress;
import dev.sequitur.node.rpc.server.OtherDoor;
import dev.sequitur.scheduler.SchedulerNode;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;

/** The front for Hedera's clients while it is open. It owns neither the system nor the node. */
public final class HapiServer {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final ServerBinding binding;

  private HapiServer(ServerBinding binding) {
    this.binding = binding;
  }

  /**
   * Opens it, after the operator's account if that is to be there; completes when it is bound.
   *
   * @param door at which callers are let in
   * @param registry what the node counts and measures
   * @param engines of TLS, a new one for each connection; used if the settings say so
   * @return fails with a sentence that says what to do, if the address cannot be bound
   */
  public static CompletionStage<HapiServer> start(
      ActorSystem<?> system,
      SchedulerNode scheduler,
      HapiSettings settings,
      OtherDoor door,
      PrometheusRegistry registry,
      Optional<Supplier<SSLEngine>> engines) {
    var grpc =
        new GrpcCalls(
            settings.limits(),
            door,
            new HapiCalls(scheduler, settings, door, UUID::randomUUID),
            new HapiMetrics(registry),
            Materializer.matFromSystem(system));
    return new OperatorAccount(scheduler, settings)
        .open()
        .thenCompose(opened -> bind(system, settings, engines, grpc));
  }

  private static CompletionStage<HapiServer> bind(
      ActorSystem<?> system,
      HapiSettings settings,
      Optional<Supplier<SSLEngine>> engines,
      GrpcCalls grpc) {
    var builder =
        Http.get(system)
            .newServerAt(settings.host(), settings.port())
            .withSettings(serverSettings(system, settings.limits()));
    if (settings.tls()) {
      var each = engines.orElseThrow();
      builder = builder.enableHttps(ConnectionContext.httpsServer(each::get));
    }
    var address = new ListenAddress("hapi", settings.host(), settings.port());
    return builder
        .bind(grpc::answer)
        .handle(
            (binding, failure) -> {
              if (failure != null) {
                throw new IllegalStateException(
                    address.refusal("The front for Hedera's clients"), failure);
              }
              return new HapiServer(binding);
            });
  }

  /** Where it listens, with the port that the operating system chose if it was asked to. */
  public InetSocketAddress address() {
    return binding.localAddress();
  }

  /** Takes no more calls, and lets those that are under way end. */
  public CompletionStage<Done> stop() {
    return binding.terminate(PATIENCE).thenApply(ended -> Done.getInstance());
  }

  private static ServerSettings serverSettings(ActorSystem<?> system, HapiSettings.Limits limits) {
    var config =
        ConfigFactory.parseMap(
                Map.of(
                    "akka.http.server.enable-http2",
                    "on",
                    "akka.http.server.http2.max-resets",
                    limits.resets(),
                    "akka.http.server.max-connections",
                    limits.connections(),
                    "akka.http.server.idle-timeout",
                    limits.idle().toMillis() + "ms",
                    "akka.http.server.http2.max-concurrent-streams",
                    limits.calls(),
                    "akka.http.server.http2.min-collect-strict-entity-size",
                    1,
                    "akka.http.server.http2.incoming-stream-level-buffer-size",
                    "64 kB",
                    "akka.http.server.http2.incoming-connection-level-buffer-size",
                    "1 MB",
                    "akka.http.server.remote-address-attribute",
                    "on",
                    "akka.http.server.parsing.ssl-session-attribute",
                    "on"))
            .withFallback(system.settings().config());
    return ServerSettings.create(config)
        .withSocketOptions(List.of(new ConnectionsOfAddresses(limits.connectionsOfAddress())));
  }
}
