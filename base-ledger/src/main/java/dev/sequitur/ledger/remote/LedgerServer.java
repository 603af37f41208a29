package dev.sequitur.ledger.remote;

import akka.NotUsed;
import akka.actor.ActorSystem;
import akka.http.javadsl.Http;
import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.settings.ServerSettings;
import akka.stream.IgnoreComplete$;
import akka.stream.KillSwitches;
import akka.stream.Materializer;
import akka.stream.SharedKillSwitch;
import akka.stream.TLSProtocol.SslTlsInbound;
import akka.stream.TLSProtocol.SslTlsOutbound;
import akka.stream.javadsl.BidiFlow;
import akka.stream.javadsl.Flow;
import akka.stream.javadsl.Sink;
import akka.stream.javadsl.Source;
import akka.stream.javadsl.TLS;
import akka.stream.javadsl.TLSPlacebo;
import akka.stream.javadsl.Tcp;
import akka.util.ByteString;
import com.typesafe.config.ConfigFactory;
import dev.sequitur.ledger.EmbeddedLedger;
import dev.sequitur.links.ListenAddress;
import dev.sequitur.links.admission.Places;
import dev.sequitur.links.admission.SeldomLines;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves an embedded ledger to the nodes of other processes. A client that is slow, silent or
 * greedy costs others nothing: no thread waits for any, each connection has a deadline for its
 * first call and for each further one, and connections and bytes are bounded, in all and for each
 * address.
 */
