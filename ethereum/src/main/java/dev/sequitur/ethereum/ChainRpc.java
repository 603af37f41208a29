package dev.sequitur.ethereum;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.LedgerUnreachableException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * JSON-RPC over HTTP of the nodes of one chain. A request goes to the node that answered last; if
 * that one does not answer, to the next, each once. Thread-safe; blocks nobody.
 */
public final class ChainRpc {
  /** What names the nodes of a chain in a configuration. */
  public static final String KEY = "ledger.ethereum.rpc";

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final int MOST_SAID = 200;

  /** Bytes of an answer: 32 full blocks of 30 million gas. */
  private static final int MOST_ANSWERED = 128 * 1024 * 1024;

  /** Who calls may not, or not now: fewer calls make it no better. */
  private static final Set<Integer> OF_THE_CALLER = Set.of(401, 402, 403, 404, 407, 429);

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final List<NodeAddress> nodes;
  private final String named;
  private final ChainAccess access;
  private final Executor executor;
  private final HttpClient client;
  private final AtomicInteger answering;
  private final LongSupplier nanos;
  private final AtomicReferenceArray<PassedOn> passedOn;
  private final Duration timeout;
  private final Duration patience;
  private final BatchSize batch;
  private final RequestTurns turns;
  private final RequestTurns.Line line;

  /**
   * How much a node is asked.
   *
   * @param batch calls in one request at most
   * @param atOnce requests to all nodes that are under way at most
   * @param timeout of the answer to one request
   * @param patience with a node that has not told its head, when others have told theirs
   */
  public record Limits(int batch, int atOnce, Duration timeout, Duration patience) {
    /** If nothing else is said. */
    public static final Limits DEFAULT = new Limits(100, 32, Duration.ofSeconds(30));

    /** With as much patience as is right for that time-out. */
    public Limits(int batch, int atOnce, Duration timeout) {
      this(batch, atOnce, timeout, timeout.dividedBy(6));
    }
  }

  /** A node did not take so many calls in one request, and may take fewer. */
  private static final class TooMany extends RuntimeException {
    private static final long serialVersionUID = 1;

    private TooMany(LedgerUnreachableException cause) {
      super(cause.getMessage(), cause);
    }
  }

  /**
   * A method and its parameters.
   *
   * @param there whether something is known to be there: a node that has nothing lacks it, and the
   *     next one is asked
   */
  public record Call(String method, List<Object> params, boolean there) {
    public static Call of(String method, Object... params) {
      return new Call(method, List.of(params), false);
    }

    /** Of what another answer has told of. */
    static Call ofWhatIsThere(String method, Object... params) {
      return new Call(method, List.of(params), true);
    }
  }

  /** What a node answered to one call. */
  public sealed interface Answer {
    /**
     * @param value a JSON null if there is nothing
     */
    record Result(JsonNode value) implements Answer {}

    /**
     * @param data what a contract said as it reverted; empty if there is none
     */
    record Refusal(int code, String message, String data) implements Answer {}
  }

  /** Of the nodes that the configuration names. */
  public ChainRpc(List<URI> nodes, Executor executor) {
    this(nodes, KEY, executor);
  }

  /**
   * Does not connect yet.
   *
   * @param nodes at least one, all of the same chain; the first is preferred at first
   * @param named what the operator has named them by, and corrects if they are wrong
   * @param executor reads answers and runs what follows on them
   */
  public ChainRpc(List<URI> nodes, String named, Executor executor) {
    this(nodes, named, ChainAccess.NONE, Limits.DEFAULT, executor);
  }

  /**
   * As before.
   *
   * @param access what is shown to each of the nodes
   */
  public ChainRpc(
      List<URI> nodes, String named, ChainAccess access, Limits limits, Executor executor) {
    this(nodes, named, access, limits, executor, System::nanoTime);
  }

