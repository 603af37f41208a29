package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The methods of AIP-125, on queues of the rules alone. */
class GasPriorityMethodsTest {
  private static final String INSERT =
      """
      {"senderAddr": "alice", "scheduledTimeMs": "2026-11-21T10:05:00Z", "maxGasAmount": "100",
       "maxGasUnitPrice": "3", "target": {"type": "transfer", "to": "bob", "amount": "25"}}
      """;

  private final ScheduleCalls calls = ScheduleCalls.withAliceFunded();
  private final RunningRpc rpc = calls.rpc();

  @AfterEach
  void stop() {
    calls.close();
  }

  @Test
  void aTransferRunsAtItsTimeAndItsGasIsCharged() {
    var inserted = calls.result("gasPriority_insert", INSERT);
    assertThat(inserted.at("/key/time").asLong()).isEqualTo(1795255500000L);
    assertThat(inserted.at("/key/gasPriority").asText()).isEqualTo("18446744073709551612");
    assertThat(calls.balance("alice")).isEqualTo("700");
    assertThat(calls.explain(inserted.get("id")).get("why").asText())
        .isEqualTo("It is not due yet: it is due at 2026-11-21T10:05:00Z.");

    rpc.scheduler.pass(Duration.ofMinutes(5));
    rpc.scheduler.pass(Duration.ofSeconds(1));

    assertThat(calls.balance("bob")).isEqualTo("25");
    // 10 units of gas at the least price: nobody else was in its block.
    assertThat(calls.balance("alice")).isEqualTo("965");
    assertThat(calls.balance("@fees")).isEqualTo("10");
    var explained = calls.explain(inserted.get("id"));
    assertThat(explained.at("/history/0/outcome").asText()).isEqualTo("run");
    assertThat(explained.at("/history").size()).isOne();
    assertThat(
            rpc.result("schedule_get", ScheduleCalls.array(inserted.get("id")))
                .get("state")
                .asText())
        .isEqualTo("settled");
    assertThat(rpc.result("schedule_audit", "[]").get("conserved").asBoolean()).isTrue();
  }

  @Test
  void gasAndPriceAreTheLeastIfNoneIsNamedAndTheAnswerSaysWhich() {
    var inserted =
        calls.result(
            "gasPriority_insert",
            """
            {"senderAddr": "alice", "scheduledTimeMs": "2026-11-21T10:05:00Z",
             "target": {"type": "transfer", "to": "bob", "amount": "25"}}
            """);
    assertThat(inserted.get("maxGasAmount").asText()).isEqualTo("10");
    assertThat(inserted.get("maxGasUnitPrice").asText()).isEqualTo("1");
    assertThat(inserted.get("deposit").asText()).isEqualTo("10");
    assertThat(calls.balance("alice")).isEqualTo("990");
  }

  @Test
  void aRepeatUnderItsIdempotencyKeyIsAnsweredAsTheFirstAndDoneOnce() {
    var once = INSERT.replace("{\"senderAddr\"", "{\"idempotencyKey\": \"k\", \"senderAddr\"");
    var first = calls.result("gasPriority_insert", once);
    assertThat(calls.result("gasPriority_insert", once)).isEqualTo(first);
    assertThat(calls.balance("alice")).isEqualTo("700");
  }

  @Test
  void twoPaymentsThatAreAlikeAreTwoIfTheirKeysAre() {
    var first = calls.result("gasPriority_insert", keyed("line 1"));
    var second = calls.result("gasPriority_insert", keyed("line 2"));
    var third = calls.result("gasPriority_insert", INSERT);

    assertThat(second.get("id")).isNotEqualTo(first.get("id"));
    assertThat(third.get("id")).isNotIn(first.get("id"), second.get("id"));
    assertThat(calls.balance("alice")).isEqualTo("100");
    assertThat(calls.error("gasPriority_insert", INSERT)).startsWith("SQ020307: ");
    assertThat(
            rpc.result("schedule_get", ScheduleCalls.array(second.get("id")))
                .at("/terms/idempotencyKey")
                .asText())
        .isEqualTo("line 2");
  }

