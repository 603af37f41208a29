package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.fixture.FreePorts;
import dev.sequitur.persistence.postgres.DatabaseException;
import dev.sequitur.protocol.port.LedgerUnreachableException;
import dev.sequitur.protocol.port.NodeStore.Hindrance;
import dev.sequitur.protocol.port.PrivateTransactions.RefusedIntent;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Paths, verbs, limits and times of the endpoint. */
class HttpEndpointTest {
  private static final String CALL =
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"pgroup_call\",\"params\":[{\"domain\":\"token\",\"group\":\""
          + Sample.GROUP
          + "\",\"from\":\"alice@node1\",\"function\":\"balance\"}]}";

  /** What a busy machine may take for anything; only what a test waits for ends in a moment. */
  private static final Duration LONG = Duration.ofSeconds(60);

  /** A connection on which nothing moves ends after that. */
  private static final Duration IDLE = Duration.ofSeconds(10);

  private static final Duration MOMENT = Duration.ofMillis(300);

  private static RunningRpc rpc;

  @BeforeAll
  static void start() {
    // Its client uses each connection again, and must not find it just ended.
    rpc = new RunningRpc(small(LONG.multipliedBy(10), LONG, LONG, LONG));
  }

  /** With small limits. */
  private static RpcSettings small(Duration idle, Duration head, Duration body, Duration call) {
    var usual = RpcSettings.Timeouts.DEFAULT;
    return RpcSettings.loopback(0)
        .withLimits(new RpcSettings.Limits(1_000, 10, 10, 10, 100, 64, 64, 2, 10, 1 << 24))
        .withTimeouts(
            new RpcSettings.Timeouts(
                idle,
                head,
                body,
                call,
                MOMENT,
                usual.receiptPoll(),
                usual.receiptRetry(),
                Duration.ofSeconds(1)))
        .withAllowedOrigins(Set.of("https://ops.example"));
  }

  @AfterAll
  static void stop() {
    rpc.close();
  }

  @Test
  void itListensOnLoopbackUnlessToldOtherwise() {
    assertThat(rpc.server.address().getAddress().isLoopbackAddress()).isTrue();
    assertThat(RpcSettings.loopback(0).host()).isEqualTo("127.0.0.1");
  }

  @ParameterizedTest
  @CsvSource({"GET,/", "PUT,/", "DELETE,/", "OPTIONS,/", "GET,/other", "PATCH,/health"})
  void anythingButPostIs405(String verb, String path) {
    var response = send(verb, path);
    assertThat(response.statusCode()).isEqualTo(405);
    assertThat(response.headers().firstValue("Allow")).contains("POST");
    assertThat(response.body()).contains("SQ010006: ");
  }

  @Test
  void postToAnotherPathIs404() {
    var response = send("POST", "/other");
    assertThat(response.statusCode()).isEqualTo(404);
    assertThat(response.body()).contains("SQ010008: ");
  }

  @ParameterizedTest
  @CsvSource({
    "https://evil.example,403",
    "null,403",
    "https://ops.example,200",
    "http://localhost:3000,200"
  })
  void onlyWebPagesOfLoopbackAndOfAllowedOriginsMayCall(String origin, int status) {
    var response =
        rpc.send(
            HttpRequest.newBuilder(rpc.uri("/"))
                .header("Origin", origin)
                .POST(BodyPublishers.ofString(CALL)));
    assertThat(response.statusCode()).isEqualTo(status);
  }

  @Test
  void aBrowserIsToldWhatAPageOfAnAllowedOriginMaySend() {
    var answer = preflight("https://ops.example");
    assertThat(answer.statusCode()).isEqualTo(204);
    assertThat(answer.headers().firstValue("Access-Control-Allow-Origin"))
        .contains("https://ops.example");
    assertThat(answer.headers().firstValue("Access-Control-Allow-Methods").orElseThrow())
        .contains("POST");
    assertThat(answer.headers().firstValue("Access-Control-Allow-Headers"))
        .contains("Authorization, Content-Type, Traceparent");
    assertThat(answer.headers().firstValue("Vary")).contains("Origin");
    assertThat(answer.headers().firstValue("Access-Control-Allow-Private-Network")).isEmpty();
  }

  @Test
  void aPageOfAnotherOriginIsAllowedNothing() {
    var answer = preflight("https://evil.example");
    assertThat(answer.statusCode()).isEqualTo(403);
    assertThat(answer.headers().map()).doesNotContainKey("access-control-allow-origin");
    assertThat(answer.body()).contains("SQ010007: ").contains("rpc.allowed-origins");
  }