  /**
   * As before.
   *
   * @param nanos like {@link System#nanoTime}
   */
  ChainRpc(
      List<URI> nodes,
      String named,
      ChainAccess access,
      Limits limits,
      Executor executor,
      LongSupplier nanos) {
    if (nodes.isEmpty()) {
      throw new IllegalArgumentException("A chain is reached by at least one node.");
    }
    this.nodes = nodes.stream().map(NodeAddress::of).toList();
    this.named = named;
    this.access = access;
    this.executor = executor;
    this.answering = new AtomicInteger();
    this.nanos = nanos;
    this.passedOn = new AtomicReferenceArray<>(nodes.size());
    this.timeout = limits.timeout();
    this.patience = limits.patience();
    this.batch = new BatchSize(limits.batch());
    this.turns = new RequestTurns(limits.atOnce());
    this.line = RequestTurns.Line.NODE;
    var builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_TIMEOUT)
            .executor(executor);
    access.tls().ifPresent(builder::sslContext);
    this.client = builder.build();
  }

  private ChainRpc(ChainRpc same, RequestTurns.Line line) {
    this.nodes = same.nodes;
    this.named = same.named;
    this.access = same.access;
    this.executor = same.executor;
    this.client = same.client;
    this.answering = same.answering;
    this.nanos = same.nanos;
    this.passedOn = same.passedOn;
    this.timeout = same.timeout;
    this.patience = same.patience;
    this.batch = same.batch;
    this.turns = same.turns;
    this.line = line;
  }

  /** The same nodes, for what callers ask: it stands in a line of its own (CHN-8). */
  ChainRpc forCallers() {
    return new ChainRpc(this, RequestTurns.Line.CALLERS);
  }

  /** Where its nodes are, in the order of the configuration, as people may be told it. */
  List<URI> nodes() {
    return shown(nodes);
  }

  private static List<URI> shown(List<NodeAddress> nodes) {
    return nodes.stream().map(NodeAddress::shown).toList();
  }

  /** Addresses of a chain's nodes as people may be told them: without keys and passwords. */
  public static List<URI> withoutSecrets(List<URI> nodes) {
    return shown(nodes.stream().map(NodeAddress::of).toList());
  }

  /** {@link Limits#patience}. */
  Duration patience() {
    return patience;
  }

  /** What the operator has named them by. */
  String named() {
    return named;
  }

  /** Sentences about what a node refuses for reasons of its own, for the operator. */
  List<String> remarks() {
    return IntStream.range(0, nodes.size())
        .mapToObj(passedOn::get)
        .flatMap(Stream::ofNullable)
        .flatMap(one -> one.remark(now()).stream())
        .toList();
  }

  private Duration now() {
    return Duration.ofNanos(nanos.getAsLong());
  }

  private void passOn(int place, Call call, Answer.Refusal refusal) {
    var sentence =
        "%s refuses %s: %s (%d). Another one is asked each time: look what this one may do, or take it out of %s."
            .formatted(named(place), call.method(), refusal.message(), refusal.code(), named);
    passedOn.updateAndGet(
        place,
        before -> before == null ? PassedOn.first(sentence, now()) : before.again(sentence, now()));
  }

  /** The place of the node that is asked first now. */
  int preferred() {
    return answering.get();
  }

  /** From now on the node at this place is asked first. */
  void prefer(int place) {
    answering.set(place);
  }

  /**
   * What the node at a place answers, and no other.
   *
   * @param calls few; one after another if it does not take them together
   * @return fails with a {@link LedgerUnreachableException} if it does not answer, or refuses
   */
  CompletionStage<List<JsonNode>> resultsOf(int place, List<Call> calls) {
    var together =
        calls.size() > batch.now()
            ? oneByOne(place, calls)
            : send(calls, place)
                .exceptionallyCompose(
                    failure ->
                        Answers.cause(failure) instanceof TooMany
                            ? oneByOne(place, calls)
                            : CompletableFuture.failedFuture(failure));
    return together.thenApply(answers -> results(named(place), calls, answers));
  }

  private String named(int place) {
    return "The chain's node at " + nodes.get(place).shown();
  }

  /**
   * As {@link #resultsOf}, of the last call; what is refused of those before it is a JSON null. If
   * the node may not take them in one request, only the last is asked for.
   */
  CompletionStage<List<JsonNode>> lastOf(int place, List<Call> calls) {
    var last = List.of(calls.getLast());
    if (calls.size() == 1 || calls.size() > batch.now()) {
      return resultsOf(place, last);
    }
    return send(calls, place)
        .thenApply(
            answers -> {
              var results = new ArrayList<JsonNode>();
              for (var answer : answers.subList(0, answers.size() - 1)) {
                results.add(
                    answer instanceof Answer.Result(var value)
                        ? value
                        : JsonNodeFactory.instance.nullNode());
              }
              results.add(resultOf(named(place), last.getFirst(), answers.getLast()));
              return List.copyOf(results);
            })
        .exceptionallyCompose(
            failure ->
                Answers.cause(failure) instanceof TooMany
                    ? resultsOf(place, last)
                        .whenComplete(
                            (alone, silent) -> {
                              if (silent == null) {
                                batch.refused(calls.size());
                              }
                            })
                    : CompletableFuture.failedFuture(failure));
  }

  private CompletionStage<List<Answer>> oneByOne(int place, List<Call> calls) {
    return Answers.inParts(calls, 1, part -> send(part, place));
  }

  /**
   * The result of one call.
   *
   * @return fails with a {@link LedgerUnreachableException} if no node answers, or the one that
   *     does refuses
   */
  public CompletionStage<JsonNode> ask(String method, Object... params) {
    return results(List.of(Call.of(method, params))).thenApply(List::getFirst);
  }

  /** As {@link #ask}, of several calls, in their order. */
  public CompletionStage<List<JsonNode>> results(List<Call> calls) {
    return answers(calls).thenApply(answers -> results("The chain's node", calls, answers));
  }

  private static List<JsonNode> results(String node, List<Call> calls, List<Answer> answers) {
    var results = new ArrayList<JsonNode>();
    for (int i = 0; i < answers.size(); i++) {
      results.add(resultOf(node, calls.get(i), answers.get(i)));
    }
    return results;
  }

  private static JsonNode resultOf(String node, Call call, Answer answer) {
    return switch (answer) {
      case Answer.Result(var value) -> value;
      case Answer.Refusal(var code, var message, var data) ->
          throw new LedgerUnreachableException(
              "%s refuses %s: %s (%d).".formatted(node, call.method(), message, code));
    };
  }

  /**
   * What a node says to each call, in their order.
   *
   * @return fails with a {@link LedgerUnreachableException} if no node answers
   */
  public CompletionStage<List<Answer>> answers(List<Call> calls) {
    return calls.isEmpty()
        ? CompletableFuture.completedFuture(List.of())
        : inBatches(calls, List.of());
  }

  /** Batches are halved where no node takes one but one takes a call alone. */
  private CompletionStage<List<Answer>> inBatches(List<Call> calls, List<Answer> before) {
    int size = Math.min(batch.now(), calls.size());
    return sendToAny(calls.subList(0, size))
        .handle(
            (answers, failure) -> {
              if (failure == null) {
                batch.taken();
                return again(calls.subList(0, size), answers)
                    .thenCompose(
                        settled -> {
                          var all = new ArrayList<>(before);
                          all.addAll(settled);
                          return size == calls.size()
                              ? CompletableFuture.completedFuture(List.copyOf(all))
                              : inBatches(calls.subList(size, calls.size()), all);
                        });
              } else if (Answers.cause(failure) instanceof TooMany) {
                return fewer(calls, size, before);
              }
              return CompletableFuture.<List<Answer>>failedFuture(Answers.cause(failure));
            })
        .thenCompose(answered -> answered);
  }

  /** Where not even one call is answered, it was not that they were too many: the size stays. */
  private CompletionStage<List<Answer>> fewer(List<Call> calls, int size, List<Answer> before) {
    return sendToAny(calls.subList(0, 1))
        .thenCompose(
            one -> {
              batch.refused(size);
              var all = new ArrayList<>(before);
              all.addAll(one);
              return inBatches(calls.subList(1, calls.size()), all);
            });
  }

  /**
   * What no node answers of a request is asked again with less beside it: some give what is too
   * much, or takes too long, an error of its own for each call (CHN-7). Where all were refused, the
   * first alone tells whether that is it.
   */
  private CompletionStage<List<Answer>> again(List<Call> calls, List<Answer> answers) {
    var open =
        IntStream.range(0, calls.size())
            .filter(i -> NodeRefusals.mayBeOfTheRequest(calls.get(i), answers.get(i)))
            .boxed()
            .toList();
    if (calls.size() == 1 || open.isEmpty()) {
      return CompletableFuture.completedFuture(answers);
    }
    boolean isAnyAnswered = open.size() < calls.size();
    var asked = (isAnyAnswered ? open : open.subList(0, 1)).stream().map(calls::get).toList();
    return sendToAny(asked)
        .thenCompose(
            more -> {
              boolean isOfTheRequest =
                  IntStream.range(0, asked.size())
                      .anyMatch(i -> !NodeRefusals.mayBeOfTheRequest(asked.get(i), more.get(i)));
              if (isOfTheRequest) {
                batch.refused(calls.size());
              }
              if (isAnyAnswered) {
                return again(asked, more);
              }
              return isOfTheRequest
                  ? inBatches(calls.subList(1, calls.size()), more)
                  : CompletableFuture.completedFuture(answers);
            })
        .thenApply(
            more -> {
              var all = new ArrayList<>(answers);
              for (int i = 0; i < open.size(); i++) {
                all.set(open.get(i), more.get(i));
              }
              return List.copyOf(all);
            })
        .exceptionally(failure -> answers);
  }

  private CompletionStage<List<Answer>> sendToAny(List<Call> calls) {
    int first = answering.get();
    return sendTo(calls, first, first, Optional.empty());
  }

  /**
   * @param first the place of the node that was asked first; each is asked once
   * @param tooMany what a node before said that may take fewer calls
   */
  private CompletionStage<List<Answer>> sendTo(
      List<Call> calls, int first, int place, Optional<TooMany> tooMany) {
    return send(calls, place)
        .handle(
            (answers, failure) -> {
              if (failure == null) {
                return askOthers(calls, answers, first, place);
              }
              var cause = Answers.cause(failure);
              var refused = cause instanceof TooMany fewer ? Optional.of(fewer) : tooMany;
              if (place + 1 - first >= nodes.size()) {
                return CompletableFuture.<List<Answer>>failedFuture(
                    refused.<Throwable>map(fewer -> fewer).orElse(cause));
              }
              answering.compareAndSet(place % nodes.size(), (place + 1) % nodes.size());
              return sendTo(calls, first, place + 1, refused);
            })
        .thenCompose(answered -> answered);
  }

  /**
   * What a node does not answer for reasons of its own, another one may (CHN-5). If none does, the
   * first one's words are told. Who is asked first does not change by that: whether a node can be
   * followed is found out when it is asked for its head.
   */
  private CompletionStage<List<Answer>> askOthers(
      List<Call> calls, List<Answer> answers, int first, int place) {
    var open =
        IntStream.range(0, calls.size())
            .filter(i -> !NodeRefusals.isSettled(calls.get(i), answers.get(i)))
            .boxed()
            .toList();
    int next = place + 1;
    if (open.isEmpty() || next - first >= nodes.size()) {
      return CompletableFuture.completedFuture(answers);
    }
    return send(open.stream().map(calls::get).toList(), next)
        .handle(
            (more, failure) -> {
              var all = new ArrayList<>(answers);
              for (int i = 0; failure == null && i < open.size(); i++) {
                int one = open.get(i);
                if (NodeRefusals.isSettled(calls.get(one), more.get(i))) {
                  if (all.set(one, more.get(i)) instanceof Answer.Refusal refusal) {
                    passOn(first % nodes.size(), calls.get(one), refusal);
                  }
                }
              }
              return List.copyOf(all);
            })
        .thenCompose(all -> askOthers(calls, all, first, next));
  }

  private CompletionStage<List<Answer>> send(List<Call> calls, int place) {
    var node = nodes.get(place % nodes.size());
    return turns.take(
        line,
        () ->
            access.isNone()
                ? send(calls, node, List.of())
                : CompletableFuture.supplyAsync(access::lines, executor)
                    .thenCompose(lines -> send(calls, node, lines)));
  }

  private CompletionStage<List<Answer>> send(
      List<Call> calls, NodeAddress address, List<ChainAccess.Line> lines) {
    var node = address.withSecrets(lines.stream().map(ChainAccess.Line::secret).toList());
    var request =
        HttpRequest.newBuilder(node.at())
            .header("content-type", "application/json")
            .POST(BodyPublishers.ofByteArray(body(calls)));
    node.authorization().ifPresent(sent -> request.header("authorization", sent));
    lines.forEach(line -> request.header(line.name(), line.value()));
    var exchange = client.sendAsync(request.build(), response -> new BoundedBody(MOST_ANSWERED));
    // A request's own time-out ends with the headers of its answer.
    var inTime = new CompletableFuture<HttpResponse<byte[]>>();
    exchange.whenComplete(
        (response, failure) -> {
          if (failure == null) {
            inTime.complete(response);
          } else {
            inTime.completeExceptionally(failure);
          }
        });
    return inTime
        .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
        .whenComplete((response, failure) -> exchange.cancel(true))
        .handleAsync((response, failure) -> read(node, calls, response, failure), executor);
  }

  /** One call alone is no batch: not every node takes these. */
  private static byte[] body(List<Call> calls) {
    var batch = JsonNodeFactory.instance.arrayNode();
    for (int id = 0; id < calls.size(); id++) {
      var call = calls.get(id);
      var request = JsonNodeFactory.instance.objectNode();
      request.put("jsonrpc", "2.0").put("id", id).put("method", call.method());
      request.set("params", JSON.valueToTree(call.params()));
      batch.add(request);
    }
    return (calls.size() == 1 ? batch.get(0) : batch).toString().getBytes(StandardCharsets.UTF_8);
  }

  /** As people read it. */
  static String words(Duration time) {
    return time.toMillisPart() == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
  }

  private List<Answer> read(
      NodeAddress node, List<Call> calls, HttpResponse<byte[]> response, Throwable failure) {
    if (failure != null) {
      var cause = Answers.cause(failure);
      var unreachable =
          new LedgerUnreachableException(
              "The chain's node at %s does not answer (%s): start it, or correct %s."
                  .formatted(
                      node.shown(),
                      cause instanceof TimeoutException
                          ? "nothing whole came within " + words(timeout)
                          : node.hide(String.valueOf(cause)),
                      named),
              cause);
      boolean mayBeTooMany = cause instanceof TimeoutException || BoundedBody.isTooLong(cause);
      throw calls.size() > 1 && mayBeTooMany ? new TooMany(unreachable) : unreachable;
    }
    try {
      var body = JSON.readTree(response.body());
      var answers = body.isArray() ? body : JsonNodeFactory.instance.arrayNode().add(body);
      if (calls.size() > 1
          && body instanceof ObjectNode object
          && answer(node, object) instanceof Answer.Refusal refusal
          && NodeRefusals.isOfTheQuota(refusal)) {
        throw new LedgerUnreachableException(
            "The chain's node at %s takes no more calls now: %s (%d)."
                .formatted(node.shown(), refusal.message(), refusal.code()));
      }
      var byId = new Answer[calls.size()];
      for (var answer : answers) {
        boolean isError = answer.path("error").isObject();
        // A node that does not even read a call names none in its error.
        int id = calls.size() == 1 && isError ? 0 : answer.path("id").asInt(-1);
        // What a gateway says in a node's place has neither.
        boolean isAnswer = isError || answer.has("result");
        if (isAnswer && id >= 0 && id < byId.length && answer instanceof ObjectNode object) {
          byId[id] = answer(node, object);
        }
      }
      for (var answer : byId) {
        if (answer == null) {
          throw unusable(node, calls, response);
        }
      }
      return List.of(byId);
    } catch (JsonProcessingException e) {
      throw unusable(node, calls, response);
    } catch (java.io.IOException e) {
      throw new LedgerUnreachableException("The answer of " + node.shown() + " cannot be read.", e);
    }
  }

  private static Answer answer(NodeAddress node, ObjectNode answer) {
    var error = answer.path("error");
    return error.isObject()
        ? new Answer.Refusal(
            error.path("code").asInt(),
            node.hide(error.path("message").asText()),
            RevertData.in(error))
        : new Answer.Result(answer.path("result"));
  }

  /** Nodes refuse what is too long for them by a page, by one error for all, or by leaving out. */
  private RuntimeException unusable(
      NodeAddress node, List<Call> calls, HttpResponse<byte[]> response) {
    var body = response.body();
    int status = response.statusCode();
    var unusable =
        new LedgerUnreachableException(
            "What answers at %s is no JSON-RPC of a chain (status %d): correct %s. It said: %s"
                .formatted(
                    node.shown(),
                    status,
                    named,
                    node.hide(
                        new String(
                            body, 0, Math.min(body.length, MOST_SAID), StandardCharsets.UTF_8))));
    return calls.size() > 1 && !OF_THE_CALLER.contains(status) ? new TooMany(unusable) : unusable;
  }
}
