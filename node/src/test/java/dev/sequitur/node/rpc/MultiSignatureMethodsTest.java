package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.signing.EntityId;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Multi-signature schedules with real Ed25519 signatures, on queues of the rules alone. */
class MultiSignatureMethodsTest {
  private static final int KEY_BYTES = 32;

  private final Party alice = new Party();
  private final Party bob = new Party();
  private RunningRpc rpc;

  /** One who signs with a key of its own. */
  private static final class Party {
    private final KeyPair keys = generated();
    private String account;

    private static KeyPair generated() {
      try {
        return KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
      } catch (java.security.GeneralSecurityException e) {
        throw new IllegalStateException(e);
      }
    }

    String publicKey() {
      var encoded = keys.getPublic().getEncoded();
      var hex = Bytes.of(Arrays.copyOfRange(encoded, encoded.length - KEY_BYTES, encoded.length));
      return "ed25519:" + hex.toHex().replaceFirst("^0x", "");
    }

    String sign(String hex) {
      try {
        var signature = Signature.getInstance("Ed25519");
        signature.initSign(keys.getPrivate());
        signature.update(Bytes.hex(hex).toByteArray());
        return "{\"publicKey\": \"%s\", \"signature\": \"%s\"}"
            .formatted(publicKey(), Bytes.of(signature.sign()).toHex());
      } catch (java.security.GeneralSecurityException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Who signs once would have signed twice. */
  @Test
  void aKeyTwiceInAThresholdIsRefused() {
    var twice =
        "[{\"key\":{\"threshold\":2,\"keys\":[\"%1$s\",\"%1$s\"]}}]".formatted(alice.publicKey());

    assertThat(rpc.error("multiSignature_openAccount", twice).toString())
        .contains("has a key twice");
  }

  @BeforeEach
  void start() {
    rpc = RunningRpc.withDefaults();
    open(alice);
    open(bob);
  }

  @AfterEach
  void stop() {
    rpc.close();
  }

  private void open(Party party) {
    party.account =
        call("multiSignature_openAccount", "{\"key\": \"" + party.publicKey() + "\"}")
            .get("accountID")
            .asText();
    call("schedule_fund", "{\"account\": \"%s\", \"amount\": \"1000\"}".formatted(party.account));
  }

  @Test
  void aTransferOfTwoRunsWithTheSecondSignature() {
    var body = body();
    var created = create(body, alice.sign(body));
    assertThat(created.get("status").asText()).isEqualTo("SUCCESS");
    assertThat(created.get("number").asInt()).isEqualTo(22);
    var schedule = created.get("scheduleID").asText();

    assertThat(pending(bob)).isEqualTo(schedule);
    assertThat(pending(alice)).isEmpty();
    var info = rpc.result("multiSignature_scheduleGetInfo", "[\"" + schedule + "\"]");
    assertThat(info.at("/signers/0").asText()).isEqualTo(alice.publicKey());
    assertThat(info.get("transactionBody").asText()).isEqualTo(body);

    long before = balance(bob);
    var signed = sign(schedule, bob, bob.sign(body));
    assertThat(signed.get("status").asText()).isEqualTo("SUCCESS");
    // 30 from Bob and 10 from Alice go to the shop; each pays its own fees.
    assertThat(rpc.result("schedule_getBalance", "[\"0.0.1003\"]").asText()).isEqualTo("40");
    assertThat(balance(bob)).isLessThanOrEqualTo(before - 30);
    var records =
        rpc.result(
            "multiSignature_getRecords",
            "[\"" + created.get("scheduledTransactionID").asText() + "\"]");
    assertThat(records.at("/0/scheduleRef").asText()).isEqualTo(schedule);
    assertThat(records.at("/0/receipt/status").asText()).isEqualTo("SUCCESS");
    assertThat(rpc.result("schedule_audit", "[]").get("conserved").asBoolean()).isTrue();
  }

  @Test
  void theReceiptIsAskedForByTheIdThatItsBuildingAndItsSubmissionAnswered() {
    var body = body();
    var built =
        call(
            "multiSignature_buildTransaction",
            "{\"validStart\": \"%s\", \"operation\": \"scheduleCreate\", %s}"
                .formatted(Sample.NOW, createFields(alice, body, alice.sign(body))));
    var bytes = built.get("bodyBytes").asText();
    var submission =
        "{\"bodyBytes\": \"%s\", \"signatures\": [%s]}".formatted(bytes, alice.sign(bytes));
    var created = call("multiSignature_scheduleCreate", submission);
    var id = built.get("transactionID").asText();
    assertThat(created.get("transactionID").asText()).isEqualTo(id);
    assertThat(
            rpc.result("multiSignature_getReceipt", "[\"" + id + "\"]").get("scheduleID").asText())
        .isEqualTo(created.get("scheduleID").asText());
  }

  private JsonNode build(String start) {
    return call(
        "multiSignature_buildTransaction",
        "{%s\"operation\": \"scheduleDelete\", \"payer\": \"0.0.1001\", \"scheduleID\":"
                .formatted(start)
            + " \"0.0.9\"}");
  }

  @Test
  void aValidStartKeepsItsNanoseconds() {
    assertThat(
            build("\"validStart\": \"2026-11-21T12:00:00.123456789Z\", ")
                .get("transactionID")
                .asText())
        .isEqualTo("0.0.1001@1795262400.123456789");
    assertThat(
            refusal(
                "multiSignature_buildTransaction",
                "{\"validStart\": \"1969-12-31T23:59:59Z\", \"operation\": \"scheduleDelete\","
                    + " \"payer\": \"0.0.1001\", \"scheduleID\": \"0.0.9\"}"))
        .contains("params[0].validStart");
  }

  @Test
  void aWrongSignatureIsRefusedAndRecordsNothing() {
    var body = body();
    var schedule = create(body, alice.sign(body)).get("scheduleID").asText();
    assertThat(submitError("scheduleSign", bob, signFields(schedule, bob, bob.sign("0x0102"))))
        .contains("SOME_SIGNATURES_WERE_INVALID");
    assertThat(pending(bob)).isEqualTo(schedule);
  }

  @Test
  void whatIsSignedForOneQueueCountsInNoOther() {
    var body = body();
    var fields = createFields(alice, body, alice.sign(body));
    var elsewhere =
        "{\"queue\": \"other\", " + signed("scheduleCreate", alice, fields).substring(1);
    assertThat(refusal("multiSignature_scheduleCreate", elsewhere))
        .contains("INVALID_NODE_ACCOUNT", nodeAccount("other"));
    var build = "{\"queue\": \"other\", \"operation\": \"scheduleCreate\", " + fields + "}";
    assertThat(refusal("multiSignature_buildTransaction", build)).contains("INVALID_NODE_ACCOUNT");
    assertThat(nodeAccount("other")).isNotEqualTo(nodeAccount("default"));
  }

  private String nodeAccount(String queue) {
    return rpc.result("multiSignature_getNodeAccount", "[\"" + queue + "\"]").asText();
  }

  private String refusal(String method, String object) {
    return rpc.error(method, "[" + object + "]").get("message").asText();
  }

  @Test
  void thePayersSignatureIsReallyVerified() {
    var body = body();
    var fields = createFields(alice, body, alice.sign(body));
    var error =
        rpc.error(
            "multiSignature_scheduleCreate", "[" + signed("scheduleCreate", bob, fields) + "]");
    assertThat(error.get("message").asText())
        .contains("INVALID_PAYER_SIGNATURE (" + error.at("/data/number").asInt() + ")");
    assertThat(error.at("/data/status").asText()).isEqualTo("INVALID_PAYER_SIGNATURE");
    assertThat(error.get("data").has("scheduleID")).isFalse();
  }

  @Test
  void anAccountIsShownWithItsKeyAndBalance() {
    var account = rpc.result("multiSignature_getAccount", "[\"" + alice.account + "\"]");
    assertThat(account.get("key").asText()).isEqualTo(alice.publicKey());
    assertThat(account.get("balance").asText()).isEqualTo("1000");
    assertThat(rpc.result("multiSignature_getAccount", "[\"0.0.9999\"]").isNull()).isTrue();
  }

  @Test
  void aTransactionThatIsTooLongIsRefusedUnread() {
    var big = "{\"transaction\": \"0x" + "00".repeat(6_145) + "\"}";

    assertThat(refusal("multiSignature_scheduleSign", big))
        .startsWith(
            "SQ020388: params[0]: TRANSACTION_OVERSIZE (64): a transaction has at most 6144");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "multiSignature_openAccount | {} | SQ010107: params[0].key is missing",
        "multiSignature_openAccount | {\"key\": \"rsa:00\"} | SQ010107: params[0].key cannot be"
            + " read",
        "multiSignature_openAccount | {\"key\": \"ed25519:"
            + "0100000000000000000000000000000000000000000000000000000000000000\"} | SQ010107:"
            + " params[0].key cannot be read. These bytes are no key, as their point has a small"
            + " order: anybody could sign with it.",
        "multiSignature_openAccount | {\"key\": {\"keys\": []}} | SQ010107: params[0].key is no"
            + " key",
        "multiSignature_buildBody | {} | SQ010107: params[0] must have transfers",
        "multiSignature_buildTransaction | {\"payer\": \"0.0.1001\", \"operation\": \"fly\"} |"
            + " SQ010107: params[0].operation must be scheduleCreate",
        "multiSignature_getReceipt | 0.0.1001@9999999999.000000000 | SQ010107: params[0]"
            + " (transactionID) cannot be read. Its valid start is too far away. A queue's clock"
            + " ends in the year 2262: name a time before that.",
        "multiSignature_scheduleCreate | {\"transaction\": \"0x00\"} | SQ020388:"
            + " params[0]: INVALID_TRANSACTION_BODY (50): ",
        "multiSignature_scheduleCreate | {\"transaction\": \"text\"} | SQ010107: ",
        "multiSignature_sign | {\"identity\": \"alice@node1\", \"bytes\": \"0x010203\"} | SQ020388:"
            + " ",
        "multiSignature_sign | {\"identity\": \"alice@node1\", \"bytes\": \"0x6200\"} | SQ020388:"
            + " params[0].bytes: UNSCHEDULABLE_TRANSACTION (208): field 12 is nothing that can be"
            + " scheduled here, and so it is not signed.",
        "multiSignature_sign | {\"identity\": \"bob@node2\", \"bytes\": \"0x\"} | SQ020003: ",
      })
  void aWrongCallGetsASentence(String method, String object, String message) {
    var param = object.startsWith("{") ? object : "\"" + object + "\"";
    assertThat(rpc.error(method, "[" + param + "]").get("message").asText()).startsWith(message);
  }

  @Test
  void toRunAtATimeIsForTheProfileCurrent() {
    var fields = createFields(alice, body(), "");
    assertThat(
            refusal(
                "multiSignature_buildTransaction",
                "{\"operation\": \"scheduleCreate\", \"waitForExpiry\": true, %s}"
                    .formatted(fields)))
        .isEqualTo(
            "SQ010107: params[0]: A schedule of the profile mvp runs with its last signature: leave"
                + " out waitForExpiry, which a scheduleCreate of the profile current takes.");
  }

  /** Two people may be days apart. */
  @Test
  void aScheduleMayWaitForItsSignaturesForDays() {
    var body = body();
    var fields =
        createFields(alice, body, alice.sign(body))
            + ", \"expirationTime\": \"2026-11-25T10:00:00Z\"";
    var far = fields.replace("2026-11-25", "2027-11-25");
    assertThat(submitError("scheduleCreate", alice, far)).contains("INVALID_EXPIRATION_TIME (45)");
    var schedule = submit("scheduleCreate", alice, fields).get("scheduleID").asText();
    rpc.scheduler.pass(Duration.ofDays(3));

    assertThat(pending(bob)).isEqualTo(schedule);
    assertThat(
            rpc.result("multiSignature_scheduleGetInfo", "[\"" + schedule + "\"]")
                .get("expiry")
                .asText())
        .isEqualTo("2026-11-25T10:00:00Z");
    rpc.scheduler.pass(Duration.ofDays(1));
    assertThat(pending(bob)).isEmpty();
  }

  @Test
  void withoutWaitingItIsNoneThatWaits() {
    var fields = createFields(alice, body(), "") + ", \"waitForExpiry\": false";
    assertThat(
            call(
                    "multiSignature_buildTransaction",
                    "{\"operation\": \"scheduleCreate\", " + fields + "}")
                .get("bodyBytes"))
        .isNotNull();
  }

  @Test
  void howOftenAPrivateTransactionIsTriedIsBuiltIntoItsBodyAndShown() {
    call(
        "multiSignature_bindKey",
        "{\"identity\": \"alice@node1\", \"key\": \"" + alice.publicKey() + "\"}");
    var transaction =
        "{\"type\": \"private\", \"from\": \"alice@node1\", \"to\": \"%s\", \"function\":"
            + " \"mint\", \"data\": {\"to\": \"alice@node1\", \"amount\": \"1\"}}";
    var body =
        call(
                "multiSignature_buildBody",
                "{\"transaction\": %s, \"retry\": {\"maxAttempts\": 3, \"first\": \"PT2S\"}}"
                    .formatted(transaction.formatted(Sample.CONTRACT.value())))
            .get("transactionBody")
            .asText();

    var schedule = create(body, "").get("scheduleID").asText();

    var does = rpc.result("multiSignature_scheduleGetInfo", "[\"" + schedule + "\"]").get("does");
    assertThat(does.at("/retry/maxAttempts").asInt()).isEqualTo(3);
    assertThat(does.at("/retry/first").asText()).isEqualTo("PT2S");
    assertThat(does.at("/retry/most").asText()).isEqualTo("PT1M");
    assertThat(sign(schedule, bob, alice.sign(body)).get("status").asText()).isEqualTo("SUCCESS");
  }

  @Test
  void aScheduleHasOneIdForItsReadersAndSaysWhatItDoes() {
    var body = body();
    var schedule = create(body, alice.sign(body)).get("scheduleID").asText();
    var stored = EntityId.parse(schedule).schedule().toString();
    var listed = rpc.result("schedule_list", "[{\"limit\": 1}]");
    assertThat(listed.at("/schedules/0/id").asText()).isEqualTo(schedule);
    assertThat(listed.get("next").isNull()).as("there is no other").isTrue();
    assertThat(listed.at("/schedules/0/target/type").asText()).isEqualTo("crypto-transfer");
    assertThat(listed.at("/schedules/0/target/transfers/0/amount").asText()).isEqualTo("-10");
    assertThat(listed.at("/schedules/0/terms/memo").asText()).isEqualTo("for two");
    assertThat(listed.at("/schedules/0/terms/nonce").asLong()).isZero();

    for (var spelling : List.of(schedule, stored, "multi-signature:" + schedule)) {
      var params = "[\"" + spelling + "\"]";
      assertThat(rpc.result("schedule_get", params).get("id").asText()).isEqualTo(schedule);
      assertThat(rpc.result("schedule_explain", params).get("why").asText()).contains("signatures");
      assertThat(rpc.result("multiSignature_scheduleGetInfo", params).get("scheduleID").asText())
          .isEqualTo(schedule);
      var after = "[{\"after\": \"" + spelling + "\"}]";
      assertThat(rpc.result("schedule_list", after).get("schedules")).isEmpty();
    }
    var carol = new Party();
    open(carol);
    create(body("for three"), carol);
    assertThat(rpc.result("schedule_list", "[{\"limit\": 1}]").get("next").asText())
        .isEqualTo(schedule);
    assertThat(sign("multi-signature:" + schedule, bob, bob.sign(body)).get("status").asText())
        .isEqualTo("SUCCESS");
    assertThat(rpc.result("schedule_getOutcomes", "[]").at("/outcomes/0/schedule").asText())
        .isEqualTo(schedule);
  }

  /** Whoever lost the first answer goes on with what there is. */
  @Test
  void anIdenticalCreationIsAnsweredWithTheNumberAndBothIdsOfWhatThereIs() {
    rpc.close();
    rpc = RunningRpc.withProfileCurrent();
    open(alice);
    open(bob);
    var fields = "\"payer\": \"%s\", \"transactionBody\": \"" + body() + "\"";
    var first = submit("scheduleCreate", alice, fields.formatted(alice.account));

    var again = signed("scheduleCreate", bob, fields.formatted(bob.account));
    var twin = rpc.error("multiSignature_scheduleCreate", "[" + again + "]");

    assertThat(twin.at("/data/status").asText()).isEqualTo("IDENTICAL_SCHEDULE_ALREADY_CREATED");
    assertThat(twin.at("/data/number").asInt()).isEqualTo(210);
    assertThat(twin.at("/data/scheduleID")).isEqualTo(first.get("scheduleID"));
    assertThat(twin.at("/data/scheduledTransactionID"))
        .isEqualTo(first.get("scheduledTransactionID"));
    assertThat(first.get("scheduleID").asText()).startsWith("0.0.");
    assertThat(first.get("scheduledTransactionID").asText()).startsWith(alice.account + "@");
  }

  @Test
  void aScheduleThatIsNotThereHasTheNetworksCode() {
    var error = rpc.error("multiSignature_scheduleGetInfo", "[\"0.0.4711\"]");
    assertThat(error.get("message").asText()).contains("INVALID_SCHEDULE_ID");
    assertThat(error.at("/data/status").asText()).isEqualTo("INVALID_SCHEDULE_ID");
    assertThat(error.get("message").asText()).startsWith(error.at("/data/code").asText() + ": ");
  }

  /** To a third account, which has to be there. */
  private String body() {
    return body("for two");
  }

  private String body(String memo) {
    var shop = new Party();
    open(shop);
    call(
        "schedule_withdraw", "{\"account\": \"%s\", \"amount\": \"1000\"}".formatted(shop.account));
    return call(
            "multiSignature_buildBody",
            """
            {"memo": "%s", "transfers": [{"account": "%s", "amount": "-10"},
              {"account": "%s", "amount": "-30"}, {"account": "%s", "amount": "40"}]}
            """
                .formatted(memo, alice.account, bob.account, shop.account))
        .get("transactionBody")
        .asText();
  }

  private JsonNode create(String body, String sigMap) {
    return submit("scheduleCreate", alice, createFields(alice, body, sigMap));
  }

  /** Without signatures of those whom the body names. */
  private void create(String body, Party payer) {
    submit("scheduleCreate", payer, createFields(payer, body, ""));
  }

  private static String createFields(Party payer, String body, String sigMap) {
    return "\"payer\": \"%s\", \"transactionBody\": \"%s\", \"sigMap\": [%s]"
        .formatted(payer.account, body, sigMap);
  }

  private JsonNode sign(String schedule, Party payer, String sigMap) {
    return submit("scheduleSign", payer, signFields(schedule, payer, sigMap));
  }

  private static String signFields(String schedule, Party payer, String sigMap) {
    return "\"payer\": \"%s\", \"scheduleID\": \"%s\", \"sigMap\": [%s]"
        .formatted(payer.account, schedule, sigMap);
  }

  private JsonNode submit(String operation, Party signer, String fields) {
    return call("multiSignature_" + operation, signed(operation, signer, fields));
  }

  private String submitError(String operation, Party signer, String fields) {
    return rpc.error("multiSignature_" + operation, "[" + signed(operation, signer, fields) + "]")
        .get("message")
        .asText();
  }

  private String signed(String operation, Party signer, String fields) {
    var bytes =
        call(
                "multiSignature_buildTransaction",
                "{\"validStart\": \"%s\", \"operation\": \"%s\", %s}"
                    .formatted(Sample.NOW, operation, fields))
            .get("bodyBytes")
            .asText();
    return "{\"bodyBytes\": \"%s\", \"signatures\": [%s]}".formatted(bytes, signer.sign(bytes));
  }

  private String pending(Party party) {
    return rpc.result("multiSignature_pendingFor", "[\"" + party.publicKey() + "\"]")
        .at("/schedules/0/scheduleID")
        .asText();
  }

  private long balance(Party party) {
    return Long.parseLong(
        rpc.result("schedule_getBalance", "[\"" + party.account + "\"]").asText());
  }

  private JsonNode call(String method, String object) {
    return rpc.result(method, "[" + object + "]");
  }
}
