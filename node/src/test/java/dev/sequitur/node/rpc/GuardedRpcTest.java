package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.console.WrongOption;
import dev.sequitur.links.tls.PemFile;
import dev.sequitur.node.guard.AuditFiles;
import dev.sequitur.node.guard.Guard;
import dev.sequitur.node.guard.GuardSettings;
import dev.sequitur.node.guard.GuardSettings.Authentication;
import dev.sequitur.node.guard.TokenFile;
import dev.sequitur.protocol.guard.ApiToken;
import dev.sequitur.protocol.guard.MethodGroup;
import dev.sequitur.protocol.guard.Named;
import dev.sequitur.protocol.guard.Quota;
import dev.sequitur.protocol.guard.Role;
import dev.sequitur.protocol.id.TransactionId;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is let in. */
class GuardedRpcTest {
  private static final String NAME =
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"transport_nodeName\"}";

  @TempDir Path directory;

  private CertifiedCallers callers;
  private TokenFile tokens;
  private GuardSettings settings;

  @BeforeEach
  void begin() {
    callers = new CertifiedCallers(directory);
    var file = directory.resolve("tokens.json");
    tokens = new TokenFile(file);
    settings =
        GuardSettings.of(file)
            .withAuthentication(Authentication.REQUIRED)
            .withRoles(Map.of("owner", new Role(Set.of(MethodGroup.values()), Map.of())));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/health", "/health/live", "/health/ready", "/metrics", "/other"})
  void nobodyIsAnsweredWithoutSayingWhoItIs(String path) throws IOException {
    make("ci");
    try (var rpc = RunningRpc.guarded(settings)) {
      var answer = rpc.send(HttpRequest.newBuilder(rpc.uri(path)));

      assertThat(answer.statusCode()).isEqualTo(401);
      assertThat(answer.headers().firstValue("www-authenticate"))
          .contains("Bearer realm=\"sequitur\"");
      assertThat(answer.body()).contains("SQ010012: ", "sequitur token");
    }
  }

  @Test
  void aTokenOpensHttpAndMetrics() throws IOException {
    var token = make("ci");
    try (var rpc = RunningRpc.guarded(settings)) {
      assertThat(name(rpc, "Bearer " + token).body()).contains("\"result\":\"node1\"");
      assertThat(name(rpc, "bearer  " + token).statusCode()).isEqualTo(200);
      assertThat(
              rpc.send(
                      HttpRequest.newBuilder(rpc.uri("/metrics"))
                          .header("Authorization", "Bearer " + token))
                  .body())
          .contains("sequitur_rpc_requests_total");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Bearer sqt_00",
        "Bearer ",
        "Basic YWxpY2U6c2VjcmV0",
        "Bearer sqt_0000000000000000_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
      })
  void whatIsNoTokenOpensNothingAndIsNotRepeated(String header) throws IOException {
    make("ci");
    try (var rpc = RunningRpc.guarded(settings)) {
      var answer = name(rpc, header);

      assertThat(answer.statusCode()).isEqualTo(401);
      assertThat(answer.body()).contains("SQ010012: ").doesNotContain("YWxpY2U", "sqt_0");
    }
  }

  /** How late, and how many of them are written down, is shown by a clock that stands still. */
  @Test
  void whoFailsAgainAndAgainIsRefusedAndToldInTheAuditAndOthersOfItsAddressAreLetIn()
      throws Exception {
    var token = make("ci");
    try (var rpc = RunningRpc.guarded(settings)) {
      List<CompletableFuture<HttpResponse<Void>>> failed =
          IntStream.range(0, 30)
              .mapToObj(i -> rpc.client.sendAsync(asking(rpc, "Bearer sqt_00"), discarding()))
              .toList();
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> failed.stream().filter(CompletableFuture::isDone).count() >= 5);

      assertThat(name(rpc, "Bearer " + token).statusCode()).isEqualTo(200);

      for (var each : failed) {
        assertThat(each.get(60, TimeUnit.SECONDS).statusCode()).isEqualTo(401);
      }
      // More than as many are answered at once.
      assertThat(rpc.send(HttpRequest.newBuilder(rpc.uri("/"))).statusCode()).isEqualTo(401);
    }
    var audit = new AuditFiles(directory.resolve("audit"));
    assertThat(audit.verify(null).flaw()).isEmpty();
    assertThat(Files.readAllLines(audit.list().get(0)))
        .filteredOn(line -> line.contains("SQ010012"))
        .hasSizeBetween(20, 29)
        .allSatisfy(
            line ->
                assertThat(line)
                    .contains("\"from\":\"127.0.0.1\"", "This is no token of the node")
                    .doesNotContain("sqt_00"));
  }

