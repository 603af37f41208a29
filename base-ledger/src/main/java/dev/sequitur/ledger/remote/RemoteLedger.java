package dev.sequitur.ledger.remote;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.sequitur.encoding.MalformedBytesException;
import dev.sequitur.ledger.RehearsalLedger;
import dev.sequitur.protocol.checkpoint.Agreement;
import dev.sequitur.protocol.checkpoint.Agreements.Answer;
import dev.sequitur.protocol.checkpoint.CheckpointStanding;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.BlocksDroppedException;
import dev.sequitur.protocol.port.LedgerCheckpoints;
import dev.sequitur.protocol.port.LedgerUnreachableException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;

/**
 * A ledger in another process. Thread-safe; blocks nobody.
 *
 * <p>Once asked for the head, it keeps one call waiting at the server for the next one, so that
 * {@link #head} and an empty {@link #blocks} are answered from memory, however often they are
 * asked. If that call fails nothing is tried again until somebody asks.
 */
public final class RemoteLedger implements RehearsalLedger {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);
  private static final int WAIT_MILLIS = 5_000;
  private static final int MOST_SAID = 200;

  /** Transactions in one request; many times this number of their usual size would fit. */
  private static final int BATCH = 500;

  private final URI server;
  private final Executor executor;
  private final Optional<Supplier<SSLContext>> tls;
  private final AtomicReference<Optional<BlockHeight>> watched =
      new AtomicReference<>(Optional.empty());
  private volatile boolean closed;

  private Optional<SSLContext> context = Optional.empty(); // guarded by this
  private Optional<HttpClient> client = Optional.empty(); // guarded by this

  private RemoteLedger(URI server, Optional<Supplier<SSLContext>> tls, Executor executor) {
    this.server = server;
    this.tls = tls;
    this.executor = executor;
  }

  /**
   * Does not connect yet.
   *
   * @param server as {@link LedgerServer#uri} tells it
   * @param tls with the certificate that the server asks for, and which also says whose certificate
   *     a server may have; asked before each call, and another context makes new connections. Empty
   *     without TLS
   * @param executor reads answers and runs what follows on them
   */
  public static RemoteLedger at(URI server, Optional<Supplier<SSLContext>> tls, Executor executor) {
    return new RemoteLedger(server, tls, executor);
  }

  /** Another one when the certificates have been replaced. */
  private synchronized HttpClient client() {
    var now = tls.map(Supplier::get);
    if (client.isEmpty() || !now.equals(context)) {
      var builder =
          HttpClient.newBuilder()
              .version(HttpClient.Version.HTTP_1_1)
              .connectTimeout(CONNECT_TIMEOUT)
              .executor(executor);
      now.ifPresent(builder::sslContext);
      context = now;
      client = Optional.of(builder.build());
    }
    return client.get();
  }

  /** In several requests if there are many, one after another, so that the order stays. */
  @Override
  public CompletionStage<List<SubmitOutcome>> submit(
      List<SignedLedgerTransaction> transactions, Map<TransactionHash, Set<Integer>> doomed) {
    return Answers.inParts(transactions, BATCH, part -> submitPart(List.copyOf(part), doomed));
  }

  private CompletionStage<List<SubmitOutcome>> submitPart(
      List<SignedLedgerTransaction> part, Map<TransactionHash, Set<Integer>> doomed) {
    var body = LedgerCall.SUBMIT.ask(new LedgerCall.Submit(part, doomed));
    if (body.length > LedgerCall.MAX_REQUEST && part.size() > 1) {
      return Answers.inParts(part, (part.size() + 1) / 2, half -> submitPart(half, doomed));
    }
    return call(LedgerCall.SUBMIT, body, ANSWER_TIMEOUT);
  }

  @Override
  public CompletionStage<Long> nonce(LedgerAddress signer) {
    return call(LedgerCall.NONCE, signer);
  }

  @Override
  public CompletionStage<Long> pendingNonce(LedgerAddress signer) {
    return call(LedgerCall.PENDING_NONCE, signer);
  }

  @Override
  public CompletionStage<Boolean> knows(TransactionHash hash) {
    return call(LedgerCall.KNOWS, hash);
  }

  @Override
  public CompletionStage<BlockHeight> head() {
    var known = watched.get();
    if (known.isPresent()) {
      return completedFuture(known.get());
    }
    return headAfter(BlockHeight.ZERO, 0).thenApply(this::watch);
  }

  private CompletionStage<BlockHeight> headAfter(BlockHeight known, int waitMillis) {
    return call(
        LedgerCall.HEAD,
        LedgerCall.HEAD.ask(new LedgerCall.HeadAfter(known, waitMillis)),
        Duration.ofMillis(waitMillis).plus(CONNECT_TIMEOUT));
  }

  private BlockHeight watch(BlockHeight head) {
    if (!closed && watched.compareAndSet(Optional.empty(), Optional.of(head))) {
      awaitNext(head);
    }
    return head;
  }

  private void awaitNext(BlockHeight head) {
    headAfter(head, WAIT_MILLIS)
        .whenComplete(
            (next, failure) -> {
              watched.set(failure == null && !closed ? Optional.of(next) : Optional.empty());
              if (failure == null && !closed) {
                awaitNext(next);
              }
            });
  }

  @Override
  public CompletionStage<List<Block>> blocks(BlockHeight from, int limit) {
    if (watched.get().filter(head -> from.compareTo(head) > 0).isPresent()) {
      return completedFuture(List.of());
    }
    return call(LedgerCall.BLOCKS, new LedgerCall.BlocksFrom(from, limit));
  }

  @Override
  public CompletionStage<Optional<LedgerReceipt>> receipt(TransactionHash hash) {
    return call(LedgerCall.RECEIPT, hash);
  }

  @Override
  public Optional<NonceIndex> nonces() {
    return Optional.of(used -> call(LedgerCall.USED_NONCE, used));
  }

  @Override
  public CompletionStage<Optional<LedgerTransaction>> transaction(TransactionHash hash) {
    return call(LedgerCall.TRANSACTION, hash);
  }

  @Override
  public Optional<LedgerCheckpoints> checkpoints() {
    return Optional.of(
        new LedgerCheckpoints() {
          @Override
          public CompletionStage<CheckpointStanding> standing() {
            return call(LedgerCall.CHECKPOINTS, BlockHeight.ZERO);
          }

          @Override
          public CompletionStage<Answer> agree(Agreement agreement) {
            return call(LedgerCall.AGREE, agreement);
          }
        });
  }

  private <Q, A> CompletionStage<A> call(LedgerCall<Q, A> call, Q question) {
    return call(call, call.ask(question), ANSWER_TIMEOUT);
  }

  private <A> CompletionStage<A> call(LedgerCall<?, A> call, byte[] body, Duration timeout) {
    if (closed) {
      return CompletableFuture.failedFuture(
          new LedgerUnreachableException("The connection to the ledger is closed."));
    }
    var request =
        HttpRequest.newBuilder(server.resolve(call.path()))
            .timeout(timeout)
            .header("content-type", LedgerCall.CONTENT_TYPE)
            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
            .build();
    return client()
        .sendAsync(request, boundedBytes())
        .handle((response, failure) -> result(response, failure, call));
  }

  private <A> A result(HttpResponse<byte[]> response, Throwable failure, LedgerCall<?, A> call) {
    if (failure != null) {
      var cause = Answers.cause(failure);
      throw new LedgerUnreachableException(unreachable(cause), cause);
    }
    var body = response.body();
    return switch (response.statusCode()) {
      case 200 -> decoded(body, call);
      case 400, 413 -> throw new IllegalArgumentException(new String(body, StandardCharsets.UTF_8));
      case LedgerCall.GONE -> throw new BlocksDroppedException(sentence(body));
      default ->
          throw new LedgerUnreachableException(
              "The ledger at %s answers with status %d: %s"
                  .formatted(server, response.statusCode(), sentence(body)));
    };
  }

  private String unreachable(Throwable cause) {
    if (cause instanceof SSLException) {
      return ("The ledger at %s and this node do not accept each other's certificates (%s): check"
              + " ledger.remote.tls here and ledger.tls there.")
          .formatted(server, cause.getMessage());
    }
    if (cause instanceof ConnectException || cause instanceof HttpConnectTimeoutException) {
      return ("There is no ledger at %s: start it there (./sequitur ledger), or correct"
              + " ledger.remote.")
          .formatted(server);
    }
    return "The ledger at " + server + " does not answer: " + cause + ".";
  }

  /** What somebody else's server says is cut. */
  private static String sentence(byte[] body) {
    return new String(body, 0, Math.min(body.length, MOST_SAID), StandardCharsets.UTF_8);
  }

  private <A> A decoded(byte[] body, LedgerCall<?, A> call) {
    try {
      return call.answered(body);
    } catch (MalformedBytesException e) {
      throw new LedgerUnreachableException(
          "What answers at " + server + " is no ledger of this version: " + e.getMessage(), e);
    }
  }

  private static BodyHandler<byte[]> boundedBytes() {
    return response -> {
      long length = response.headers().firstValueAsLong("content-length").orElse(0);
      // without a length the answer is none of a ledger's, so nothing of it is kept
      return length <= 0 || length > LedgerCall.MAX_ANSWER
          ? BodySubscribers.replacing(new byte[0])
          : BodySubscribers.ofByteArray();
    };
  }

  /** Later calls fail; those on their way may still be answered. */
  @Override
  public void close() {
    closed = true;
    watched.set(Optional.empty());
  }
}
