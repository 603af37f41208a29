package dev.sequitur.node.rpc.webhook;

import akka.actor.typed.ActorSystem;
import akka.http.javadsl.ClientTransport;
import akka.http.javadsl.Http;
import akka.http.javadsl.HttpsConnectionContext;
import akka.http.javadsl.model.ContentTypes;
import akka.http.javadsl.model.HttpEntities;
import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.model.headers.RawHeader;
import akka.http.javadsl.settings.ClientConnectionSettings;
import akka.http.javadsl.settings.ConnectionPoolSettings;
import akka.stream.Materializer;
import akka.stream.javadsl.Sink;
import dev.sequitur.node.rpc.AllowedAddresses;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.WebhookSettings;
import dev.sequitur.node.rpc.method.WebhookSender;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import scala.concurrent.duration.FiniteDuration;

/**
 * Posts over HTTP, and follows nobody who sends it elsewhere. A name is looked up for each
 * connection, and the address that was found and allowed is the one that is dialled: a name that
 * means another address a moment later leads nowhere else.
 */
public final class HttpSender implements WebhookSender {
  private static final int LONGEST_URL = 2_000;

  /** Of an answer: as many bytes. */
  private static final long MOST_READ = 65_536;

  /**
   * They say nothing of the event: 408, 425 and 429, and what stands before a server that is gone.
   */
  private static final Set<Integer> NOT_NOW = Set.of(408, 425, 429, 502, 503, 504);

  private final Http http;
  private final HttpsConnectionContext tls;
  private final ConnectionPoolSettings pool;
  private final WebhookSettings settings;
  private final InstantSource clock;
  private final Materializer materializer;
  private final ActorSystem<?> system;

  /**
   * @param blocking looks up names
   */
  public HttpSender(
      ActorSystem<?> system, WebhookSettings settings, InstantSource clock, Executor blocking) {
    this.system = system;
    this.settings = settings;
    this.clock = clock;
    this.http = Http.get(system);
    this.tls = http.defaultClientHttpsContext();
    this.materializer = Materializer.matFromSystem(system);
    var classic = system.classicSystem();
    var timeout = FiniteDuration.fromNanos(settings.timeout().toNanos());
    var transport =
        ClientTransport.withCustomResolver(
            (host, port) ->
                CompletableFuture.supplyAsync(
                    () -> new InetSocketAddress(allowed(host), (Integer) port), blocking));
    this.pool =
        ConnectionPoolSettings.create(classic)
            .withConnectionSettings(
                ClientConnectionSettings.create(classic)
                    .withConnectingTimeout(timeout)
                    .withIdleTimeout(timeout.plus(timeout)))
            .withTransport(transport)
            .withMaxConnections(settings.atOnce())
            .withMinConnections(0)
            .withMaxRetries(0)
            .withMaxOpenRequests(4 * Integer.highestOneBit(settings.atOnce()));
  }

  /** None but one that may be dialled. */
  private InetAddress allowed(String host) {
    try {
      return Stream.of(InetAddress.getAllByName(bare(host)))
          .filter(settings.addresses()::allows)
          .findFirst()
          .orElseThrow(() -> new NotAllowed(host));
    } catch (UnknownHostException e) {
      throw new CompletionException("No address is known of " + host, e);
    }
  }

  private static String bare(String host) {
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  private static final class NotAllowed extends RuntimeException {
    private static final long serialVersionUID = 1;

    NotAllowed(String host) {
      super(sentence(host), null, false, false);
    }

    static String sentence(String host) {
      return "'%s' is at no address that this node may dial. Its operator allows more by rpc.webhooks.allowed-addresses."
          .formatted(host);
    }
  }

  @Override
  public void mustBeAllowed(String url) {
    var uri = parsed(url);
    var scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
    if (url.length() > LONGEST_URL
        || uri.getHost() == null
        || uri.getUserInfo() != null
        || uri.getFragment() != null
        || !Set.of("http", "https").contains(scheme)) {
      throw wrong(
          "A webhook is at an address such as https://books.example/events, of at most %d characters, without a name and password or a #."
              .formatted(LONGEST_URL));
    } else if (scheme.equals("http") && !settings.plainHttp()) {
      throw wrong(
          "A webhook is at https: without TLS, everybody on the way reads what is sent. The operator allows http by rpc.webhooks.plain-http.");
    }
    literal(uri.getHost())
        .filter(address -> !settings.addresses().allows(address))
        .ifPresent(
            address -> {
              throw wrong(NotAllowed.sentence(uri.getHost()));
            });
  }

  private static Optional<InetAddress> literal(String host) {
    try {
      return AllowedAddresses.written(host);
    } catch (IllegalArgumentException e) {
      throw wrong(e.getMessage());
    }
  }

  private static URI parsed(String url) {
    try {
      return new URI(url);
    } catch (URISyntaxException e) {
      throw wrong("The address of a webhook cannot be read: " + e.getReason() + ".");
    }
  }

  private static RpcFailure wrong(String sentence) {
    return new RpcFailure(ErrorCode.UNSUPPORTED, sentence);
  }

  @Override
  public CompletionStage<Answer> send(Receiver receiver, String id, byte[] body) {
    long timestamp = clock.instant().getEpochSecond();
    var signatures =
        receiver.keys().stream()
            .map(key -> key.signature(id, timestamp, body))
            .collect(Collectors.joining(" "));
    var request =
        HttpRequest.POST(receiver.url())
            .withEntity(HttpEntities.create(ContentTypes.APPLICATION_JSON, body))
            .addHeader(RawHeader.create("webhook-id", id))
            .addHeader(RawHeader.create("webhook-timestamp", Long.toString(timestamp)))
            .addHeader(RawHeader.create("webhook-signature", signatures));
    try {
      var sent = http.singleRequest(request, tls, pool, system.classicSystem().log());
      // Also of an answer that comes too late.
      return sent.thenApply(this::read)
          .toCompletableFuture()
          .orTimeout(settings.timeout().toMillis(), TimeUnit.MILLISECONDS)
          .exceptionally(HttpSender::unreached);
    } catch (RuntimeException e) {
      return CompletableFuture.completedFuture(unreached(e));
    }
  }

  private Answer read(HttpResponse response) {
    discard(response);
    int status = response.status().intValue();
    // A redirect counts as one for Akka.
    if (status / 100 == 2) {
      return new Answer.Taken();
    }
    var why = "answered " + status;
    return NOT_NOW.contains(status) ? new Answer.Unreached(why) : new Answer.Refused(why);
  }

  /**
   * What it says beyond its status is of no interest: it is read so that the connection can be used
   * again. Of an answer that is long, or does not end, the connection ends.
   */
  private void discard(HttpResponse response) {
    response
        .entity()
        .withoutSizeLimit()
        .getDataBytes()
        .limitWeighted(MOST_READ, bytes -> (long) bytes.size())
        .completionTimeout(settings.timeout())
        .runWith(Sink.ignore(), materializer);
  }

  private static Answer unreached(Throwable failure) {
    var cause = failure;
    while (cause.getCause() != null
        && !(cause instanceof NotAllowed)
        && !(cause instanceof TimeoutException)) {
      cause = cause.getCause();
    }
    return new Answer.Unreached(
        cause instanceof TimeoutException
            ? "did not answer in time"
            : String.valueOf(cause.getMessage()));
  }
}