  /** All of it is told, though the schedule is gone. */
  @Test
  void anOutcomeSaysWhatItWasAboutWhenItWasWantedAndHowLateItRan() {
    var id = calls.result("gasPriority_insert", keyed("rent")).get("id");
    rpc.scheduler.pass(Duration.ofMinutes(5).plusMillis(7));
    rpc.scheduler.pass(Duration.ofSeconds(1));

    var got = rpc.result("schedule_get", ScheduleCalls.array(id)).get("lastOutcome");
    assertThat(got.get("owner").asText()).isEqualTo("alice");
    assertThat(got.at("/terms/idempotencyKey").asText()).isEqualTo("rent");
    assertThat(got.at("/target/amount").asText()).isEqualTo("25");
    assertThat(got.get("asked").asText()).isEqualTo("2026-11-21T10:05:00Z");
    assertThat(got.get("attempts")).hasSize(1);
    assertThat(got.at("/attempts/0/lateMs").asLong()).isEqualTo(7);
    assertThat(got.at("/attempts/0").has("reason")).isFalse();
    assertThat(calls.explain(id).at("/history/0")).isEqualTo(got);
    var listed = (ObjectNode) outcomes("{}").get(0);
    listed.remove(List.of("number", "schedule"));
    assertThat(listed).isEqualTo(got);
  }

  @Test
  void outcomesAreFoundByOwnerFamilyEndAndTime() {
    calls.fund("bob", "1000");
    calls.result("gasPriority_insert", INSERT);
    var id =
        calls
            .result(
                "gasPriority_insert",
                INSERT.replace("alice", "bob").replace("\"to\": \"bob\"", "\"to\": \"carol\""))
            .get("id");
    calls.result("schedule_cancel", "{\"id\": %s, \"as\": \"bob\"}".formatted(id));
    rpc.scheduler.pass(Duration.ofMinutes(5));

    assertThat(outcomes("{}")).hasSize(2);
    assertThat(outcomes("{\"owner\": \"bob\"}").findValuesAsText("outcome"))
        .containsExactly("cancelled");
    assertThat(outcomes("{\"outcome\": \"run\"}").findValuesAsText("owner"))
        .containsExactly("alice");
    assertThat(outcomes("{\"family\": \"recurring\"}")).isEmpty();
    assertThat(outcomes("{\"since\": \"2026-11-21T10:05:00Z\"}").findValuesAsText("owner"))
        .containsExactly("alice");
    assertThat(outcomes("{\"until\": \"2026-11-21T10:05:00Z\"}").findValuesAsText("owner"))
        .containsExactly("bob");
    assertThat(calls.error("schedule_getOutcomes", "{\"outcome\": \"lost\"}"))
        .contains("The outcomes are run, failed, missed, expired, cancelled, refunded.");
  }

  private JsonNode outcomes(String filter) {
    return calls.result("schedule_getOutcomes", filter).get("outcomes");
  }

  @Test
  void aStatementSaysWhatSchedulesPaidToAnAccountAndTookFromIt() {
    var id = calls.result("gasPriority_insert", INSERT).get("id");
    rpc.scheduler.pass(Duration.ofMinutes(5));

    var alices = calls.result("schedule_getStatement", "{\"account\": \"alice\"}");
    assertThat(alices.get("available").asText()).isEqualTo("965");
    assertThat(alices.get("held").asText()).isEqualTo("0");
    assertThat(alices.get("broughtForward").asText()).isEqualTo("0");
    assertThat(alices.get("lines").findValuesAsText("kind"))
        .containsExactly("funded", "paid", "charged", "given-back");
    assertThat(alices.get("lines").findValuesAsText("amount"))
        .containsExactly("1000", "25", "10", "290");
    assertThat(alices.at("/lines/1/with").asText()).isEqualTo("bob");
    assertThat(alices.at("/lines/1/schedule")).isEqualTo(id);
    assertThat(alices.at("/lines/0").has("schedule")).isFalse();
    var bobs = calls.result("schedule_getStatement", "{\"account\": \"bob\"}").get("lines");
    assertThat(bobs.findValuesAsText("kind")).containsExactly("received");
    assertThat(bobs.at("/0/with").asText()).isEqualTo("alice");
    assertThat(calls.result("schedule_getStatement", "{\"account\": \"carol\"}").get("lines"))
        .isEmpty();
    var later =
        calls.result(
            "schedule_getStatement",
            "{\"account\": \"alice\", \"since\": \"2026-11-21T10:04:00Z\"}");
    assertThat(later.get("lines")).hasSize(3);
    assertThat(later.get("broughtForward").asText()).isEqualTo("1000");
    var first = calls.result("schedule_getStatement", "{\"account\": \"alice\", \"limit\": 1}");
    assertThat(first.has("broughtForward")).as("more follows").isFalse();
    assertThat(calls.error("schedule_getStatement", "{\"account\": \"@fees\"}"))
        .contains("Names that start with @ are the queue's own: name another account.");
  }

