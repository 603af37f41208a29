package dev.sequitur.node.hapi;

import akka.actor.typed.ActorSystem;
import akka.stream.Materializer;
import dev.sequitur.node.rpc.server.OtherDoor;
import dev.sequitur.scheduler.SchedulerNode;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;

/** The front for Hedera's clients. */
public final class HapiServer {
  private HapiServer() {}

  /**
   * Opens it, after its accounts if there is to be an operator; completes when it is bound.
   *
   * @param door at which callers are let in
   * @param registry what the node counts and measures
   * @param engines of TLS, a new one for each connection; used if the settings say so
   * @return fails with a sentence that says what to do, if the address cannot be bound
   */
  public static CompletionStage<HapiPort> start(
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
    var kind =
        new HapiPort.Kind(
            "hapi", "The front for Hedera's clients", settings.port(), terms(settings.limits()));
    return new FrontAccounts(scheduler, settings)
        .open()
        .thenCompose(opened -> HapiPort.open(system, settings, kind, engines, grpc::answer));
  }

  private static Map<String, Object> terms(HapiSettings.Limits limits) {
    return Map.of(
        "enable-http2",
        "on",
        "http2.max-resets",
        limits.resets(),
        "http2.max-concurrent-streams",
        limits.calls(),
        "http2.min-collect-strict-entity-size",
        1,
        "http2.incoming-stream-level-buffer-size",
        "64 kB",
        "http2.incoming-connection-level-buffer-size",
        "1 MB");
  }
}
