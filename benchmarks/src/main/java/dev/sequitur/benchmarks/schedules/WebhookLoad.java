package dev.sequitur.benchmarks.schedules;

import static dev.sequitur.benchmarks.Benchmarks.print;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.sequitur.benchmarks.Resources;
import dev.sequitur.client.NodeCalls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * What a node sends to a receiver on this machine, how long after it happened, and whether the
 * queue runs any later for it: so many schedules a second by turns without a webhook and with one.
 * The node is one that runs, with {@code rpc.webhooks { allowed-addresses = ["127.0.0.1/32"],
 * plain-http = true }}.
 */
@Command(
    name = "webhooks",
    description =
        "Measures how fast a running node sends what happens to a receiver on this machine, and how"
            + " late its queue runs without a webhook and with one.")
public final class WebhookLoad implements Callable<Integer> {
  private static final String NAME = "benchmark";
  private static final Duration AHEAD = Duration.ofSeconds(40);
  private static final int PAGE = 1_000;

  @Option(names = "--node", defaultValue = "http://127.0.0.1:8545", description = "The node.")
  private URI node;

  @Option(names = "--rate", defaultValue = "500", description = "Schedules a second.")
  private int rate;

  @Option(names = "--seconds", defaultValue = "20", description = "That the rate lasts.")
  private int seconds;

  @Option(names = "--turns", defaultValue = "2", description = "Of each; the first warm up.")
  private int turns;

  @Option(names = "--most-seconds", defaultValue = "60", description = "To wait after that.")
  private int mostSeconds;

  private NodeCalls calls;

  @Override
  public Integer call() throws IOException {
    calls = new NodeCalls(List.of(node));
    print("%s, load average %.1f", Resources.machine(), Resources.loadAverage());
    for (int turn = 0; turn < turns; turn++) {
      run(turn, false);
      run(turn, true);
    }
    return 0;
  }

  private void run(int turn, boolean sent) throws IOException {
    var owner = "webhooks-%d-%s-%d".formatted(turn, sent, System.currentTimeMillis());
    var queue = owner;
    int count = rate * seconds;
    one("schedule_fund", object(queue).put("account", owner).put("amount", "1000000000"));
    try (var receiver = new Receiver()) {
      if (sent) {
        one("events_createWebhook", object(queue).put("name", NAME).put("url", receiver.url()));
      }
      var first = Instant.now().plus(AHEAD);
      store(owner, first, count);
      LockSupport.parkUntil(first.plusSeconds(seconds).toEpochMilli());
      var end = first.plusSeconds(seconds + mostSeconds);
      var late = lateness(owner, count, end);
      while (sent && receiver.count() < count && Instant.now().isBefore(end)) {
        LockSupport.parkNanos(5_000_000);
      }
      print(
          "%s a webhook: %,d of %,d ran, late p50 / p99 / most %.0f / %.0f / %.0f ms",
          sent ? "with" : "without",
          late.size(),
          count,
          percent(late, 50),
          percent(late, 99),
          percent(late, 100));
      if (sent) {
        receiver.report(count);
      }
    } finally {
      if (sent) {
        one("events_deleteWebhook", NodeCalls.JSON.getNodeFactory().textNode(NAME));
      }
    }
  }

  private void store(String owner, Instant first, int count) throws IOException {
    long between = 1_000_000_000L / rate;
    for (int from = 0; from < count; from += NodeCalls.MOST) {
      var inserts =
          IntStream.range(from, Math.min(count, from + NodeCalls.MOST))
              .mapToObj(number -> insert(owner, first.plusNanos(between * number), number))
              .toList();
      calls.batch("gasPriority_insert", inserts).forEach(WebhookLoad::result);
    }
    if (Instant.now().isAfter(first)) {
      throw new IllegalStateException("It took too long to schedule them.");
    }
  }

  private static JsonNode insert(String owner, Instant at, int number) {
    var insert =
        object(owner)
            .put("senderAddr", owner)
            .put("scheduledTimeMs", at.truncatedTo(ChronoUnit.MILLIS).toString())
            .put("maxGasAmount", "100")
            .put("maxGasUnitPrice", String.valueOf(1 + number % 100));
    insert.putObject("target").put("type", "notify").put("message", "message " + number);
    return params(insert);
  }

  /** Of each that ran, in milliseconds, ascending. */
  private List<Double> lateness(String owner, int count, Instant end) throws IOException {
    var late = new ArrayList<Double>();
    long from = 0;
    while (late.size() < count && Instant.now().isBefore(end)) {
      var page = one("schedule_getOutcomes", object(owner).put("from", from).put("limit", PAGE));
      page.path("outcomes").forEach(each -> late.add(each.at("/attempts/0/lateMs").asDouble()));
      if (page.path("next").asLong() == from) {
        LockSupport.parkNanos(50_000_000);
      }
      from = page.path("next").asLong();
    }
    late.sort(null);
    return late;
  }

  private JsonNode one(String method, JsonNode parameter) throws IOException {
    return result(calls.batch(method, List.of(params(parameter))).getFirst());
  }

  private static JsonNode result(JsonNode answer) {
    if (!answer.has("result")) {
      throw new IllegalStateException("Refused: " + answer.path("error"));
    }
    return answer.path("result");
  }

  private static ObjectNode object(String queue) {
    return NodeCalls.JSON.createObjectNode().put("queue", queue);
  }

  private static ArrayNode params(JsonNode only) {
    return NodeCalls.JSON.createArrayNode().add(only);
  }

  private static double percent(List<Double> ascending, int percent) {
    return ascending.isEmpty()
        ? Double.NaN
        : ascending.get(Math.min(ascending.size() - 1, ascending.size() * percent / 100));
  }

  /** What came, each once, and when. */
  private static final class Receiver implements AutoCloseable {
    private final HttpServer server;
    private final ConcurrentHashMap<Long, Double> afterMillis = new ConcurrentHashMap<>();
    private volatile Instant last = Instant.EPOCH;

    Receiver() throws IOException {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
      server.createContext("/", this::take);
      server.start();
    }

    private void take(HttpExchange exchange) throws IOException {
      try (exchange) {
        var event = NodeCalls.JSON.readTree(exchange.getRequestBody()).path("event");
        var now = Instant.now();
        var after = Duration.between(Instant.parse(event.path("at").asText()), now);
        if (afterMillis.putIfAbsent(event.path("number").asLong(), after.toNanos() / 1e6) == null) {
          last = now;
        }
        exchange.sendResponseHeaders(204, -1);
      }
    }

    int count() {
      return afterMillis.size();
    }

    void report(int wanted) {
      var after = afterMillis.values().stream().sorted().toList();
      print(
          "  sent %,d of %,d, after p50 / p99 / most %.0f / %.0f / %.0f ms; the last at %s",
          after.size(), wanted, percent(after, 50), percent(after, 99), percent(after, 100), last);
    }

    String url() {
      return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }
}
