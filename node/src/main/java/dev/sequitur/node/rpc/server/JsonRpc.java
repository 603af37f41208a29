package dev.sequitur.node.rpc.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.json.Format;
import dev.sequitur.json.JsonText;
import dev.sequitur.json.Refused;
import dev.sequitur.json.Unreadable;
import dev.sequitur.links.admission.SeldomLines;
import dev.sequitur.node.guard.Quotas;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.RpcSettings;
import dev.sequitur.node.rpc.method.Call;
import dev.sequitur.node.rpc.method.MethodTable;
import dev.sequitur.node.rpc.method.RoomMethods;
import dev.sequitur.node.rpc.method.RpcExchange;
import dev.sequitur.node.rpc.method.RpcMethod;
import dev.sequitur.node.rpc.query.AnswersTogether;
import dev.sequitur.node.rpc.query.KeptBytes;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.BlocksDroppedException;
import dev.sequitur.protocol.port.LedgerUnreachableException;
import dev.sequitur.protocol.port.NodeStore.Hindrance;
import dev.sequitur.protocol.port.PrivateTransactions.RefusedIntent;
import dev.sequitur.protocol.port.RoomStore.Bound;
import dev.sequitur.protocol.port.StoreException;
import dev.sequitur.scheduler.PartitionedQueueException;
import dev.sequitur.scheduler.SchedulerUnavailableException;
import io.opentelemetry.api.trace.Span;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** JSON-RPC 2.0 without its transport: the bytes of a request to the bytes of its response. */
final class JsonRpc {
  private static final Logger LOG = LoggerFactory.getLogger(JsonRpc.class);
  private static final int FRAMES_LOGGED = 8;

  /** Of one batch. */
  private static final int LOOKING_AT_ONCE = 8;

  private static final String THEN_AGAIN =
      " Then call again; what had an idempotency key can be sent again under it.";

  private final MethodTable methods;
  private final Permission permission;
  private final Quotas quotas;
  private final PendingCalls pending;
  private final Audited audited;
  private final CallSpans spans;
  private final LeavingJvm leaving;
  private final RpcSettings settings;
  private final RpcMetrics metrics;
  private final Supplier<CompletableFuture<Optional<Hindrance>>> hindrance;
  private final AnswersTogether together;
  private final SeldomLines faults = new SeldomLines(System::nanoTime);

  JsonRpc(Parts parts, RpcSettings settings, RpcMetrics metrics) {
    this.methods = parts.methods();
    this.permission = parts.permission();
    this.quotas = parts.quotas();
    this.pending = parts.pending();
    this.audited = parts.audited();
    this.spans = parts.spans();
    this.leaving = parts.leaving();
    this.hindrance = parts.hindrance();
    this.together = parts.together();
    this.settings = settings;
    this.metrics = metrics;
  }

  /**
   * What can be called, by whom, and what is written down of it.
   *
   * @param leaving who is refused since the JVM leaves
   * @param together of the answers of all callers
   * @param hindrance why nothing can be stored now; never fails
   */
  record Parts(
      MethodTable methods,
      Permission permission,
      Quotas quotas,
      PendingCalls pending,
      Audited audited,
      CallSpans spans,
      LeavingJvm leaving,
      AnswersTogether together,
      Supplier<CompletableFuture<Optional<Hindrance>>> hindrance) {}

  /**
   * The response to one text.
   *
   * @param text empty if none is due
   * @param written to be run when it is written, or never will be: until then it counts among the
   *     answers of all callers. May be run more than once
   */
  record Answer(Optional<byte[]> text, Runnable written) {
    /** What is too short to count. */
    static Answer of(byte[] text) {
      return new Answer(Optional.of(text), () -> {});
    }
  }