  private static String keyed(String key) {
    return INSERT.replace(
        "{\"senderAddr\"", "{\"idempotencyKey\": \"" + key + "\", \"senderAddr\"");
  }

  @Test
  void aKeyIsTheAccountsThatActs() {
    var once = INSERT.replace("{\"senderAddr\"", "{\"idempotencyKey\": \"k\", \"senderAddr\"");
    calls.result("schedule_fund", "{\"account\": \"carol\", \"amount\": \"1000\"}");
    var first = calls.result("gasPriority_insert", once);

    var second = calls.result("gasPriority_insert", once.replace("\"alice\"", "\"carol\""));

    assertThat(second.get("id")).isNotEqualTo(first.get("id"));
    assertThat(calls.result("gasPriority_insert", once)).isEqualTo(first);
  }

  @Test
  void onlyWhoScheduledATransactionCancelsIt() {
    var id = calls.result("gasPriority_insert", INSERT).get("id").asText();
    var cancel = "{\"id\": \"" + id + "\", \"as\": \"%s\"}";
    assertThat(calls.error("schedule_cancel", cancel.formatted("mallory")))
        .startsWith("SQ020302: ");
    assertThat(calls.error("schedule_cancel", cancel.formatted("operator")))
        .startsWith("SQ020302: Only who scheduled it can cancel it.")
        .contains("schedule_shutdown");
    assertThat(
            calls.error(
                "gasPriority_cancel", "{\"senderAddr\": \"operator\", \"txnId\": \"" + id + "\"}"))
        .startsWith("SQ020302: ");
    calls.result("schedule_cancel", cancel.formatted("alice"));
    assertThat(calls.balance("alice")).isEqualTo("1000");
    assertThat(calls.error("schedule_cancel", cancel.formatted("alice"))).startsWith("SQ020311: ");
  }

  @Test
  void aTransactionIsCancelledByItsScheduleMapKeyAndByNoOther() {
    var key = (ObjectNode) calls.result("gasPriority_insert", INSERT).get("key");
    for (var wrong :
        List.of(
            key.deepCopy().put("time", key.get("time").asLong() + 100),
            key.deepCopy().put("gasPriority", "5"))) {
      assertThat(
              calls.error(
                  "gasPriority_cancel", "{\"senderAddr\": \"alice\", \"key\": " + wrong + "}"))
          .startsWith("SQ020311: No transaction waits under this key");
    }
    assertThat(
            calls.error(
                "gasPriority_cancel",
                "{\"senderAddr\": \"alice\", \"key\": "
                    + key.deepCopy().put("gasPriority", "high")
                    + "}"))
        .startsWith("SQ010107: params[0].key.gasPriority cannot be read. A gas priority is");
    assertThat(calls.error("gasPriority_cancel", "{\"senderAddr\": \"alice\"}"))
        .contains("either key, as the insertion answered it, or txnId");
    var cancel = "{\"senderAddr\": \"alice\", \"idempotencyKey\": \"c\", \"key\": " + key + "}";

    assertThat(calls.result("gasPriority_cancel", cancel).asBoolean()).isTrue();
    assertThat(calls.result("gasPriority_cancel", cancel).asBoolean()).isTrue();

    assertThat(calls.balance("alice")).isEqualTo("1000");
  }

