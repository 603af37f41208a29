package dev.sequitur.ledger.remote;

import akka.http.javadsl.model.ContentType;
import akka.http.javadsl.model.ContentTypes;
import akka.http.javadsl.model.HttpEntities;
import akka.http.javadsl.model.HttpMethods;
import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.model.MediaTypes;
import akka.stream.Materializer;
import akka.stream.javadsl.Source;
import akka.util.ByteString;
import dev.sequitur.ledger.EmbeddedLedger;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.BlocksDroppedException;
import dev.sequitur.protocol.port.LedgerUnreachableException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers each {@link LedgerCall}. What it cannot read it answers with a sentence. */
final class LedgerHandler {
  private static final Logger LOG = LoggerFactory.getLogger(LedgerHandler.class);
  private static final int MAX_BLOCKS = 1_000;
  private static final long BODY_MILLIS = 20_000;

  /** Of requests, and of answers that wait to be read, for all clients. */
  private static final long MAX_BYTES = 128L << 20;

  /** What a call that is refused may have before it is answered. */
  private static final long MOST_READ = 2L * LedgerCall.MAX_REQUEST;

  /** An answer up to this size leaves in one piece. */
  private static final int PIECE = 64 << 10;

  private static final ContentType.NonBinary TEXT = ContentTypes.TEXT_PLAIN_UTF8;

  private final EmbeddedLedger ledger;
  private final HeadWatch heads;
  private final LedgerServerSettings settings;
  private final Materializer materializer;
  private final BiConsumer<String, String> refusals;
  private final ByteBudget bytes = new ByteBudget(MAX_BYTES);
  private final Map<String, Function<byte[], CompletionStage<byte[]>>> calls;

  /**
   * @param refusals is told who was refused, and why
   */
  LedgerHandler(
      EmbeddedLedger ledger,
      HeadWatch heads,
      LedgerServerSettings settings,
      Materializer materializer,
      BiConsumer<String, String> refusals) {
    this.ledger = ledger;
    this.heads = heads;
    this.settings = settings;
    this.materializer = materializer;
    this.refusals = refusals;
    this.calls =
        Map.ofEntries(
            on(LedgerCall.SUBMIT, this::submit),
            on(LedgerCall.NONCE, ledger::nonce),
            on(LedgerCall.PENDING_NONCE, ledger::pendingNonce),
            on(LedgerCall.KNOWS, ledger::knows),
            on(LedgerCall.HEAD, this::head),
            on(LedgerCall.BLOCKS, this::blocks),
            on(LedgerCall.RECEIPT, ledger::receipt),
            on(LedgerCall.TRANSACTION, ledger::transaction),
            on(LedgerCall.USED_NONCE, used -> ledger.nonces().orElseThrow().receipt(used)),
            on(LedgerCall.CHECKPOINTS, from -> ledger.checkpoints().orElseThrow().standing()),
            on(LedgerCall.AGREE, word -> ledger.checkpoints().orElseThrow().agree(word)));
  }

  private static <Q, A> Map.Entry<String, Function<byte[], CompletionStage<byte[]>>> on(
      LedgerCall<Q, A> call, Function<Q, CompletionStage<A>> answer) {
    return Map.entry(call.path(), body -> answer.apply(call.asked(body)).thenApply(call::answer));
  }

  /** What all clients hold. */
  ByteBudget bytes() {
    return bytes;
  }

  /** Never fails. */
  CompletionStage<HttpResponse> answer(Client client, HttpRequest request) {
    try {
      return answered(client, request);
    } catch (RuntimeException e) {
      return CompletableFuture.completedFuture(refusal(e));
    }
  }