  /**
   * Answers one text: a request or a batch of them.
   *
   * @return never fails
   */
  CompletableFuture<Answer> answer(byte[] text, RpcExchange exchange) {
    JsonNode request;
    try {
      request = JsonText.parse(text);
    } catch (Unreadable e) {
      return CompletableFuture.completedFuture(Answer.of(refusal(RpcFailure.of(e))));
    }
    var room = new AnswerRoom(settings.limits().answerBytes(), together);
    var answer =
        request.isArray() ? batch(request, exchange, room) : single(request, exchange, room);
    return answer.thenApply(written -> new Answer(written, room.kept()::sent));
  }

  /** The response to what never became a request: its id is not known. */
  byte[] refusal(RpcFailure failure) {
    metrics.unreadable(failure.code());
    return written(failure);
  }

  static byte[] written(RpcFailure failure) {
    return JsonText.write(error(NullNode.instance, failure));
  }

  private CompletableFuture<Optional<byte[]>> batch(
      JsonNode batch, RpcExchange exchange, AnswerRoom room) {
    int most = settings.limits().batchRequests();
    if (batch.isEmpty() || batch.size() > most) {
      var failure =
          batch.isEmpty()
              ? new RpcFailure(ErrorCode.EMPTY_BATCH, "The batch is empty. Send 1 to " + most + ".")
              : new RpcFailure(
                  ErrorCode.BATCH_TOO_LARGE,
                  "The batch holds %d requests. Send at most %d at once."
                      .formatted(batch.size(), most));
      metrics.unreadable(failure.code());
      return CompletableFuture.completedFuture(Optional.of(written(failure)));
    }
    try {
      // The first was taken with the text.
      quotas.take(exchange.caller(), batch.size() - 1);
    } catch (Quotas.Exceeded e) {
      metrics.unreadable(e.failure().code());
      return CompletableFuture.completedFuture(Optional.of(written(e.failure())));
    }
    var answers = new ArrayList<CompletableFuture<Optional<byte[]>>>(batch.size());
    return begin(batch, exchange, room, answers, new ArrayList<>())
        .thenCompose(begun -> Answers.all(answers))
        .thenApply(all -> joined(all.stream().flatMap(Optional::stream).toList()));
  }

  /**
   * Begins them in their order. One that looks waits while as many others do as may at once: what
   * they have found is held until it is written.
   *
   * @param looking of those that were begun, what may look still
   */
  private CompletableFuture<Void> begin(
      JsonNode batch,
      RpcExchange exchange,
      AnswerRoom room,
      List<CompletableFuture<Optional<byte[]>>> answers,
      List<CompletableFuture<Optional<byte[]>>> looking) {
    while (answers.size() < batch.size()) {
      var request = batch.get(answers.size());
      boolean looks = looks(request);
      looking.removeIf(CompletableFuture::isDone);
      if (looks && looking.size() >= LOOKING_AT_ONCE) {
        return CompletableFuture.anyOf(looking.toArray(CompletableFuture[]::new))
            .thenCompose(any -> begin(batch, exchange, room, answers, looking));
      }
      var answer = single(request, exchange, room);
      answers.add(answer);
      if (looks) {
        looking.add(answer);
      }
    }
    return CompletableFuture.completedFuture(null);
  }

  private boolean looks(JsonNode request) {
    return methods.known(request.path("method").asText()).filter(RpcMethod::looks).isPresent();
  }

  /** As a JSON array; empty if none of them is answered. */
  private static Optional<byte[]> joined(List<byte[]> answers) {
    if (answers.isEmpty()) {
      return Optional.empty();
    }
    var all = ByteBuffer.allocate(1 + answers.stream().mapToInt(each -> each.length + 1).sum());
    var before = (byte) '[';
    for (var each : answers) {
      all.put(before).put(each);
      before = ',';
    }
    return Optional.of(all.put((byte) ']').array());
  }