  private static HttpRequest asking(RunningRpc rpc, String authorization) {
    return HttpRequest.newBuilder(rpc.uri("/"))
        .header("Content-Type", "application/json")
        .header("Authorization", authorization)
        .POST(BodyPublishers.ofString(NAME))
        .build();
  }

  private static HttpResponse.BodyHandler<Void> discarding() {
    return BodyHandlers.discarding();
  }

  @Test
  void aRevokedTokenOpensNothingMoreAndItsWebSocketsEnd() throws Exception {
    var token = make("ci");
    try (var rpc = RunningRpc.guarded(settings)) {
      var closed = new CompletableFuture<Void>();
      var answered = new CompletableFuture<String>();
      var socket =
          rpc.client
              .newWebSocketBuilder()
              .header("Authorization", "Bearer " + token)
              .buildAsync(
                  URI.create(rpc.uri("/ws").toString().replace("http", "ws")),
                  new WebSocket.Listener() {
                    @Override
                    public CompletionStage<?> onText(
                        WebSocket from, CharSequence text, boolean last) {
                      answered.complete(text.toString());
                      from.request(1);
                      return null;
                    }

                    @Override
                    public CompletionStage<?> onClose(WebSocket from, int code, String reason) {
                      closed.complete(null);
                      return null;
                    }

                    @Override
                    public void onError(WebSocket from, Throwable failure) {
                      closed.complete(null);
                    }
                  })
              .join();
      socket.sendText(NAME, true).join();
      assertThat(answered.get(60, TimeUnit.SECONDS)).contains("node1");

      tokens.update(all -> all.revoke("ci", Instant.now()));

      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> name(rpc, "Bearer " + token).statusCode() == 401);
      assertThat(name(rpc, "Bearer " + token).body()).contains("was revoked");
      // Nothing is sent on it, either way.
      closed.get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void aWebSocketIsNotOpenedForAStranger() throws IOException {
    make("ci");
    try (var rpc = RunningRpc.guarded(settings)) {
      assertThatThrownBy(rpc::webSocket).hasStackTraceContaining("401");
    }
  }

  @Test
  void onLoopbackNobodyIsAskedAndAWrongTokenIsToldAllTheSame() throws IOException {
    make("ci");
    try (var rpc = RunningRpc.guarded(settings.withAuthentication(Authentication.AUTO))) {
      assertThat(rpc.exchange(BodyPublishers.ofString(NAME)).statusCode()).isEqualTo(200);
      assertThat(name(rpc, "Bearer of-somebody-else").statusCode()).isEqualTo(200);
      assertThat(name(rpc, "Bearer sqt_wrong").statusCode()).isEqualTo(401);
    }
  }

  @Test
  void aPageMayAskWithATokenIfItsOriginMayAsk() throws IOException {
    make("ci");
    try (var rpc = RunningRpc.guarded(settings)) {
      var preflight =
          rpc.send(
              HttpRequest.newBuilder(rpc.uri("/"))
                  .method("OPTIONS", BodyPublishers.noBody())
                  .header("Origin", "http://localhost:3000")
                  .header("Access-Control-Request-Method", "POST"));

      assertThat(preflight.statusCode()).isEqualTo(204);
      assertThat(preflight.headers().firstValue("access-control-allow-headers"))
          .hasValueSatisfying(allowed -> assertThat(allowed).contains("Authorization"));
    }
  }

  @Test
  void overTlsTheNodeShowsItsCertificateAndTakesTokens() throws Exception {
    var token = make("ci");
    callers.certify("localhost");
    var files = callers.files("localhost", Optional.empty());
    try (var rpc = RunningRpc.guarded(settings.withTls(Optional.of(files)))) {
      var trusting = callers.calling(Optional.empty());
      for (int port :
          new int[] {
            rpc.server.address().getPort(), rpc.server.healthAddress().orElseThrow().getPort()
          }) {
        var at = URI.create("https://localhost:" + port + "/health/live");
        assertThat(
                trusting
                    .send(HttpRequest.newBuilder(at).build(), BodyHandlers.ofString())
                    .statusCode())
            .isEqualTo(401);
        assertThat(
                trusting
                    .send(
                        HttpRequest.newBuilder(at)
                            .header("Authorization", "Bearer " + token)
                            .build(),
                        BodyHandlers.ofString())
                    .statusCode())
            .isEqualTo(200);
        assertThatThrownBy(
                () -> rpc.client.send(HttpRequest.newBuilder(at).build(), BodyHandlers.ofString()))
            .isInstanceOf(IOException.class);
      }
    }
  }

  @Test
  void aClientsCertificateShowsWhoItIs() throws Exception {
    callers.certify("localhost", "monitoring", "nobody");
    var asking =
        settings
            .withTls(Optional.of(callers.files("localhost", Optional.of(callers.authority()))))
            .withRoles(Map.of("reader", new Role(Set.of(MethodGroup.READ), Map.of())))
            .withCertificates(Map.of("monitoring", List.of("reader")));
    try (var rpc = RunningRpc.guarded(asking)) {
      assertThat(status(rpc, Optional.of("monitoring"))).isEqualTo(200);
      assertThat(status(rpc, Optional.of("nobody"))).isEqualTo(403);
      assertThat(status(rpc, Optional.empty())).isEqualTo(401);

      var certificate =
          new PemFile("certificate", directory.resolve("monitoring.pem")).certificates().get(0);
      Files.writeString(
          directory.resolve("authority.pem.refused"),
          HexFormat.of()
              .formatHex(MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded())));
      assertThatThrownBy(() -> status(rpc, Optional.of("monitoring")))
          .hasRootCauseInstanceOf(IOException.class);
      assertThat(status(rpc, Optional.of("nobody"))).isEqualTo(403);
    }
  }

