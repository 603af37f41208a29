package dev.sequitur.node.rpc.server;

import akka.Done;
import akka.NotUsed;
import akka.actor.typed.ActorSystem;
import akka.event.NoLogging;
import akka.http.javadsl.Http;
import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.settings.ServerSettings;
import akka.io.Inet.SocketOption;
import akka.japi.pf.PFBuilder;
import akka.stream.Graph;
import akka.stream.IgnoreComplete$;
import akka.stream.KillSwitches;
import akka.stream.Materializer;
import akka.stream.SourceShape;
import akka.stream.TLSProtocol.SessionBytes;
import akka.stream.TLSProtocol.SslTlsInbound;
import akka.stream.TLSProtocol.SslTlsOutbound;
import akka.stream.javadsl.BidiFlow;
import akka.stream.javadsl.Flow;
import akka.stream.javadsl.Keep;
import akka.stream.javadsl.Sink;
import akka.stream.javadsl.Source;
import akka.stream.javadsl.TLS;
import akka.stream.javadsl.TLSPlacebo;
import akka.stream.javadsl.Tcp;
import akka.util.ByteString;
import dev.sequitur.links.ListenAddress;
import dev.sequitur.links.admission.Places;
import dev.sequitur.links.admission.SeldomLines;
import dev.sequitur.node.rpc.RpcSettings;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens, gives each connection a place, and lets Akka HTTP read what comes on it. Akka HTTP's own
 * binding would stop taking connections once so many are open, whoever holds them, and does not
 * know where they come from. Thread-safe.
 */
final class Connections {
  private static final Logger LOG = LoggerFactory.getLogger(Connections.class);
  private static final BidiFlow<SslTlsOutbound, ByteString, ByteString, SslTlsInbound, NotUsed>
      PLAIN =
          BidiFlow.fromFlows(
                  Flow.of(SslTlsOutbound.class),
                  Flow.of(SessionBytes.class).map(bytes -> (SslTlsInbound) bytes))
              .atop(TLSPlacebo.getInstance());

  /** For health and metrics only: few, since nobody needs one for longer than a request. */
  private static final int SPARE = 32;

  private static final int SPARE_OF_NETWORK = 4;

  private final ActorSystem<?> system;
  private final Port port;
  private final ServerSettings http;
  private final Materializer materializer;
  private final Parts parts;
  private final Places places;
  private final SeldomLines refusals = new SeldomLines(System::nanoTime);
  private final ConcurrentHashMap<CallerConnection, CompletableFuture<Done>> ends =
      new ConcurrentHashMap<>();

  Connections(ActorSystem<?> system, Port port, ServerSettings http, Parts parts) {
    this.system = system;
    this.port = port;
    this.http = http;
    this.materializer = Materializer.matFromSystem(system);
    this.parts = parts;
    this.places =
        new Places(
            new Places.Limits(port.places(), port.placesOfNetwork(), SPARE, SPARE_OF_NETWORK, 0));
  }

  /**
   * Where it listens, and what it puts up with there.
   *
   * @param serves the beginning of sentences about it
   * @param places of connections that last, in all
   * @param placesOfNetwork of them for one network
   * @param remedy what to do where they are too few
   */
  record Port(
      String serves,
      ListenAddress address,
      int places,
      int placesOfNetwork,
      String remedy,
      RpcSettings.Timeouts timeouts) {}

  /**
   * What connections are served by.
   *
   * @param engines of TLS, a new one for each connection; empty if it is spoken plainly
   */
  record Parts(
      BiFunction<HttpRequest, CallerConnection, CompletionStage<HttpResponse>> answer,
      RpcMetrics metrics,
      Optional<Supplier<SSLEngine>> engines) {}

  /** Where it listens; {@code stop} takes nobody any more. */
  record Listening(InetSocketAddress address, Supplier<CompletionStage<Done>> stop) {}