  private CompletableFuture<Optional<byte[]>> single(
      JsonNode request, RpcExchange exchange, AnswerRoom room) {
    long start = System.nanoTime();
    RpcMethod method;
    try {
      checkEnvelope(request);
      method = methods.find(request.get("method").textValue());
    } catch (RpcFailure e) {
      metrics.unreadable(e.code());
      return CompletableFuture.completedFuture(Optional.of(refused(request, e)));
    }
    var refusal = beginning(method, exchange, room);
    if (refusal.isPresent()) {
      metrics.answered(method.name(), refusal, start, Optional.empty());
      return CompletableFuture.completedFuture(Optional.of(refused(request, refusal.get())));
    }
    var kept = room.kept().share();
    var span = spans.begin(method.name(), exchange.traceParent());
    return guarded(request, method, exchange, kept, span)
        .handle(
            (result, thrown) -> {
              quotas.ends(exchange.caller());
              if (thrown != null) {
                kept.end();
                return explained(failure(method, thrown))
                    .thenApply(failure -> new Outcome(failure, request));
              }
              var outcome = outcome(request, method, result, room);
              kept.end();
              return CompletableFuture.completedFuture(outcome);
            })
        .thenCompose(Function.identity())
        .thenApply(
            outcome -> {
              metrics.answered(method.name(), outcome.failure(), start, CallSpans.traceId(span));
              CallSpans.ended(span, outcome.failure());
              return outcome.text();
            });
  }

  /** Why a call is not begun; if it is, it has a place in its caller's quota from now on. */
  private Optional<RpcFailure> beginning(RpcMethod method, RpcExchange exchange, AnswerRoom room) {
    try {
      leaving.mustServe(method);
      if (room.isFull()) {
        throw new RpcFailure(
            ErrorCode.ANSWER_TOO_LARGE,
            "%s was not begun: the answers of its batch have no room in %d bytes (rpc.limits.answer-bytes). Send it again in another batch."
                .formatted(method.name(), room.most()));
      }
      quotas.begins(exchange.caller());
      return Optional.empty();
    } catch (RpcFailure e) {
      return Optional.of(e);
    } catch (Quotas.Exceeded e) {
      return Optional.of(e.failure());
    }
  }

  /**
   * What a call has come to.
   *
   * @param forgotten up to where the node has forgotten what it would go on with
   */
  private record Result(JsonNode value, Optional<Bound> forgotten) {}

  /** Does what a call asks for, if its caller may, and has it written down if it must be. */
  private CompletableFuture<Result> guarded(
      JsonNode request, RpcMethod method, RpcExchange exchange, KeptBytes.Share kept, Span span) {
    CompletableFuture<Result> result;
    Optional<Audited.Entry> entry = Optional.empty();
    try {
      entry = audited.begin(method, exchange.caller());
      checkId(request, method);
      permission.begin(method, exchange.caller());
      var call =
          Call.check(
              method, params(request), exchange, permission.sight(method, exchange.caller()), kept);
      entry.ifPresent(begun -> begun.names(call));
      result =
          bounded(carriedOut(method, call, span))
              .thenApply(value -> new Result(value, call.forgotten()));
    } catch (RuntimeException e) {
      result = CompletableFuture.failedFuture(e);
    }
    if (entry.isEmpty()) {
      return result;
    }
    var begun = entry.get();
    return result
        .handle((done, thrown) -> audited(method, begun, Optional.ofNullable(done), thrown))
        .thenCompose(Function.identity());
  }

  private CompletableFuture<JsonNode> carriedOut(RpcMethod method, Call call, Span span) {
    return permission
        .check(method, call)
        .thenCompose(
            allowed ->
                pending.carryOut(
                    method,
                    call,
                    () -> CallSpans.within(span, () -> method.handler().answer(call))))
        .thenApply(
            value -> {
              spans.began(span, () -> PendingCalls.begun(method, call, value));
              return value;
            })
        .toCompletableFuture();
  }

  /**
   * What a call is answered.
   *
   * @param text empty if it is answered nothing
   * @param failure if it is told as one
   */
  private record Outcome(Optional<byte[]> text, Optional<RpcFailure> failure) {
    Outcome(RpcFailure failure, JsonNode request) {
      this(Optional.of(refused(request, failure)), Optional.of(failure));
    }
  }

