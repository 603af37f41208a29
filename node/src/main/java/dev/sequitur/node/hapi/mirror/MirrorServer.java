package dev.sequitur.node.hapi.mirror;

import akka.Done;
import akka.actor.typed.ActorSystem;
import akka.http.javadsl.ConnectionContext;
import akka.http.javadsl.Http;
import akka.http.javadsl.ServerBinding;
import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.model.StatusCodes;
import akka.http.javadsl.settings.ServerSettings;
import akka.stream.Materializer;
import com.typesafe.config.ConfigFactory;
import dev.sequitur.links.ListenAddress;
import dev.sequitur.node.hapi.ConnectionsOfAddresses;
import dev.sequitur.node.hapi.HapiSettings;
import dev.sequitur.node.rpc.server.Hosts;
import dev.sequitur.node.rpc.server.OtherDoor;
import dev.sequitur.scheduler.SchedulerNode;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;

/** The mirror's view while it is open. It owns neither the system nor the node. */
public final class MirrorServer {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** Longer than a question to a queue takes, so that it is told in the mirror's form. */
  private static final Duration ANSWER = Duration.ofSeconds(30);

  private final ServerBinding binding;

  private MirrorServer(ServerBinding binding) {
    this.binding = binding;
  }

  /**
   * Who is let in.
   *
   * @param hosts names by which the mirror may be called: what a web page reads under another one
   *     is refused
   */
  public record Doors(OtherDoor door, Hosts hosts) {}

  /**
   * Opens it; completes when it is bound.
   *
   * @param settings with a port for it; 0 lets the operating system choose
   * @param front the port at which the transactions of clients are taken
   * @param doors at which callers are let in
   * @param engines of TLS, a new one for each connection; used if the settings say so
   * @return fails with a sentence that says what to do, if the address cannot be bound
   */
  public static CompletionStage<MirrorServer> start(
      ActorSystem<?> system,
      SchedulerNode scheduler,
      HapiSettings settings,
      int front,
      Doors doors,
      Optional<Supplier<SSLEngine>> engines) {
    int port = settings.mirrorPort().orElseThrow();
    var calls =
        new MirrorCalls(
            scheduler, settings, doors.door(), front, Materializer.matFromSystem(system));
    var builder =
        Http.get(system)
            .newServerAt(settings.host(), port)
            .withSettings(serverSettings(system, settings.limits()));
    if (settings.tls()) {
      var each = engines.orElseThrow();
      builder = builder.enableHttps(ConnectionContext.httpsServer(each::get));
    }
    var address = new ListenAddress("hapi.mirror", settings.host(), port);
    return builder
        .bind((HttpRequest request) -> answer(request, doors.hosts(), calls))
        .handle(
            (binding, failure) -> {
              if (failure != null) {
                throw new IllegalStateException(address.refusal("The mirror's view"), failure);
              }
              return new MirrorServer(binding);
            });
  }

  private static CompletionStage<HttpResponse> answer(
      HttpRequest request, Hosts hosts, MirrorCalls calls) {
    return hosts.allows(request.getUri().host())
        ? calls.answer(request)
        : CompletableFuture.completedFuture(
            HttpResponse.create()
                .withStatus(StatusCodes.FORBIDDEN)
                .withEntity(Hosts.REFUSED + "\n"));
  }

  /** Where it listens, with the port that the operating system chose if it was asked to. */
  public InetSocketAddress address() {
    return binding.localAddress();
  }

  /** Takes no more requests, and lets those that are under way end. */
  public CompletionStage<Done> stop() {
    return binding.terminate(PATIENCE).thenApply(ended -> Done.getInstance());
  }

  private static ServerSettings serverSettings(ActorSystem<?> system, HapiSettings.Limits limits) {
    var config =
        ConfigFactory.parseMap(
                Map.of(
                    "akka.http.server.max-connections",
                    limits.connections(),
                    "akka.http.server.idle-timeout",
                    limits.idle().toMillis() + "ms",
                    "akka.http.server.request-timeout",
                    ANSWER.toMillis() + "ms",
                    "akka.http.server.parsing.max-content-length",
                    limits.messageBytes(),
                    "akka.http.server.remote-address-attribute",
                    "on",
                    "akka.http.server.parsing.ssl-session-attribute",
                    "on"))
            .withFallback(system.settings().config());
    return ServerSettings.create(config)
        .withSocketOptions(List.of(new ConnectionsOfAddresses(limits.connectionsOfAddress())));
  }
}