  @Test
  void whoAsksForTooMuchIsToldWhenToComeAgain() throws IOException {
    var token = make("ci");
    try (var rpc = RunningRpc.guarded(settings.withQuota(Optional.of(new Quota(1, 3, 1, 5))))) {
      var first = name(rpc, "Bearer " + token);
      assertThat(first.headers().firstValue("ratelimit-policy"))
          .contains("\"caller\";q=3;w=3, \"pending\";q=5");
      assertThat(first.headers().firstValue("ratelimit"))
          .contains("\"caller\";r=2;t=1, \"pending\";r=5");

      var batch =
          rpc.send(
              HttpRequest.newBuilder(rpc.uri("/"))
                  .header("Content-Type", "application/json")
                  .header("Authorization", "Bearer " + token)
                  .POST(
                      BodyPublishers.ofString(
                          "[" + String.join(",", NAME, NAME, NAME, NAME) + "]")));
      assertThat(batch.body()).contains("SQ010014: token:ci ");

      HttpResponse<String> last = name(rpc, "Bearer " + token);
      for (int i = 0; i < 50 && last.statusCode() == 200; i++) {
        last = name(rpc, "Bearer " + token);
      }
      assertThat(last.statusCode()).isEqualTo(429);
      assertThat(last.headers().firstValue("retry-after")).contains("1");
      assertThat(last.body()).contains("SQ010014: token:ci ", "Try again after 1 s");
    }
  }

  @Test
  void whoHasTooManyPendingHasToAwaitThem() throws IOException {
    var all = List.of("*");
    var role =
        new Role(
            Set.of(MethodGroup.values()),
            Map.of(
                Named.Kind.IDENTITIES, all,
                Named.Kind.GROUPS, all,
                Named.Kind.QUEUES, all,
                Named.Kind.ACCOUNTS, all));
    var token = make("ci");
    var quota = Optional.of(new Quota(1_000, 1_000, 10, 3));
    var guarded = settings.withRoles(Map.of("owner", role)).withQuota(quota);
    try (var rpc = RunningRpc.guarded(guarded)) {
      rpc.scheduler.withALittleOfEverything();
      var sent = call(rpc, token, "ptx_sendTransactions", "[[" + SENT + "," + SENT + "]]");
      assertThat(sent.headers().firstValue("ratelimit"))
          .hasValueSatisfying(left -> assertThat(left).endsWith(", \"pending\";r=1"));
      var ids = RunningRpc.parse(sent.body()).get("result");
      // A schedule counts as well, and is over when it is cancelled.
      var task =
          RunningRpc.parse(
                  call(rpc, token, "recurring_scheduleNotifyTask", "[" + TASK + "]").body())
              .at("/result/taskId")
              .textValue();
      assertThat(task).isNotNull();
      assertThat(call(rpc, token, "ptx_sendTransaction", "[" + SENT + "]").body())
          .contains(
              "SQ010014: token:ci has begun 3 transactions and schedules that have not ended, and may have 3");
      assertThat(call(rpc, token, "recurring_scheduleNotifyTask", "[" + TASK + "]").body())
          .contains("SQ010014: token:ci ");
      assertThat(name(rpc, "Bearer " + token).body()).contains("node1");
      call(
          rpc,
          token,
          "recurring_cancelTask",
          "[{\"owner\":\"alice\",\"taskId\":\"%s\"}]".formatted(task));
      rpc.scheduler.pass(Duration.ofSeconds(1));

      assertThat(call(rpc, token, "ptx_sendTransaction", "[" + SENT + "]").body())
          .contains("\"result\"");
      assertThat(call(rpc, token, "ptx_sendTransaction", "[" + SENT + "]").body())
          .contains("SQ010014: ");
      rpc.node
          .store()
          .complete(List.of(Sample.confirmed(TransactionId.parse(ids.get(1).textValue()))))
          .toCompletableFuture()
          .join();

      assertThat(call(rpc, token, "ptx_sendTransaction", "[" + SENT + "]").body())
          .contains("\"result\"");
    }
  }