  private static Outcome outcome(
      JsonNode request, RpcMethod method, Result result, AnswerRoom room) {
    try {
      return new Outcome(
          method.answered()
              ? Optional.of(inRoom(method, success(id(request), result), room))
              : Optional.empty(),
          Optional.empty());
    } catch (AnswerRoom.Full e) {
      return new Outcome(tooLong(method, room), request);
    } catch (RpcFailure e) {
      return new Outcome(e, request);
    }
  }

  /** What was done is answered as it was: a refusal in its place would have it done again. */
  private static byte[] inRoom(RpcMethod method, JsonNode answer, AnswerRoom room)
      throws AnswerRoom.Full {
    return method.looks() ? room.write(answer) : room.writeWhole(answer);
  }

  private static RpcFailure tooLong(RpcMethod method, AnswerRoom room) {
    return new RpcFailure(
        ErrorCode.ANSWER_TOO_LARGE,
        "The answer of %s has no room in %d bytes (rpc.limits.answer-bytes; those of a batch have them together). Ask for less: a smaller limit, or fewer requests in a batch."
            .formatted(method.name(), room.most()));
  }

  private static byte[] refused(JsonNode request, RpcFailure failure) {
    return JsonText.write(error(id(request), failure));
  }

  /** Of silence the reason is told, if it is that nothing can be stored. */
  private CompletableFuture<RpcFailure> explained(RpcFailure failure) {
    boolean isSilence =
        failure.code().equals(ErrorCode.SCHEDULE_NO_ANSWER.code())
            || failure.code().equals(ErrorCode.NO_ANSWER_IN_TIME.code());
    return isSilence
        ? hindrance
            .get()
            .thenApply(
                why ->
                    why.map(it -> new RpcFailure(ErrorCode.CANNOT_STORE, it.sentence()))
                        .orElse(failure))
        : CompletableFuture.completedFuture(failure);
  }

  /** What is answered, once it is written down. */
  private CompletableFuture<Result> audited(
      RpcMethod method, Audited.Entry entry, Optional<Result> result, Throwable thrown) {
    var failure = Optional.ofNullable(thrown).map(cause -> failure(method, cause));
    return entry
        .ended(failure.map(RpcFailure::code).orElse("ok"), result.map(Result::value))
        .handle(
            (done, unwritten) -> {
              if (failure.isPresent()) {
                throw failure.get();
              } else if (unwritten != null) {
                throw new RpcFailure(
                    ErrorCode.NO_AUDIT,
                    "%s was done, but the node could not write down who did it. The node's log says why."
                        .formatted(method.name()));
              }
              return result.orElseThrow();
            });
  }

  private static void checkEnvelope(JsonNode request) {
    if (!request.isObject()) {
      throw new RpcFailure(
          ErrorCode.INVALID_REQUEST,
          "A request is an object, not %s. Send {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":…,\"params\":[…]}."
              .formatted(Format.nameOf(request)));
    }
    if (!"2.0".equals(request.path("jsonrpc").textValue())) {
      throw new RpcFailure(
          ErrorCode.INVALID_REQUEST, "The field jsonrpc must be \"2.0\". Add it to the request.");
    }
    if (!request.path("method").isTextual()) {
      throw new RpcFailure(
          ErrorCode.INVALID_REQUEST,
          "The field method must be a string. Name a method; rpc_methods lists all.");
    }
  }

  /** An acknowledgement is not answered, so it needs no id. */
  private static void checkId(JsonNode request, RpcMethod method) {
    if (method.answered() && id(request).isNull()) {
      throw new RpcFailure(
          ErrorCode.ID_MISSING,
          "The request has no id, or null. Give it one; any but null will do.");
    }
  }

  private static JsonNode params(JsonNode request) {
    var params = request.get("params");
    if (params == null) {
      return JsonNodeFactory.instance.arrayNode();
    }
    if (!params.isArray()) {
      throw new RpcFailure(
          ErrorCode.INVALID_REQUEST,
          "The field params must be an array, not %s. Parameters go by position."
              .formatted(Format.nameOf(params)));
    }
    return params;
  }