  @Test
  void readyTransactionsAreThoseABlockWouldRunWithTheirPrices() {
    calls.result("gasPriority_insert", INSERT);
    calls.result(
        "gasPriority_insert",
        INSERT.replace("\"maxGasUnitPrice\": \"3\"", "\"maxGasUnitPrice\": \"5\""));
    assertThat(rpc.result("gasPriority_getReadyTransactions", "[1795255499000]")).isEmpty();
    var ready = rpc.result("gasPriority_getReadyTransactions", "[1795255500000]");
    assertThat(ready.findValuesAsText("maxGasUnitPrice")).containsExactly("5", "3");
    assertThat(ready.findValuesAsText("gasUnitPriceCharged")).containsExactly("3", "3");
  }

  @Test
  void whatFailsIsToldWithItsScheduleMapKey() {
    try (var socket = rpc.webSocket()) {
      socket.call("schedule_subscribe", "[]");
      var tooMuch = INSERT.replace("\"amount\": \"25\"", "\"amount\": \"999999\"");
      var key = calls.result("gasPriority_insert", tooMuch).get("key");
      rpc.scheduler.pass(Duration.ofMinutes(6));

      var events = socket.next().at("/params/result/events");

      assertThat(events.findValuesAsText("cancelledTxnCode")).containsExactly("failed");
      var told = events.findParents("cancelledTxnCode").get(0).get("key");
      assertThat(told.get("txnId")).isEqualTo(key.get("txnId"));
      assertThat(told.get("time").asLong()).isEqualTo(key.get("time").asLong());
      assertThat(told.get("gasPriority")).isEqualTo(key.get("gasPriority"));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"100\" | \"-1\" | SQ010107: params[0].maxGasAmount must be a whole number from 0",
        "\"100\" | 1.5 | SQ010107: params[0].maxGasAmount must be a whole number from 0",
        "\"100\" | true | SQ010107: params[0].maxGasAmount must be a whole number, as decimal",
        "\"100\" | \"9223372036854775808\" | SQ010107: params[0].maxGasAmount must be a whole",
        "\"100\" | \"9223372036854775807\" | SQ020309: ",
        "\"100\" | \"9\" | SQ020320: It needs 10 gas to run",
        "\"25\" | \"0\" | SQ010107: params[0].target.amount is 0",
        "\"alice\" | \"@fees\" | SQ010107: params[0].senderAddr cannot be read. Names that start",
        "\"alice\" | \"al#usd\" | SQ010107: params[0].senderAddr cannot be read. A name with # is"
            + " what somebody has in a token, and nobody acts for it: name al.",
        "\\{\"type\": \"transfer\", | {\"type\": \"repeat\", \"every\": \"PT1H\", \"more\": 1,"
            + " \"action\": {\"type\": \"private\"}, | SQ010107: params[0].target.action.type must"
            + " be transfer or notify.",
        "2026-11-21T10:05:00Z | 2026-11-21T10:05:00.0005Z | SQ010107: params[0].scheduledTimeMs is"
            + " counted in milliseconds: send a time without a finer part, such as"
            + " 2026-11-21T10:05:00Z.",
        "2026-11-21T10:05:00Z | soon | SQ010107: params[0].scheduledTimeMs cannot be read. A time",
        "\"alice\" | \"\" | SQ010107: params[0].senderAddr cannot be read.",
        "\"alice\" | \"poor\" | SQ020310: The deposit is 300",
        "\"bob\" | \"@fees\" | SQ010107: params[0].target.to cannot be read.",
        "\"transfer\" | \"gift\" | SQ010107: params[0].target.type must be transfer, notify",
        "2026-11-21T10:05:00Z | 2026-11-21T10:05 | SQ010107: params[0].scheduledTimeMs cannot",
        "2026-11-21T10:05:00Z | 2026-11-21T09:05:00Z | SQ020303: ",
        "\"3\" | \"0\" | SQ020305: ",
        "\"100\" | \"0\" | SQ020320: It needs 10 gas to run",
        "\"senderAddr\" | \"late\": \"soon\", \"senderAddr\" | SQ010107: params[0].late",
        "\"senderAddr\" | \"late\": \"PT0S\", \"senderAddr\" | SQ010107: params[0].late",
        "\"senderAddr\" | \"late\": \"P3661D\", \"senderAddr\" | SQ010107: params[0].late",
        "2026-11-21T10:05:00Z | +999999999-01-01T00:00:00Z | SQ010107: params[0].scheduledTimeMs",
        "2026-11-21T10:05:00Z | 1969-12-31T23:59:59Z | SQ010107: params[0].scheduledTimeMs",
        "2026-11-21T10:05:00Z | 2262-01-01T00:00:00Z | SQ010107: params[0].scheduledTimeMs is too"
            + " far away. A queue's clock ends in the year 2262: name a time before that.",
        "\"2026-11-21T10:05:00Z\" | 9223372036854775807 | SQ020304: A queue's clock ends in the year"
            + " 2262: name a time before that.",
        "\"senderAddr\" | \"retry\": {\"maxAttempts\": 2, \"first\": \"P106751991167301D\"},"
            + " \"senderAddr\" | SQ010107: params[0].retry.first",
        "\"senderAddr\" | \"retry\": {\"maxAttempts\": 0}, \"senderAddr\" | SQ010107:"
            + " params[0].retry must have 1 to 100",
        "\"senderAddr\" | \"queue\": \"a b\", \"senderAddr\" | SQ010107: params[0].queue",
        "\"senderAddr\" | \"idempotencyKey\": \"\", \"senderAddr\" | SQ010107:"
            + " params[0].idempotencyKey",
      })
  void aWrongInsertGetsASentenceAndStoresNothing(String from, String wrong, String message) {
    assertThat(calls.error("gasPriority_insert", INSERT.replaceFirst(from, wrong)))
        .startsWith(message);
    var overview = rpc.result("schedule_overview", "[]");
    assertThat(overview.get("schedules").asInt()).isZero();
    assertThat(calls.balance("alice")).isEqualTo("1000");
  }

