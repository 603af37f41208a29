package dev.sequitur.node.hapi;

import akka.Done;
import akka.actor.typed.ActorSystem;
import akka.http.javadsl.ConnectionContext;
import akka.http.javadsl.Http;
import akka.http.javadsl.ServerBinding;
import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.settings.ServerSettings;
import akka.japi.function.Function;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.sequitur.links.ListenAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;

/** A port for Hedera's clients while it is open. It owns neither the system nor the node. */
public final class HapiPort {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final ServerBinding binding;

  private HapiPort(ServerBinding binding) {
    this.binding = binding;
  }

  /**
   * Which one.
   *
   * @param section of the configuration that says where it listens
   * @param what it is, as a person is told
   * @param port 0 lets the operating system choose
   * @param terms of the server, below {@code akka.http.server}, beside those that each has
   */
  public record Kind(String section, String what, int port, Map<String, Object> terms) {}

  /**
   * Opens it; completes when it is bound.
   *
   * @param engines of TLS, a new one for each connection; used if the settings say so
   * @return fails with a sentence that says what to do, if the address cannot be bound
   */
  public static CompletionStage<HapiPort> open(
      ActorSystem<?> system,
      HapiSettings settings,
      Kind kind,
      Optional<Supplier<SSLEngine>> engines,
      Function<HttpRequest, CompletionStage<HttpResponse>> answer) {
    var builder =
        Http.get(system)
            .newServerAt(settings.host(), kind.port())
            .withSettings(
                serverSettings(system.settings().config(), settings.limits(), kind.terms()));
    if (settings.tls()) {
      var each = engines.orElseThrow();
      builder = builder.enableHttps(ConnectionContext.httpsServer(each::get));
    }
    var address = new ListenAddress(kind.section(), settings.host(), kind.port());
    return builder
        .bind(answer)
        .handle(
            (binding, failure) -> {
              if (failure != null) {
                throw new IllegalStateException(address.refusal(kind.what()), failure);
              }
              return new HapiPort(binding);
            });
  }

  private static ServerSettings serverSettings(
      Config system, HapiSettings.Limits limits, Map<String, Object> terms) {
    var all =
        Map.<String, Object>of(
            "max-connections",
            limits.connections(),
            "idle-timeout",
            limits.idle().toMillis() + "ms",
            "remote-address-attribute",
            "on",
            "parsing.ssl-session-attribute",
            "on");
    return ServerSettings.create(
            ConfigFactory.parseMap(terms)
                .withFallback(ConfigFactory.parseMap(all))
                .atPath("akka.http.server")
                .withFallback(system))
        .withSocketOptions(List.of(new ConnectionsOfAddresses(limits.connectionsOfAddress())));
  }

  /** Where it listens, with the port that the operating system chose if it was asked to. */
  public InetSocketAddress address() {
    return binding.localAddress();
  }

  /** Takes no more calls, and lets those that are under way end. */
  public CompletionStage<Done> stop() {
    return binding.terminate(PATIENCE).thenApply(ended -> Done.getInstance());
  }
}