  /**
   * @return fails with a sentence that says what to do, if the address cannot be bound
   */
  CompletionStage<Listening> listen() {
    return Tcp.get(system)
        .bind(
            port.address().host(),
            port.address().port(),
            http.getBacklog(),
            List.<SocketOption>of(),
            false,
            Optional.<Duration>empty())
        .to(Sink.foreach(this::serve))
        .run(materializer)
        .handle(
            (binding, failure) -> {
              if (failure != null) {
                throw new IllegalStateException(port.address().refusal(port.serves()), failure);
              }
              return new Listening(
                  binding.localAddress(),
                  () -> binding.unbind().thenApply(unbound -> Done.getInstance()));
            });
  }

  private void serve(Tcp.IncomingConnection connection) {
    var end = KillSwitches.shared("connection");
    var remote = connection.remoteAddress();
    var caller = new CallerConnection(places, remote.getAddress(), end::shutdown);
    if (!caller.hasPlace()) {
      refused(remote);
    }
    var ended = new CompletableFuture<Done>();
    ends.put(caller, ended);
    Flow<ByteString, ByteString, CompletionStage<Done>> wire =
        Flow.of(ByteString.class)
            .via(end.<ByteString>flow())
            .via(connection.flow())
            .via(end.<ByteString>flow())
            .watchTermination(Keep.right());
    // What callers do is counted and answered; the layer's own log would let them fill a disk.
    var layer =
        BidiFlow.fromGraph(new RequestDeadline(caller, port.timeouts()))
            .atop(Http.get(system).serverLayer(http, Optional.of(remote), NoLogging.getInstance()))
            .atop(security())
            .atop(idle());
    Flow.of(HttpRequest.class)
        .mapAsync(1, request -> parts.answer().apply(request, caller))
        .joinMat(layer.join(wire, Keep.right()), Keep.right())
        .run(materializer)
        .whenComplete(
            (done, failure) -> {
              caller.ended();
              ends.remove(caller);
              ended.complete(Done.getInstance());
            });
  }

  private BidiFlow<SslTlsOutbound, ByteString, ByteString, SslTlsInbound, NotUsed> security() {
    return parts
        .engines()
        .map(engines -> TLS.create(engines, IgnoreComplete$.MODULE$))
        .orElse(PLAIN);
  }

  private void refused(InetSocketAddress from) {
    parts.metrics().connectionRefused();
    refusals
        .due(from.getAddress().getHostAddress())
        .ifPresent(
            leftOut ->
                LOG.warn(
                    "{} has no place for a connection of {}, and answers it health and metrics"
                        + " only; {} more since the last such line. Look who holds so many{}.",
                    port.serves(),
                    from.getAddress().getHostAddress(),
                    leftOut,
                    port.remedy()));
  }

  /** Ends a connection on which nothing moves, without a failure: nothing is wrong. */
  private BidiFlow<ByteString, ByteString, ByteString, ByteString, NotUsed> idle() {
    return BidiFlow.fromFlows(Flow.of(ByteString.class), endsQuietly())
        .atop(BidiFlow.bidirectionalIdleTimeout(port.timeouts().idle()))
        .atop(BidiFlow.fromFlows(endsQuietly(), Flow.of(ByteString.class)));
  }

  private static Flow<ByteString, ByteString, NotUsed> endsQuietly() {
    return Flow.of(ByteString.class)
        .recoverWithRetries(
            1,
            new PFBuilder<Throwable, Graph<SourceShape<ByteString>, NotUsed>>()
                .match(TimeoutException.class, idle -> Source.empty())
                .build());
  }

  /** How many are open, WebSockets and spare places included. */
  int open() {
    return places.size();
  }

  /** Ends those on which nothing is asked, and after {@code patience} all. */
  CompletionStage<Done> stop(Duration patience) {
    ends.keySet().forEach(CallerConnection::leave);
    var all = CompletableFuture.allOf(ends.values().toArray(CompletableFuture[]::new));
    return all.orTimeout(patience.toNanos(), TimeUnit.NANOSECONDS)
        .handle(
            (done, late) -> {
              ends.keySet().forEach(CallerConnection::close);
              return Done.getInstance();
            });
  }
}