  @Test
  void aPausedFamilyTakesNothingUntilItIsResumed() {
    calls.result("schedule_pause", "{\"family\": \"gas-priority\"}");
    assertThat(calls.error("gasPriority_insert", INSERT)).startsWith("SQ020301: ");
    assertThat(rpc.result("schedule_overview", "[]").findValuesAsText("service"))
        .contains("paused");
    assertThat(calls.error("schedule_pause", "{\"family\": \"gas-priority\"}"))
        .isEqualTo("SQ020314: It is paused already.");
    calls.result("schedule_resume", "{\"family\": \"gas-priority\"}");
    calls.result("gasPriority_insert", INSERT);
  }

  /** Of 100 that a tick runs, and 101 ticks. */
  @Test
  void whatWillNotBeReachedIsSaidWhenItIsCreatedAndForetold() {
    calls.fund("alice", "3300000");
    var last = rpc.result("gasPriority_insert", "[" + numbered(0) + "]");
    for (int line = 1; line < 10_100; line++) {
      last = rpc.result("gasPriority_insert", "[" + numbered(line) + "]");
    }
    assertThat(last.has("warning")).isFalse();
    assertThat(foretold().get("unreached").asInt()).isZero();

    var beyond = rpc.result("gasPriority_insert", "[" + numbered(10_100) + "]");

    assertThat(foretold().get("unreached").asInt()).isOne();
    var outbid =
        rpc.result("gasPriority_insert", "[" + numbered(20_000).replace("\"3\"", "\"2\"") + "]");
    assertThat(outbid.get("warning").asText())
        .startsWith("As things stand it will not be run: 100 run in a tick of 100 ms, and so many")
        .endsWith("Offer more, choose another time, or let it run late (late: run-once).");
    assertThat(calls.explain(outbid.get("id")).get("why").asText())
        .startsWith("It is not due yet: it is due at 2026-11-21T10:05:00Z. As things stand");
    assertThat(beyond.has("id")).isTrue();
  }

  private JsonNode foretold() {
    return calls.result(
        "schedule_forecast", "{\"family\": \"gas-priority\", \"at\": \"2026-11-21T10:05:00Z\"}");
  }

  private static String numbered(int line) {
    return keyed("line " + line);
  }

  @Test
  void aForecastSaysHowFullATimeIs() {
    calls.result("gasPriority_insert", INSERT);
    var forecast =
        calls.result(
            "schedule_forecast",
            "{\"family\": \"gas-priority\", \"at\": \"2026-11-21T10:05:00Z\"}");
    assertThat(forecast.get("taken").asInt()).isOne();
    assertThat(forecast.get("price").asText()).isEqualTo("1");
  }
}