public final class LedgerServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LedgerServer.class);

  private static final int BACKLOG = 256;
  private static final Duration START = Duration.ofSeconds(60);
  private static final Duration STOP = Duration.ofSeconds(10);

  /** Not a shutdown, which would wait until a client that does not read has read all. */
  private static final RuntimeException OVERDUE =
      new RuntimeException("The connection is overdue.", null, false, false) {
        private static final long serialVersionUID = 1L;
      };

  private static final String SYSTEM =
      """
      akka {
        actor.provider = local
        loggers = ["akka.event.slf4j.Slf4jLogger"]
        logger-startup-timeout = 60s
        logging-filter = "akka.event.slf4j.Slf4jLoggingFilter"
        loglevel = INFO
        # What is cut off by the end of the server is no news.
        stdout-loglevel = off
        daemonic = on
        jvm-shutdown-hooks = off
        coordinated-shutdown.run-by-jvm-shutdown-hook = off
        actor.default-dispatcher {
          executor = thread-pool-executor
          thread-pool-executor.fixed-pool-size = 4
        }
        http {
          parsing.illegal-header-warnings = off
          parsing.error-logging-verbosity = off
          server {
            server-header = ""
            pipelining-limit = 1
            # Ours count from the head of one call to that of the next.
            request-timeout = infinite
            idle-timeout = infinite
          }
        }
      }
      """;

  private final ActorSystem system;
  private final Materializer materializer;
  private final LedgerServerSettings settings;
  private final Places places;
  private final HeadWatch heads;
  private final LedgerHandler handler;
  private final ServerSettings http;
  private final Tcp.ServerBinding binding;
  private final SeldomLines refusals = new SeldomLines(System::nanoTime);

  private LedgerServer(EmbeddedLedger ledger, LedgerServerSettings settings) throws IOException {
    this.settings = settings;
    this.system =
        ActorSystem.create(
            "sequitur-ledger-server",
            ConfigFactory.parseString(SYSTEM).withFallback(ConfigFactory.load()));
    this.materializer = Materializer.matFromSystem(system);
    this.places = new Places(settings.limits().places());
    // Each connection has one call at a time, so that no more can wait.
    this.heads = new HeadWatch(ledger, system.dispatcher(), settings.limits().connections());
    this.handler = new LedgerHandler(ledger, heads, settings, materializer, this::refused);
    this.http = ServerSettings.create(system);
    try {
      this.binding = bind();
    } catch (IOException | RuntimeException e) {
      close(Optional.empty());
      throw e;
    }
  }

  /**
   * Blocks until it listens.
   *
   * @param ledger stays open when the server is closed
   * @throws UncheckedIOException if the address can't be listened on; the message is for the
   *     operator
   */
  public static LedgerServer start(EmbeddedLedger ledger, LedgerServerSettings settings) {
    try {
      return new LedgerServer(ledger, settings);
    } catch (IOException e) {
      var address = settings.address();
      throw new UncheckedIOException(
          new ListenAddress("ledger", address.getHostString(), address.getPort())
              .refusal("The ledger"),
          e);
    }
  }

  private Tcp.ServerBinding bind() throws IOException {
    var address = settings.address();
    if (address.isUnresolved()) {
      throw new IOException("there is no such host.");
    }
    var bound =
        Tcp.get(system)
            .bind(
                address.getAddress().getHostAddress(),
                address.getPort(),
                BACKLOG,
                List.of(),
                false,
                Optional.empty())
            .to(Sink.foreach(this::accept))
            .run(materializer);
    try {
      return bound.toCompletableFuture().get(START.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | CompletionException e) {
      throw new IOException(e.getCause().getMessage(), e.getCause());
    } catch (TimeoutException e) {
      throw new IOException("nothing answers within " + START.toSeconds() + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private void accept(Tcp.IncomingConnection incoming) {
    var abort = KillSwitches.shared("connection");
    Runnable close = () -> abort.abort(OVERDUE);
    var place = places.takeProvisionally(incoming.remoteAddress().getAddress(), close);
    try {
      serve(incoming, place, abort, close);
    } catch (RuntimeException e) {
      // Of one connection; the next is another matter.
      LOG.error("A connection could not be served.", e);
      place.end();
      close(incoming);
    }
  }

  private void refused(String who, String why) {
    refusals
        .due(who + why)
        .ifPresent(
            leftOut ->
                LOG.warn(
                    "Refused {}: {}; {} more refusals since the last such line.",
                    who,
                    why,
                    leftOut));
  }

  private void serve(
      Tcp.IncomingConnection incoming, Places.Place place, SharedKillSwitch abort, Runnable close) {
    var client =
        new Client(
            place,
            handler.bytes(),
            settings.tls(),
            after -> system.scheduler().scheduleOnce(after, close, system.dispatcher()),
            settings.limits());
    var flow =
        Flow.of(HttpRequest.class)
            .mapAsync(1, request -> handler.answer(client, request))
            .join(layer(client))
            .via(abort.flow())
            .watchTermination(
                (nothing, ended) -> {
                  ended.whenComplete((done, failure) -> client.end());
                  return NotUsed.getInstance();
                });
    incoming.handleWith(flow, materializer);
  }

  private void close(Tcp.IncomingConnection incoming) {
    incoming.handleWith(Flow.fromSinkAndSource(Sink.cancelled(), Source.empty()), materializer);
  }

  /** From the bytes of a connection to requests. */
  private BidiFlow<HttpResponse, ByteString, ByteString, HttpRequest, NotUsed> layer(
      Client client) {
    var layer = Http.get(system).serverLayer(http);
    return client
        .engine()
        .map(engine -> layer.atop(TLS.create(() -> engine, IgnoreComplete$.MODULE$)))
        .orElseGet(() -> layer.atop(placebo()));
  }

  /** Akka's type says which kind of inbound it makes, and its own layer wants the general one. */
  @SuppressWarnings("unchecked")
  private static BidiFlow<SslTlsOutbound, ByteString, ByteString, SslTlsInbound, NotUsed>
      placebo() {
    BidiFlow<?, ?, ?, ?, ?> placebo = TLSPlacebo.getInstance();
    return (BidiFlow<SslTlsOutbound, ByteString, ByteString, SslTlsInbound, NotUsed>) placebo;
  }

  /** Where it listens, with the port that was free. */
  public URI uri() {
    return URI.create(
        (settings.tls().isPresent() ? "https" : "http")
            + "://"
            + settings.address().getHostString()
            + ":"
            + binding.localAddress().getPort());
  }

  /** How many calls wait for the next block now. */
  int waitingCalls() {
    return heads.waiting();
  }

  /** What is kept of requests and answers. */
  long heldBytes() {
    return handler.bytes().taken();
  }

  int openConnections() {
    return places.size();
  }

  /** Ends waiting calls; those that are being answered may be cut off. Blocks shortly. */
  @Override
  public void close() {
    close(Optional.of(binding));
  }

  private void close(Optional<Tcp.ServerBinding> bound) {
    heads.close();
    bound.ifPresent(listening -> await(listening.unbind().toCompletableFuture()));
    system.terminate();
    await(system.getWhenTerminated());
  }

  private static void await(CompletionStage<?> stage) {
    try {
      stage.toCompletableFuture().get(STOP.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      LOG.debug("The server ends without waiting any longer.", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