  @ParameterizedTest
  @CsvSource({"POST,/,200", "POST,/other,404", "PUT,/,405", "GET,/health,200", "GET,/metrics,200"})
  void aPageOfAnAllowedOriginMayReadEachAnswer(String verb, String path, int status) {
    var answer =
        rpc.send(
            HttpRequest.newBuilder(rpc.uri(path))
                .header("Origin", "https://ops.example")
                .method(verb, BodyPublishers.ofString(verb.equals("POST") ? CALL : "")));
    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(answer.headers().allValues("Access-Control-Allow-Origin"))
        .containsExactly("https://ops.example");
  }

  @Test
  void pagesOfLoopbackCanBeShutOut() {
    try (var closed = new RunningRpc(RpcSettings.loopback(0).withLoopbackPages(false))) {
      var request =
          HttpRequest.newBuilder(closed.uri("/"))
              .header("Origin", "http://localhost:3000")
              .POST(BodyPublishers.ofString(CALL));
      assertThat(closed.send(request).statusCode()).isEqualTo(403);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "evil.example,403",
    "127.0.0.1.evil.example,403",
    "0x7f.1,403",
    "localhost:1,200",
    "LOCALHOST.,200",
    "127.0.0.1,200",
    "10.1.2.3:99,200",
    "[::1]:8545,200",
    "node1.example,200"
  })
  void itIsCalledByItsNamesOnly(String host, int status) throws IOException {
    try (var named =
        new RunningRpc(RpcSettings.loopback(0).withHostNames(Set.of("node1.example")))) {
      for (var path : List.of("/health", "/metrics")) {
        var answer =
            raw(
                named,
                "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 " + status);
        if (status == 403) {
          assertThat(answer).contains("SQ010010: ").contains("rpc.host-names");
        }
      }
    }
  }

  @Test
  void whatIsNoHttpIsAnsweredInJsonToo() throws IOException {
    assertThat(raw("GET / HTTP/1.1\r\nno header\r\nHost: localhost\r\n\r\n"))
        .startsWith("HTTP/1.1 400")
        .contains("application/json")
        .contains("\"code\":-32700")
        .contains("SQ010009: ");
  }

  private static HttpResponse<String> preflight(String origin) {
    return rpc.send(
        HttpRequest.newBuilder(rpc.uri("/"))
            .header("Origin", origin)
            .header("Access-Control-Request-Method", "POST")
            .header("Access-Control-Request-Headers", "content-type")
            .method("OPTIONS", BodyPublishers.noBody()));
  }

  @Test
  void aBodyOverTheLimitIsRefused() {
    assertThat(rpc.post(" ".repeat(1_001) + CALL).toString()).contains("SQ010004: ");
  }