  private static final String SENT =
      "{\"type\":\"private\",\"from\":\"alice\",\"to\":\"%s\",\"function\":\"transfer\",\"data\":{\"to\":\"bob@node2\",\"amount\":\"1\"}}"
          .formatted(Sample.CONTRACT.value());
  private static final String TASK =
      "{\"owner\":\"alice\",\"providedId\":\"tea\",\"times\":[\"%s\"],\"message\":\"tea\"}"
          .formatted(Sample.NOW.plusSeconds(7_200).truncatedTo(ChronoUnit.HOURS));

  private static HttpResponse<String> call(
      RunningRpc rpc, String token, String method, String params) {
    return rpc.send(
        HttpRequest.newBuilder(rpc.uri("/"))
            .header("Content-Type", "application/json")
            .header("Authorization", "Bearer " + token)
            .POST(BodyPublishers.ofString(RunningRpc.request(method, params).toString())));
  }

  private int status(RunningRpc rpc, Optional<String> name) throws Exception {
    var client = callers.calling(name);
    var at = URI.create("https://localhost:" + rpc.server.address().getPort() + "/metrics");
    return client.send(HttpRequest.newBuilder(at).build(), BodyHandlers.ofString()).statusCode();
  }

  @ParameterizedTest(name = "{0} on {1}, TLS {2}, token {3}: {4}")
  @CsvSource(
      nullValues = "-",
      value = {
        "AUTO, 127.0.0.1, false, false, -",
        "AUTO, ::1, false, false, -",
        "AUTO, localhost, false, false, -",
        "AUTO, 0.0.0.0, false, true, rpc.host = 0.0.0.0 lets others reach the node",
        "AUTO, no-such-host.invalid, false, true, rpc.host = no-such-host.invalid lets others",
        "AUTO, 0.0.0.0, true, false, rpc.host = 0.0.0.0 wants everybody to show who it is",
        "AUTO, 0.0.0.0, true, true, -",
        "NONE, 0.0.0.0, false, false, -",
        "REQUIRED, 127.0.0.1, false, false, rpc.authentication = required wants everybody",
        "REQUIRED, 127.0.0.1, false, true, -"
      })
  void aNodeThatEverybodyCouldCommandDoesNotStart(
      Authentication authentication, String host, boolean tls, boolean token, String refusal)
      throws IOException {
    if (token) {
      make("ci");
    }
    callers.certify("localhost");
    var files = Optional.of(callers.files("localhost", Optional.empty()));
    var guard =
        new Guard(
            settings.withAuthentication(authentication).withTls(tls ? files : Optional.empty()),
            InstantSource.system());
    var rpc = RpcSettings.loopback(0).withHost(host);
    if (refusal == null) {
      assertThat(guard.doors(rpc, HealthSettings.DEFAULT).rpc().asks())
          .isEqualTo(authentication == Authentication.REQUIRED || (tls && token));
    } else {
      assertThatThrownBy(() -> guard.doors(rpc, HealthSettings.DEFAULT))
          .isInstanceOf(WrongOption.class)
          .hasMessageStartingWith(refusal)
          .hasMessageContaining("rpc.authentication = none");
    }
  }

  @Test
  void thePortOfHealthIsGuardedAlikeUnlessItIsForAll() throws IOException {
    make("ci");
    var health =
        new HealthSettings(
            Optional.of(InetSocketAddress.createUnresolved("0.0.0.0", 0)),
            0,
            100,
            Optional.empty(),
            "ledger.remote");
    var plain = settings.withAuthentication(Authentication.AUTO);

    assertThatThrownBy(
            () -> new Guard(plain, InstantSource.system()).doors(RpcSettings.loopback(0), health))
        .hasMessageStartingWith("health.host = 0.0.0.0 lets others reach");
    var doors =
        new Guard(plain.withHealthForAll(true), InstantSource.system())
            .doors(RpcSettings.loopback(0), health);
    assertThat(doors.health().asks()).isFalse();
  }

  private static HttpResponse<String> name(RunningRpc rpc, String authorization) {
    return rpc.send(
        HttpRequest.newBuilder(rpc.uri("/"))
            .header("Content-Type", "application/json")
            .header("Authorization", authorization)
            .POST(BodyPublishers.ofString(NAME)));
  }

  private String make(String name) throws IOException {
    var chance = new byte[40];
    chance[39] = 9;
    var made =
        ApiToken.make(
            new ApiToken.Grant(name, List.of("owner"), Instant.now(), Optional.empty()), chance);
    tokens.update(all -> all.with(made.token(), Instant.now()));
    return made.secret();
  }
}
