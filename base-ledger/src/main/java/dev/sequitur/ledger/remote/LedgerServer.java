package dev.sequitur.ledger.remote;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import dev.sequitur.ledger.EmbeddedLedger;
import dev.sequitur.ledger.LedgerUnreachableException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves an embedded ledger to the nodes of other processes. What it cannot read it answers with a
 * sentence and forgets; requests, threads and waiting requests are bounded.
 */
public final class LedgerServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LedgerServer.class);
  private static final int THREADS = 8;
  private static final int MAX_QUEUED = 1_024;
  private static final int MAX_WAIT_MILLIS = 30_000;
  private static final int MAX_BLOCKS = 1_000;

  private final HttpServer server;
  private final ThreadPoolExecutor executor;
  private final HeadWatch heads;
  private final URI uri;

  private LedgerServer(EmbeddedLedger ledger, LedgerServerSettings settings) throws IOException {
    this.executor = executor();
    this.server = listening(settings);
    this.heads = new HeadWatch(ledger, executor);
    this.uri =
        URI.create(
            (settings.tls().isPresent() ? "https" : "http")
                + "://"
                + settings.address().getHostString()
                + ":"
                + server.getAddress().getPort());
    server.setExecutor(executor);
    serve(ledger, settings.rehearsals());
    server.start();
  }

  /**
   * @param ledger stays open when the server is closed
   * @throws UncheckedIOException if the address can't be listened on; the message is for the
   *     operator
   */
  public static LedgerServer start(EmbeddedLedger ledger, LedgerServerSettings settings) {
    setDefaults();
    try {
      return new LedgerServer(ledger, settings);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "The ledger can't listen on " + settings.address() + ": " + e.getMessage(), e);
    }
  }

  /**
   * The JDK's server reads these once and has no other way to be told: without the first an answer
   * may wait 40 ms for the client's acknowledgement, without the second a client that sends a byte
   * a minute keeps a thread for ever.
   */
  private static void setDefaults() {
    setDefault("sun.net.httpserver.nodelay", "true");
    setDefault("sun.net.httpserver.maxReqTime", "20");
  }

  private static void setDefault(String property, String value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, value);
    }
  }

  /** Where it listens, with the port that was free. */
  public URI uri() {
    return uri;
  }

  /** How many calls wait for the next block now. */
  int waitingCalls() {
    return heads.waiting();
  }

  private static HttpServer listening(LedgerServerSettings settings) throws IOException {
    if (settings.tls().isEmpty()) {
      return HttpServer.create(settings.address(), 0);
    }
    var server = HttpsServer.create(settings.address(), 0);
    server.setHttpsConfigurator(new MutualTls(settings.tls().get()));
    return server;
  }

  private static ThreadPoolExecutor executor() {
    var numbers = new AtomicInteger();
    var executor =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            30,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MAX_QUEUED),
            task -> {
              var thread = new Thread(task, "sequitur-ledger-http-" + numbers.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    executor.allowCoreThreadTimeOut(true);
    return executor;
  }

  private void serve(EmbeddedLedger ledger, boolean rehearsals) {
    on(LedgerCalls.SUBMIT, body -> submit(ledger, rehearsals, LedgerCalls.decodeSubmit(body)));
    on(
        LedgerCalls.NONCE,
        body -> ledger.nonce(LedgerCalls.decodeAddress(body)).thenApply(LedgerCalls::encodeNumber));
    on(
        LedgerCalls.HEAD,
        body -> {
          var head = LedgerCalls.decodeHeadAfter(body);
          return heads
              .after(head.known(), Math.min(head.waitMillis(), MAX_WAIT_MILLIS))
              .thenApply(LedgerCalls::encode);
        });
    on(
        LedgerCalls.BLOCKS,
        body -> {
          var blocks = LedgerCalls.decodeBlocksFrom(body);
          return ledger
              .blocks(blocks.from(), Math.min(blocks.limit(), MAX_BLOCKS))
              .thenApply(LedgerCalls::encodeBlocks);
        });
    on(
        LedgerCalls.RECEIPT,
        body -> ledger.receipt(LedgerCalls.decodeHash(body)).thenApply(LedgerCalls::encodeReceipt));
  }

  private static CompletionStage<byte[]> submit(
      EmbeddedLedger ledger, boolean rehearsals, LedgerCalls.Submit submit) {
    if (!submit.doomed().isEmpty() && !rehearsals) {
      throw new IllegalArgumentException(
          "This ledger takes no rehearsed reverts: start it with rehearsals on.");
    }
    return ledger
        .submit(submit.transactions(), rehearsals ? submit.doomed() : Set.of())
        .thenApply(LedgerCalls::encodeOutcomes);
  }

  private void on(String path, Function<byte[], CompletionStage<byte[]>> call) {
    server.createContext(path, exchange -> handle(exchange, path, call));
  }

  private void handle(
      HttpExchange exchange, String path, Function<byte[], CompletionStage<byte[]>> call)
      throws IOException {
    if (!exchange.getRequestURI().getPath().equals(path)) {
      refuse(exchange, 404, "There is no such call.");
    } else if (!exchange.getRequestMethod().equals("POST")) {
      refuse(exchange, 405, "The ledger's calls are made with POST.");
    } else {
      var body = exchange.getRequestBody().readNBytes(LedgerCalls.MAX_REQUEST + 1);
      if (body.length > LedgerCalls.MAX_REQUEST) {
        refuse(
            exchange,
            413,
            "A request has at most " + LedgerCalls.MAX_REQUEST + " bytes: split it.");
      } else {
        answer(exchange, call, body);
      }
    }
  }

  private void answer(
      HttpExchange exchange, Function<byte[], CompletionStage<byte[]>> call, byte[] body) {
    CompletionStage<byte[]> answer;
    try {
      answer = call.apply(body);
    } catch (RuntimeException e) {
      answer = CompletableFuture.failedFuture(e);
    }
    // on our own threads, for a client that reads slowly must not hold the ledger's
    answer
        .whenCompleteAsync((bytes, failure) -> send(exchange, bytes, failure), executor)
        .exceptionally(
            failure -> {
              exchange.close();
              return null;
            });
  }

  private static void send(HttpExchange exchange, byte[] answer, Throwable failure) {
    try {
      if (failure == null) {
        respond(exchange, 200, answer);
      } else {
        refuse(exchange, failure);
      }
    } catch (IOException clientWentAway) {
      exchange.close();
    }
  }

  private static void refuse(HttpExchange exchange, Throwable failure) throws IOException {
    var cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (cause instanceof IllegalArgumentException) {
      refuse(exchange, 400, cause.getMessage());
    } else if (cause instanceof LedgerUnreachableException
        || cause instanceof RejectedExecutionException) {
      refuse(exchange, 503, "The ledger can't answer now: try again later.");
    } else {
      LOG.error("A call of the ledger failed.", cause);
      refuse(exchange, 500, "The ledger failed; its log says why.");
    }
  }

  private static void refuse(HttpExchange exchange, int status, String sentence)
      throws IOException {
    respond(exchange, status, sentence.getBytes(StandardCharsets.UTF_8));
  }

  private static void respond(HttpExchange exchange, int status, byte[] body) throws IOException {
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    try (exchange;
        var out = exchange.getResponseBody()) {
      out.write(body);
    }
  }

  /** Ends waiting calls; those that are being answered may be cut off. */
  @Override
  public void close() {
    heads.close();
    server.stop(0);
    executor.shutdownNow();
  }

  private static final class MutualTls extends HttpsConfigurator {
    MutualTls(SSLContext context) {
      super(context);
    }

    @Override
    public void configure(HttpsParameters parameters) {
      var tls = getSSLContext().getDefaultSSLParameters();
      tls.setNeedClientAuth(true);
      parameters.setSSLParameters(tls);
    }
  }
}
