package dev.sequitur.node.hapi.mirror;

import akka.actor.typed.ActorSystem;
import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.model.StatusCodes;
import akka.stream.Materializer;
import dev.sequitur.node.hapi.HapiPort;
import dev.sequitur.node.hapi.HapiSettings;
import dev.sequitur.node.rpc.server.Hosts;
import dev.sequitur.node.rpc.server.OtherDoor;
import dev.sequitur.scheduler.SchedulerNode;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;

/** The mirror's view. */
public final class MirrorServer {
  /** Longer than a question to a queue takes, so that it is told in the mirror's form. */
  private static final Duration ANSWER = Duration.ofSeconds(30);

  private MirrorServer() {}

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
  public static CompletionStage<HapiPort> start(
      ActorSystem<?> system,
      SchedulerNode scheduler,
      HapiSettings settings,
      int front,
      Doors doors,
      Optional<Supplier<SSLEngine>> engines) {
    var calls =
        new MirrorCalls(
            scheduler, settings, doors.door(), front, Materializer.matFromSystem(system));
    var kind =
        new HapiPort.Kind(
            "hapi.mirror",
            "The mirror's view",
            settings.mirrorPort().orElseThrow(),
            Map.of(
                "request-timeout",
                ANSWER.toMillis() + "ms",
                "parsing.max-content-length",
                settings.limits().messageBytes()));
    return HapiPort.open(
        system, settings, kind, engines, request -> answer(request, doors.hosts(), calls));
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
}
