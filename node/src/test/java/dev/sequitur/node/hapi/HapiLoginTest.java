package dev.sequitur.node.hapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.node.guard.GuardSettings;
import dev.sequitur.node.guard.GuardSettings.Authentication;
import dev.sequitur.node.guard.TokenFile;
import dev.sequitur.protocol.guard.ApiToken;
import dev.sequitur.protocol.guard.MethodGroup;
import dev.sequitur.protocol.guard.Named.Kind;
import dev.sequitur.protocol.guard.Role;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.signing.AccountAmount;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.scheduler.body.SubmittedTransaction.Operation;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A front whose callers are asked who they are, and what is written down of them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HapiLoginTest {
  private static final String TRANSFER = "/proto.CryptoService/cryptoTransfer";
  private static final String BALANCE = "/proto.CryptoService/cryptoGetBalance";
  private static final String INFO = "/proto.CryptoService/getAccountInfo";

  private final SigningClient client = new SigningClient();
  private final HttpClient http = HttpClient.newHttpClient();
  private Path directory;
  private TokenFile tokens;
  private FrontUnderTest front;
  private String reader;
  private String submitter;
  private int made;

  @BeforeAll
  void start(@TempDir Path at) throws IOException {
    directory = at;
    var file = at.resolve("tokens.json");
    tokens = new TokenFile(file);
    reader = token("reader");
    submitter = token("submitter");
    var configuration = FrontUnderTest.configured(at, SigningClient.publicKey(client.operator));
    front =
        new FrontUnderTest(
            configuration.withGuard(
                GuardSettings.of(file)
                    .withAuthentication(Authentication.REQUIRED)
                    .withRoles(
                        Map.of(
                            "reader", role(Set.of(MethodGroup.READ), "0.0.2"),
                            "submitter",
                                role(Set.of(MethodGroup.READ, MethodGroup.SUBMIT), "*")))));
  }

  private static Role role(Set<MethodGroup> methods, String accounts) {
    return new Role(
        methods, Map.of(Kind.QUEUES, List.of("default"), Kind.ACCOUNTS, List.of(accounts)));
  }

  private String token(String name) throws IOException {
    var chance = new byte[40];
    chance[0] = (byte) ++made;
    var token =
        ApiToken.make(
            new ApiToken.Grant(name, List.of(name), Instant.now(), Optional.empty()), chance);
    tokens.update(all -> all.with(token.token(), Instant.now()));
    return token.secret();
  }

  @AfterAll
  void stop() {
    front.close();
    http.close();
  }

  private static Bytes about(int kind, long account) {
    return HapiFrontTest.questionOf(kind, account);
  }

  private Bytes transfer() {
    return client.signed(
        client.id(),
        new Operation.CryptoTransfer(
            new Action.CryptoTransfer(
                List.of(
                    new AccountAmount(FrontUnderTest.OPERATOR, -5),
                    new AccountAmount(new EntityId(999_999), 5)))),
        client.operator);
  }

  @Test
  void whoShowsNothingIsNotLetIn() {
    var answered = front.call(BALANCE, about(7, 2));

    assertThat(answered.status()).isEqualTo("16");
    assertThat(answered.sentence()).contains("The node asks who calls");
    assertThat(front.callAs("sqt_00", BALANCE, about(7, 2)).status()).isEqualTo("16");
  }

  @Test
  void whoMayReadReadsWhatItWasGranted() {
    assertThat(front.callAs(reader, BALANCE, about(7, 2)).status()).isEqualTo("0");
    assertThat(front.callAs(reader, BALANCE, about(7, 1001)).status()).isEqualTo("7");
    assertThat(front.callAs(reader, INFO, about(9, 3)).status()).isEqualTo("0");

    var refused = front.callAs(reader, TRANSFER, transfer());
    assertThat(refused.status()).isEqualTo("7");
    assertThat(refused.sentence()).contains("submit");
  }

  @Test
  void whatIsSubmittedIsWrittenDownWithWhoDidIt() throws Exception {
    assertThat(front.callAs(submitter, TRANSFER, transfer()).status()).isEqualTo("0");

    assertThat(audit()).contains("\"method\":\"hapi_CryptoTransfer\"", "token:submitter", "0.0.2@");
  }

  private String audit() throws IOException {
    var all = new StringBuilder();
    try (var files = Files.list(directory.resolve("audit"))) {
      for (var file : files.filter(Files::isRegularFile).toList()) {
        all.append(Files.readString(file));
      }
    }
    return all.toString();
  }

  @Test
  void theMirrorAsksToo() throws Exception {
    assertThat(mirror("/api/v1/balances", "")).isEqualTo(401);
    assertThat(mirror("/api/v1/accounts/0.0.2", reader)).isEqualTo(200);
    assertThat(mirror("/api/v1/balances", reader)).isEqualTo(403);
    assertThat(mirror("/api/v1/balances", submitter)).isEqualTo(200);
  }

  private int mirror(String path, String token) throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(URI.create(front.mirror() + path));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    return http.send(request.build(), BodyHandlers.discarding()).statusCode();
  }

  @Test
  void callsAreCounted() throws Exception {
    front.callAs(reader, BALANCE, about(7, 2));
    var request =
        HttpRequest.newBuilder(URI.create(front.url() + "/metrics"))
            .header("Authorization", "Bearer " + submitter)
            .build();
    var metrics = http.send(request, BodyHandlers.ofString()).body();

    assertThat(metrics)
        .containsPattern("sequitur_hapi_calls_total\\{call=\"balance\",outcome=\"ok\"} [1-9]")
        .contains("sequitur_hapi_call_duration_seconds_bucket");
  }
}