  private static JsonNode id(JsonNode request) {
    var id = request.isObject() ? request.get("id") : null;
    return id == null ? NullNode.instance : id;
  }

  /** Most answers are there at once and need no timer. */
  private CompletableFuture<JsonNode> bounded(CompletableFuture<JsonNode> result) {
    return result.isDone()
        ? result
        : result.copy().orTimeout(settings.timeouts().call().toNanos(), TimeUnit.NANOSECONDS);
  }

  private RpcFailure failure(RpcMethod method, Throwable thrown) {
    var cause = Answers.cause(thrown);
    if (cause instanceof Refused refused) {
      return RpcFailure.of(refused);
    }
    if (cause instanceof RefusedIntent refused) {
      return refused(refused);
    }
    if (cause instanceof Quotas.Exceeded exceeded) {
      return exceeded.failure();
    }
    if (cause instanceof SchedulerUnavailableException) {
      return new RpcFailure(ErrorCode.SCHEDULE_NO_ANSWER, cause.getMessage());
    }
    if (cause instanceof PartitionedQueueException) {
      return new RpcFailure(ErrorCode.SCHEDULE_NOT_ALLOWED, cause.getMessage());
    }
    if (cause instanceof TimeoutException) {
      return new RpcFailure(
          ErrorCode.NO_ANSWER_IN_TIME,
          // Not always this server's own limit: whom the call asked may have given up before.
          "%s was not done in time, and may still be done. Ask again; what had an idempotency key can be sent again under it."
              .formatted(method.name()));
    }
    if (cause instanceof StoreException) {
      // Its sentence is the operator's, in the log and in /health, too.
      return new RpcFailure(ErrorCode.CANNOT_STORE, cause.getMessage() + THEN_AGAIN);
    }
    if (cause instanceof RejectedExecutionException) {
      return new RpcFailure(
          ErrorCode.CANNOT_STORE,
          "This process of the node takes no more work, since it is stopping: turn to another one, or wait until it is up again."
              + THEN_AGAIN);
    }
    if (cause instanceof BlocksDroppedException) {
      return new RpcFailure(ErrorCode.BLOCK_DROPPED, cause.getMessage());
    }
    if (cause instanceof LedgerUnreachableException) {
      return new RpcFailure(ErrorCode.NO_LEDGER, cause.getMessage());
    }
    return internal(method, cause);
  }

  private static RpcFailure refused(RefusedIntent refused) {
    int rpcCode =
        ErrorCode.of(refused.code())
            .map(ErrorCode::rpcCode)
            .orElse(ErrorCode.INVALID_REQUEST.rpcCode());
    return new RpcFailure(refused.code(), rpcCode, refused.getMessage());
  }

  /** The log gets where it happened, but not the exception's text, which may hold private data. */
  private RpcFailure internal(RpcMethod method, Throwable cause) {
    var where =
        Stream.of(cause.getStackTrace())
            .limit(FRAMES_LOGGED)
            .map(StackTraceElement::toString)
            .collect(Collectors.joining(" < "));
    faults
        .due(method.name() + cause.getClass() + where)
        .ifPresent(
            leftOut ->
                LOG.error(
                    "{} failed: {} at {}; {} more failures since the last such line.",
                    method.name(),
                    cause.getClass().getName(),
                    where,
                    leftOut));
    return new RpcFailure(
        ErrorCode.INTERNAL,
        "The node failed over %s. Try again; if it stays so, the node's log says where."
            .formatted(method.name()));
  }

  private static ObjectNode success(JsonNode id, Result result) {
    var response = JsonText.object().put("jsonrpc", "2.0");
    response.set("id", id);
    response.set("result", result.value());
    result.forgotten().ifPresent(it -> response.set("forgotten", RoomMethods.BOUND.write(it)));
    return response;
  }

  private static ObjectNode error(JsonNode id, RpcFailure failure) {
    var response = JsonText.object().put("jsonrpc", "2.0");
    response.set("id", id);
    response.set("error", failure.error());
    return response;
  }
}