  private CompletionStage<HttpResponse> answered(Client client, HttpRequest request) {
    var call = calls.get(request.getUri().path());
    if (!client.beginsCall()) {
      refusals.accept("a call of " + client, "its certificate is not one of ledger.tls.nodes");
      return refuse(
          request,
          403,
          "This ledger does not serve the holder of this certificate: ask its operator to name the"
              + " node in ledger.tls.nodes.");
    }
    if (!client.hasPlace()) {
      refusals.accept("a call of " + client, "too many connections make calls (ledger.limits)");
      return refuse(
          request,
          503,
          "This ledger has no place for another connection of %s: close some, or ask its operator to raise ledger.limits.connections or connections-per-address."
              .formatted(client));
    }
    if (call == null) {
      return refuse(request, 404, "There is no such call.");
    }
    if (!request.method().equals(HttpMethods.POST)) {
      return refuse(request, 405, "The ledger's calls are made with POST.");
    }
    if (request.getHeader("Origin").isPresent()) {
      return refuse(request, 403, "The ledger serves nodes and no web pages.");
    }
    if (!request
        .entity()
        .getContentType()
        .mediaType()
        .equals(MediaTypes.APPLICATION_OCTET_STREAM)) {
      return refuse(request, 415, "A call's content type is " + LedgerCall.CONTENT_TYPE + ".");
    }
    var length = request.entity().getContentLengthOption();
    if (length.isEmpty()) {
      return refuse(request, 411, "A call says its length in Content-Length.");
    }
    if (length.getAsLong() > LedgerCall.MAX_REQUEST) {
      return refuse(
          request, 413, "A request has at most " + LedgerCall.MAX_REQUEST + " bytes: split it.");
    }
    if (!client.hold(length.getAsLong())) {
      return refuse(
          request, 503, "Too many bytes are on their way from " + client + ": try again later.");
    }
    return request
        .entity()
        .toStrict(BODY_MILLIS, materializer)
        .thenCompose(body -> call.apply(body.getData().toArray()))
        .handle((answer, failure) -> failure == null ? ok(client, answer) : refusal(failure));
  }

  private CompletionStage<List<SubmitOutcome>> submit(LedgerCall.Submit submit) {
    if (!submit.doomed().isEmpty() && !settings.rehearsals()) {
      throw new IllegalArgumentException(
          "This ledger takes no rehearsed reverts: start it with rehearsals on.");
    }
    return ledger.submit(submit.transactions(), settings.rehearsals() ? submit.doomed() : Map.of());
  }

  private CompletionStage<BlockHeight> head(LedgerCall.HeadAfter head) {
    return heads.after(
        head.known(), Math.min(head.waitMillis(), settings.limits().mostWaitMillis()));
  }

  private CompletionStage<List<Block>> blocks(LedgerCall.BlocksFrom blocks) {
    return ledger.blocks(blocks.from(), Math.min(blocks.limit(), MAX_BLOCKS));
  }

  private static HttpResponse ok(Client client, byte[] answer) {
    client.giveBack();
    var response = HttpResponse.create().withStatus(200);
    var binary = ContentTypes.APPLICATION_OCTET_STREAM;
    if (answer.length <= PIECE) {
      return response.withEntity(HttpEntities.create(binary, answer));
    }
    if (!client.hold(answer.length)) {
      return text(
          503, "Too many bytes are on their way to " + client + ": read them and try again.");
    }
    var whole = ByteString.fromArrayUnsafe(answer);
    var pieces =
        IntStream.iterate(0, from -> from < answer.length, from -> from + PIECE)
            .mapToObj(from -> whole.slice(from, Math.min(answer.length, from + PIECE)))
            .toList();
    return response.withEntity(
        HttpEntities.create(
            binary,
            answer.length,
            Source.from(pieces)
                .watchTermination(
                    (nothing, ended) -> {
                      ended.whenComplete((done, failure) -> client.giveBack());
                      return nothing;
                    })));
  }

  private static HttpResponse refusal(Throwable failure) {
    var cause = Answers.cause(failure);
    if (cause instanceof IllegalArgumentException) {
      return text(400, cause.getMessage());
    }
    if (cause instanceof BlocksDroppedException) {
      return text(LedgerCall.GONE, cause.getMessage());
    }
    if (cause instanceof LedgerUnreachableException
        || cause instanceof RejectedExecutionException) {
      return text(503, "The ledger can't answer now: try again later.");
    }
    if (cause instanceof TimeoutException) {
      return text(408, "A call comes whole within " + BODY_MILLIS / 1000 + " s.");
    }
    if (cause instanceof akka.http.scaladsl.model.EntityStreamException
        || cause instanceof akka.stream.AbruptStageTerminationException) {
      return text(400, "The call has ended in its middle.");
    }
    LOG.error("A call of the ledger failed.", cause);
    return text(500, "The ledger failed; its log says why.");
  }

  private CompletionStage<HttpResponse> refuse(HttpRequest request, int status, String sentence) {
    // What is still on its way is read and forgotten. An answer that leaves before closes the
    // connection, and its end can overtake it: so only who sends very much is answered before.
    var read = request.entity().withoutSizeLimit().discardBytes(materializer).completionStage();
    var refusal = text(status, sentence);
    return request.entity().getContentLengthOption().orElse(Long.MAX_VALUE) <= MOST_READ
        ? read.handle((done, failure) -> refusal)
        : CompletableFuture.completedFuture(refusal);
  }

  private static HttpResponse text(int status, String sentence) {
    return HttpResponse.create().withStatus(status).withEntity(HttpEntities.create(TEXT, sentence));
  }
}