  @Test
  void aChunkedBodyOverTheLimitIsRefused() {
    var body = (" ".repeat(5_000) + CALL).getBytes(StandardCharsets.UTF_8);
    var chunked = BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body));
    var response = rpc.exchange(chunked);
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).contains("SQ010004: ");
  }

  @Test
  void aBodyFarOverTheLimitIsRefusedBeforeItIsSent() throws IOException {
    assertThat(
            raw(
                "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000000000\r\n\r\n{"))
        .contains("HTTP/1.1 200")
        .contains("SQ010004: ")
        .contains("Connection: close");
  }

  @Test
  void aBodyThatStopsHalfWayIsNotWaitedFor() throws IOException {
    try (var hasty = new RunningRpc(small(IDLE, LONG, MOMENT, LONG))) {
      assertThat(
              raw(
                  hasty,
                  "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"))
          .contains("SQ010005: ");
    }
  }

  @Test
  void headersThatStopHalfWayEndTheConnection() throws IOException {
    try (var hasty = new RunningRpc(small(IDLE, MOMENT, LONG, LONG))) {
      assertThat(raw(hasty, "POST / HTTP/1.1\r\nHost: localhost\r\n")).doesNotContain("200 OK");
    }
  }

  @Test
  void aCallThatTakesTooLongIsAnsweredAllTheSame() {
    try (var hasty = new RunningRpc(small(LONG, LONG, LONG, MOMENT))) {
      hasty.node.callOutcome = FakeSequencerNode::never;
      var error = hasty.post(CALL).get("error");
      assertThat(error.get("code").intValue()).isEqualTo(-32603);
      assertThat(error.get("message").textValue()).startsWith("SQ010902: ");
    }
  }

  @Test
  void ofACallThatTakesTooLongSinceNothingIsStoredTheReasonIsTold() {
    var why = "The disk has only 5 bytes free: free some of it.";
    try (var hasty = new RunningRpc(small(LONG, LONG, LONG, MOMENT))) {
      hasty
          .node
          .store()
          .hinderBy(
              () -> CompletableFuture.completedFuture(Optional.of(new Hindrance(why, false))));
      hasty.node.callOutcome = FakeSequencerNode::never;

      var error = hasty.post(CALL).get("error");

      assertThat(error.get("message").textValue()).isEqualTo("SQ010903: " + why);
    }
  }

  @Test
  void aFaultOfTheNodeShowsNeitherItsTextNorAStackTrace() {
    rpc.node.callOutcome =
        () -> CompletableFuture.failedFuture(new IllegalStateException("alice owes bob 7"));
    var response = rpc.post(CALL);
    assertThat(response.get("error").get("code").intValue()).isEqualTo(-32603);
    assertThat(response.get("error").get("message").textValue()).startsWith("SQ010901: ");
    assertThat(response.toString()).doesNotContain("owes", "IllegalState", "java");
  }

  @Test
  void aFaultThatIsThrownIsAnsweredLikeOneInTheFuture() {
    rpc.node.callOutcome =
        () -> {
          throw new NullPointerException("secret");
        };
    assertThat(rpc.post(CALL).get("error").get("message").textValue()).startsWith("SQ010901: ");
  }

  @Test
  void aDatabaseThatIsAwayIsToldInASentence() {
    rpc.node.callOutcome =
        () ->
            CompletableFuture.failedFuture(
                new CompletionException(DatabaseException.of(new SQLException("secret"))));
    assertThat(rpc.post(CALL).get("error").get("message").textValue())
        .startsWith("SQ010903: The database cannot be reached")
        .contains("postgresql.url")
        .endsWith("can be sent again under it.")
        .doesNotContain("secret");
  }

  @Test
  void aProcessThatIsStoppingSaysThatTheCallMayBeSentAgain() {
    rpc.node.callOutcome =
        () -> CompletableFuture.failedFuture(new RejectedExecutionException("secret"));
    assertThat(rpc.post(CALL).get("error").get("message").textValue())
        .startsWith("SQ010903: This process of the node takes no more work")
        .endsWith("can be sent again under it.")
        .doesNotContain("secret");
  }

  @Test
  void aLedgerThatIsAwayIsToldInASentence() {
    rpc.node.callOutcome =
        () ->
            CompletableFuture.failedFuture(
                new CompletionException(
                    new LedgerUnreachableException("There is no ledger at https://127.0.0.1:1.")));
    assertThat(rpc.post(CALL).get("error").get("message").textValue())
        .isEqualTo("SQ010904: There is no ledger at https://127.0.0.1:1.");
  }

  @Test
  void whatADomainCannotAnswerIsToldToTheCaller() {
    rpc.node.callOutcome =
        () -> CompletableFuture.failedFuture(new IllegalArgumentException("Send an owner."));
    assertThat(rpc.post(CALL).get("error").get("message").textValue())
        .isEqualTo("SQ010213: Send an owner.");
  }

  @Test
  void whatTheNodeRefusesIsToldToTheCaller() {
    rpc.node.callOutcome =
        () ->
            CompletableFuture.failedFuture(
                new RefusedIntent("SQ020004", "eve@node1 is no member of the group."));
    var error = rpc.post(CALL).get("error");
    assertThat(error.get("code").intValue()).isEqualTo(-32600);
    assertThat(error.get("message").textValue())
        .isEqualTo("SQ020004: eve@node1 is no member of the group.");
  }

  @Test
  void healthTellsNodeHeightAndPeers() {
    var response = send("GET", "/health");
    assertThat(response.statusCode()).isEqualTo(200);
    var health = RunningRpc.parse(response.body());
    assertThat(health.get("status").textValue()).isEqualTo("UP");
    assertThat(health.get("node").textValue()).isEqualTo("node1");
    assertThat(health.get("blockHeight").longValue()).isEqualTo(8);
    assertThat(health.get("peers").toString())
        .isEqualTo(
            "[{\"node\":\"node2\",\"link\":\"in this process\"},"
                + "{\"node\":\"node3\",\"link\":\"in this process\"}]");
  }

  @Test
  void whatIsParkedIsRemarkedAndTheNodeIsWell() {
    rpc.scheduler.remarks = List.of("Series are parked: 1.");
    try {
      var health = RunningRpc.parse(send("GET", "/health").body());
      assertThat(health.get("status").textValue()).isEqualTo("UP");
      assertThat(health.get("remarks").toString()).isEqualTo("[\"Series are parked: 1.\"]");
      assertThat(health.get("troubles")).isEmpty();
    } finally {
      rpc.scheduler.remarks = List.of();
    }
  }

  @Test
  void healthIsDegradedAndSaysWhatToDoWhileTheSchedulesCannotStore() {
    rpc.scheduler.troubles = List.of("Checkpoints cannot be written: free the disk.");
    try {
      var health = RunningRpc.parse(send("GET", "/health").body());
      assertThat(health.get("status").textValue()).isEqualTo("DEGRADED");
      assertThat(health.get("troubles").toString())
          .isEqualTo("[\"Checkpoints cannot be written: free the disk.\"]");
    } finally {
      rpc.scheduler.troubles = List.of();
    }
    assertThat(RunningRpc.parse(send("GET", "/health").body()).get("status").textValue())
        .isEqualTo("UP");
  }

  @Test
  void metricsTellOfTheNodeTheJvmAndTheRequests() {
    rpc.result("transport_nodeName", "[]");
    rpc.call("made_up_by_a_stranger", "[]");
    var response = send("GET", "/metrics");
    assertThat(response.headers().firstValue("content-type").orElseThrow())
        .startsWith("text/plain; version=0.0.4");
    assertThat(response.body())
        .contains("sequitur_of_the_node 3.0")
        .contains("jvm_memory_used_bytes{area=\"heap\"}")
        .contains("jvm_gc_collection_seconds_count")
        .contains("jvm_threads_current")
        .contains("sequitur_rpc_requests_total{method=\"transport_nodeName\",outcome=\"ok\"}")
        .contains(
            "sequitur_rpc_request_duration_seconds_bucket{namespace=\"transport\",le=\"0.001\"}")
        .contains("sequitur_rpc_errors_total{code=\"SQ010105\"}")
        .contains("sequitur_build_info{version=\"")
        .doesNotContain("stranger");
  }

  @Test
  void everyMethodHowItMayEndAndEveryErrorIsShownFromTheStart() {
    try (var fresh = RunningRpc.withDefaults()) {
      var metrics = get(fresh, "/metrics", "text/plain").body();
      for (var method : fresh.server.methods().methods()) {
        for (var outcome : List.of("ok", "refused", "failed")) {
          assertThat(metrics)
              .contains(
                  "sequitur_rpc_requests_total{method=\"%s\",outcome=\"%s\"} 0.0"
                      .formatted(method.name(), outcome));
        }
        assertThat(metrics)
            .contains(
                "sequitur_rpc_request_duration_seconds_count{namespace=\"%s\"} 0"
                    .formatted(method.name().split("[._]", 2)[0]));
      }
      for (var error : ErrorCode.values()) {
        assertThat(metrics)
            .contains("sequitur_rpc_errors_total{code=\"%s\"} 0.0".formatted(error.code()));
      }
    }
  }

  @Test
  void whatACallerMayNotAskIsRefusedAndNotFailed() {
    try (var fresh = RunningRpc.withDefaults()) {
      fresh.call("transport_nodeName", "[1]");
      var metrics = get(fresh, "/metrics", "text/plain").body();
      assertThat(metrics)
          .contains(
              "sequitur_rpc_requests_total{method=\"transport_nodeName\",outcome=\"refused\"} 1.0")
          .contains(
              "sequitur_rpc_requests_total{method=\"transport_nodeName\",outcome=\"failed\"} 0.0")
          .contains("sequitur_rpc_errors_total{code=\"SQ010106\"} 1.0");
    }
  }

  @Test
  void whoAsksForOpenMetricsGetsIt() {
    var asked = "application/openmetrics-text;version=1.0.0;q=0.8,text/plain;version=0.0.4;q=0.5";
    var response = get(rpc, "/metrics", asked);
    assertThat(response.headers().firstValue("content-type").orElseThrow())
        .startsWith("application/openmetrics-text");
    assertThat(response.body())
        .contains("# TYPE sequitur_rpc_requests counter")
        .endsWith("# EOF\n");

    assertThat(get(rpc, "/metrics", "*/*").headers().firstValue("content-type").orElseThrow())
        .startsWith("text/plain; version=0.0.4");
  }

  private static HttpResponse<String> get(RunningRpc rpc, String path, String accept) {
    return rpc.send(HttpRequest.newBuilder(rpc.uri(path)).header("accept", accept).GET());
  }

  @Test
  void stoppingFreesThePort() {
    int port = FreePorts.inARow(1);
    new RunningRpc(RpcSettings.loopback(port)).close();
    try (var second = new RunningRpc(RpcSettings.loopback(port))) {
      assertThat(second.server.address().getPort()).isEqualTo(port);
    }
  }

  private static HttpResponse<String> send(String verb, String path) {
    return rpc.send(HttpRequest.newBuilder(rpc.uri(path)).method(verb, BodyPublishers.noBody()));
  }

  /** Sends bytes and reads until the node closes the connection; nothing if it resets it. */
  private static String raw(String text) throws IOException {
    try (var endingIdle = new RunningRpc(small(IDLE, LONG, LONG, LONG))) {
      return raw(endingIdle, text);
    }
  }

  private static String raw(RunningRpc rpc, String text) throws IOException {
    try (var socket = new Socket("127.0.0.1", rpc.server.address().getPort())) {
      socket.setSoTimeout((int) LONG.toMillis());
      socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().flush();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (SocketException e) {
      return "";
    }
  }
}
