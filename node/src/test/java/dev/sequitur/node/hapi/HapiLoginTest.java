package dev.sequitur.node.hapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.json.JsonText;
import dev.sequitur.node.guard.GuardSettings;
import dev.sequitur.node.guard.GuardSettings.Authentication;
import dev.sequitur.node.guard.TokenFile;
import dev.sequitur.protocol.guard.ApiToken;
import dev.sequitur.protocol.guard.MethodGroup;
import dev.sequitur.protocol.guard.Named.Kind;
import dev.sequitur.protocol.guard.Role;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.signing.AccountAmount;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.Creation;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.NodeAccount;
import dev.sequitur.schedule.signing.Profile;
import dev.sequitur.schedule.signing.ResponseCode;
import dev.sequitur.scheduler.body.SubmittedTransaction.Operation;
import dev.sequitur.scheduler.body.TransactionWriter;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
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
  private static final String CREATE = "/proto.ScheduleService/createSchedule";
  private static final String SCHEDULE = "/proto.ScheduleService/getScheduleInfo";
  private static final String RECEIPT = "/proto.CryptoService/getTransactionReceipts";
  private static final String INFO = "/proto.CryptoService/getAccountInfo";

  private final SigningClient client = new SigningClient();
  private final HttpClient http = HttpClient.newHttpClient();
  private Path directory;
  private TokenFile tokens;
  private FrontUnderTest front;
  private String reader;
  private String submitter;
  private String member;
  private int made;

  @BeforeAll
  void start(@TempDir Path at) throws IOException {
    directory = at;
    var file = at.resolve("tokens.json");
    tokens = new TokenFile(file);
    reader = token("reader");
    submitter = token("submitter");
    member = token("member");
    var configuration = FrontUnderTest.configured(at, SigningClient.publicKey(client.operator));
    front =
        new FrontUnderTest(
            configuration.withGuard(
                GuardSettings.of(file)
                    .withAuthentication(Authentication.REQUIRED)
                    .withRoles(
                        Map.of(
                            "reader", role(Set.of(MethodGroup.READ), "0.0.2"),
                            "member",
                                new Role(
                                    Set.of(
                                        MethodGroup.READ, MethodGroup.SUBMIT, MethodGroup.OPERATE),
                                    Arrays.stream(Kind.values())
                                        .collect(
                                            Collectors.toMap(kind -> kind, kind -> List.of("*")))),
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

  private Bytes paid(int kind, long account) {
    return HapiFrontTest.paidQuestionOf(kind, account, client.payment(1));
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
  void whoMayReadReadsWhatItWasGranted() throws Exception {
    assertThat(front.callAs(reader, BALANCE, about(7, 2)).status()).isEqualTo("0");
    assertThat(front.callAs(reader, BALANCE, about(7, 1001)).status()).isEqualTo("7");
    assertThat(HapiFrontTest.code(front.callAs(reader, INFO, paid(9, 3)), "9.1.1"))
        .isEqualTo(ResponseCode.OK);
    assertThat(front.callAs(reader, INFO, paid(9, 1001)).status()).isEqualTo("7");
    assertThat(audit()).contains("\"method\":\"hapi_QueryPayment\"", "token:reader");

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

  /** Whose caller may see the group sees what is scheduled; for the others it is not there. */
  @Test
  void whatIsScheduledForAPrivacyGroupIsThereForItsOwnAlone() throws Exception {
    var contract = contract();
    var id = client.id();
    var call =
        new Target.PrivateCall(
            new ContractAddress(contract),
            "record",
            "increment",
            Identity.parse("alice@front"),
            Bytes.utf8("{\"key\":\"rent\",\"by\":1}"));
    rpc(
        "multiSignature_bindKey",
        "[{'identity':'alice@front','key':'ed25519:%s'}]".formatted(alice()));
    var body =
        new TransactionWriter(Profile.CURRENT, new NodeAccount(0, 3))
            .scheduled(0, 1_000, "", Action.PrivateTransaction.once(call));
    var creation = Creation.of(body, Optional.empty(), Optional.empty());
    var transaction =
        client.signed(id, new Operation.ScheduleCreate(creation, List.of()), client.operator);
    assertThat(front.callAs(submitter, CREATE, transaction).status()).isEqualTo("7");

    var taken = front.callAs(member, CREATE, transaction);

    assertThat(taken.status()).as(taken.sentence()).isEqualTo("0");
    assertThat(taken.message()).isEqualTo(Bytes.EMPTY);
    assertThat(schedules(member)).hasSize(1);
    assertThat(schedules(submitter)).isEmpty();
    long schedule =
        EntityId.parse(schedules(member).get(0).get("schedule_id").textValue()).number();
    assertThat(HapiFrontTest.code(front.callAs(member, SCHEDULE, paid(53, schedule)), "153.1.1"))
        .isEqualTo(ResponseCode.OK);
    assertThat(HapiFrontTest.code(front.callAs(submitter, SCHEDULE, paid(53, schedule)), "153.1.1"))
        .isEqualTo(ResponseCode.INVALID_SCHEDULE_ID);
    var receipt = HapiFrontTest.receiptOf(id);
    assertThat(HapiFrontTest.code(front.callAs(member, RECEIPT, receipt), "14.2.1"))
        .isEqualTo(ResponseCode.SUCCESS);
    assertThat(HapiFrontTest.code(front.callAs(submitter, RECEIPT, receipt), "14.1.1"))
        .isEqualTo(ResponseCode.RECEIPT_NOT_FOUND);
  }

  private static String alice() {
    return SigningClient.publicKey(SigningClient.ed25519()).value().toHex().replaceFirst("^0x", "");
  }

  /** Of a group that is made for it. */
  private String contract() {
    var group =
        rpc("pgroup_createGroup", "[{'domain':'record','name':'alone','members':['alice@front']}]")
            .get("id")
            .textValue();
    return Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> rpc("pgroup_getGroupById", "['record','" + group + "']").path("contractAddress"),
            JsonNode::isTextual)
        .textValue();
  }

  private JsonNode rpc(String method, String params) {
    var body =
        "{'jsonrpc':'2.0','id':1,'method':'%s','params':%s}"
            .formatted(method, params)
            .replace('\'', '"');
    var request =
        HttpRequest.newBuilder(URI.create(front.url()))
            .header("content-type", "application/json")
            .POST(BodyPublishers.ofString(body));
    return JsonText.parse(sent(request, member)).get("result");
  }

  private JsonNode schedules(String token) {
    var request = HttpRequest.newBuilder(URI.create(front.mirror() + "/api/v1/schedules"));
    return JsonText.parse(sent(request, token)).get("schedules");
  }

  private byte[] sent(HttpRequest.Builder request, String token) {
    try {
      var shown = request.header("Authorization", "Bearer " + token).build();
      return http.send(shown, BodyHandlers.ofByteArray()).body();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
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
