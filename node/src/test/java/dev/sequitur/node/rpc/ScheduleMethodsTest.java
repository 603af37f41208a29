package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.protocol.schedule.Refusal;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the methods of the schedules do to queues of the rules alone. */
class ScheduleMethodsTest {
  private static final String INSERT =
      """
      {"senderAddr": "alice", "scheduledTimeMs": "2026-11-21T10:05:00Z", "maxGasAmount": "100",
       "maxGasUnitPrice": "3", "target": {"type": "transfer", "to": "bob", "amount": "25"}}
      """;
  private static final String NOTIFY =
      """
      {"owner": "alice", "providedId": "rent", "times": ["2026-11-21T11:00:00Z", 1795276800],
       "message": "pay the rent"}
      """;
  private static final String PRIVATE_TASK =
      """
      {"owner": "alice", "providedId": "monthly", "times": ["2026-11-21T11:00:00Z"],
       "transaction": {"type": "private", "from": "alice@node1", "to": "%s",
        "function": "transfer", "data": {"to": "bob@node2", "amount": "5"}}}
      """
          .formatted(Sample.CONTRACT);

  private RunningRpc rpc;

  @BeforeEach
  void start() {
    rpc = RunningRpc.withDefaults();
    fund("alice", "1000");
  }

  @AfterEach
  void stop() {
    rpc.close();
  }

  @Test
  void aTransferRunsAtItsTimeAndItsGasIsCharged() {
    var inserted = result("gasPriority_insert", INSERT);
    assertThat(inserted.at("/key/time").asLong()).isEqualTo(1795255500000L);
    assertThat(inserted.at("/key/gasPriority").asText()).isEqualTo("18446744073709551612");
    assertThat(balance("alice")).isEqualTo("700");
    assertThat(explain(inserted.get("id")).get("why").asText())
        .isEqualTo("It is not due yet: it is due at 2026-11-21T10:05:00Z.");

    rpc.scheduler.pass(Duration.ofMinutes(5));
    rpc.scheduler.pass(Duration.ofSeconds(1));

    assertThat(balance("bob")).isEqualTo("25");
    // 10 units of gas at the least price: nobody else was in its block.
    assertThat(balance("alice")).isEqualTo("965");
    assertThat(balance("@fees")).isEqualTo("10");
    var explained = explain(inserted.get("id"));
    assertThat(explained.at("/history/0/outcome").asText()).isEqualTo("run");
    assertThat(explained.at("/history").size()).isOne();
    assertThat(rpc.result("schedule_get", array(inserted.get("id"))).get("state").asText())
        .isEqualTo("settled");
    assertThat(rpc.result("schedule_audit", "[]").get("conserved").asBoolean()).isTrue();
  }

  @Test
  void aRepeatUnderItsIdempotencyKeyIsAnsweredAsTheFirstAndDoneOnce() {
    var once = INSERT.replace("{\"senderAddr\"", "{\"idempotencyKey\": \"k\", \"senderAddr\"");
    var first = result("gasPriority_insert", once);
    assertThat(result("gasPriority_insert", once)).isEqualTo(first);
    assertThat(balance("alice")).isEqualTo("700");
    assertThat(error("gasPriority_insert", INSERT)).startsWith("SQ020307: ");
  }

  @Test
  void aKeyIsItsMethodsOwn() {
    result(
        "schedule_fund", "{\"account\": \"carol\", \"amount\": \"5\", \"idempotencyKey\": \"k\"}");
    result(
        "schedule_fund", "{\"account\": \"carol\", \"amount\": \"5\", \"idempotencyKey\": \"k\"}");
    result(
        "schedule_withdraw",
        "{\"account\": \"carol\", \"amount\": \"2\", \"idempotencyKey\": \"k\"}");
    assertThat(balance("carol")).isEqualTo("3");
  }

  @Test
  void onlyTheOwnerAndTheAdministratorCancel() {
    var id = result("gasPriority_insert", INSERT).get("id").asText();
    assertThat(error("schedule_cancel", "{\"id\": \"" + id + "\", \"as\": \"mallory\"}"))
        .startsWith("SQ020302: ");
    result("schedule_cancel", "{\"id\": \"" + id + "\", \"as\": \"operator\"}");
    assertThat(balance("alice")).isEqualTo("1000");
    assertThat(error("schedule_cancel", "{\"id\": \"" + id + "\", \"as\": \"alice\"}"))
        .startsWith("SQ0203");
  }

  @Test
  void aTransactionIsCancelledByItsScheduleMapKeyAndByNoOther() {
    var key = (ObjectNode) result("gasPriority_insert", INSERT).get("key");
    for (var wrong :
        List.of(
            key.deepCopy().put("time", key.get("time").asLong() + 100),
            key.deepCopy().put("gasPriority", "5"))) {
      assertThat(error("gasPriority_cancel", "{\"senderAddr\": \"alice\", \"key\": " + wrong + "}"))
          .startsWith("SQ020311: No transaction waits under this key");
    }
    assertThat(error("gasPriority_cancel", "{\"senderAddr\": \"alice\"}"))
        .contains("either key, as the insertion answered it, or txnId");
    var cancel = "{\"senderAddr\": \"alice\", \"idempotencyKey\": \"c\", \"key\": " + key + "}";

    assertThat(result("gasPriority_cancel", cancel).asBoolean()).isTrue();
    assertThat(result("gasPriority_cancel", cancel).asBoolean()).isTrue();

    assertThat(balance("alice")).isEqualTo("1000");
  }

  @Test
  void readyTransactionsAreThoseABlockWouldRunWithTheirPrices() {
    result("gasPriority_insert", INSERT);
    result(
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
      var key = result("gasPriority_insert", tooMuch).get("key");
      rpc.scheduler.pass(Duration.ofMinutes(6));

      var events = socket.next().at("/params/result/events");

      assertThat(events.findValuesAsText("cancelledTxnCode")).containsExactly("failed");
      var told = events.findParents("cancelledTxnCode").get(0).get("key");
      assertThat(told.get("txnId")).isEqualTo(key.get("txnId"));
      assertThat(told.get("time").asLong()).isEqualTo(key.get("time").asLong());
      assertThat(told.get("gasPriority")).isEqualTo(key.get("gasPriority"));
    }
  }

  @Test
  void aRecurringTaskSpeaksAtEachOfItsTimesAndASubscriberHearsIt() {
    try (var socket = rpc.webSocket()) {
      var subscription = socket.call("schedule_subscribe", "[]").get("result").asText();
      var task = result("recurring_scheduleNotifyTask", NOTIFY).get("taskId").asText();
      rpc.scheduler.pass(Duration.ofMinutes(61));
      var pushed = socket.next();
      assertThat(pushed.get("method").asText()).isEqualTo("schedule_subscription");
      assertThat(pushed.at("/params/subscription").asText()).isEqualTo(subscription);
      var events = pushed.at("/params/result/events");
      assertThat(events.findValuesAsText("type")).contains("notified", "ended");
      assertThat(events.findValuesAsText("message")).containsExactly("pay the rent");
      assertThat(events.findValuesAsText("schedule")).containsOnly(task);
      assertThat(
              socket
                  .call("schedule_unsubscribe", "[\"" + subscription + "\"]")
                  .get("result")
                  .asBoolean())
          .isTrue();
    }
  }

  @Test
  void aSubscriberHearsThatASeriesIsParkedAndWhatItsOwnerIsToDo() {
    fund("carol", "1");
    try (var socket = rpc.webSocket()) {
      socket.call("schedule_subscribe", "[]");
      var task =
          result(
                  "recurring_scheduleNotifyTask",
                  """
                  {"owner": "carol", "providedId": "walk", "first": "2026-11-21T11:00:00Z",
                   "frequency": "PT1H", "message": "walk the dog"}
                  """)
              .get("taskId")
              .asText();
      rpc.scheduler.pass(Duration.ofMinutes(61));
      var events = socket.next().at("/params/result/events");
      assertThat(events.findValuesAsText("type")).contains("notified", "ended", "parked");
      var parked = events.get(events.findValuesAsText("type").indexOf("parked"));
      assertThat(parked.get("schedule").asText()).isEqualTo(task);
      assertThat(parked.get("owner").asText()).isEqualTo("carol");
      assertThat(parked.get("why").asText()).contains("Fund the account, then resume it.");
    }
  }

  @Test
  void whoeverWasAwayAsksForTheOutcomesFromWhereItWas() {
    var task = result("recurring_scheduleNotifyTask", NOTIFY).get("taskId").asText();
    assertThat(rpc.result("schedule_getOutcomes", "[]"))
        .isEqualTo(RunningRpc.parse("{\"outcomes\": [], \"forgotten\": false, \"next\": 0}"));
    rpc.scheduler.pass(Duration.ofMinutes(61));
    var first = result("schedule_getOutcomes", "{\"from\": 0, \"limit\": 1}");
    assertThat(first.at("/outcomes/0/schedule").asText()).isEqualTo(task);
    assertThat(first.at("/outcomes/0/outcome").asText()).isEqualTo("run");
    assertThat(first.get("next").asLong()).isOne();
    result("recurring_forceCancelTask", "{\"taskId\": \"" + task + "\"}");
    var rest = result("schedule_getOutcomes", "{\"from\": 1}");
    assertThat(rest.get("outcomes").findValuesAsText("outcome")).containsExactly("cancelled");
    assertThat(rest.get("next").asLong()).isEqualTo(2);
  }

  @Test
  void aParkedSeriesIsListedAsThat() {
    fund("carol", "1");
    result(
        "recurring_scheduleNotifyTask",
        """
        {"owner": "carol", "providedId": "walk", "first": "2026-11-21T11:00:00Z",
         "frequency": "PT1H", "message": "walk the dog"}
        """);
    rpc.scheduler.pass(Duration.ofMinutes(61));
    assertThat(rpc.result("schedule_list", "[]").findValuesAsText("state"))
        .containsExactly("parked");
  }

  @Test
  void overHttpNothingCanBeSubscribedTo() {
    assertThat(rpc.error("schedule_subscribe", "[]").get("message").asText())
        .startsWith("SQ010108: ");
  }

  @Test
  void aTaskIsCancelledByItsOwnerOrByForce() {
    var task = result("recurring_scheduleNotifyTask", NOTIFY).get("taskId").asText();
    assertThat(error("recurring_cancelTask", "{\"owner\": \"bob\", \"taskId\": \"" + task + "\"}"))
        .startsWith("SQ020302: ");
    result("recurring_forceCancelTask", "{\"taskId\": \"" + task + "\"}");
    assertThat(explain(text(task)).at("/history/0/outcome").asText()).isEqualTo("cancelled");
  }

  @Test
  void aPrivateTransactionIsCheckedWhenItIsScheduled() {
    result("recurring_schedulePrivateTransactionTask", PRIVATE_TASK);
    var listed = rpc.result("schedule_list", "[{\"family\": \"recurring\"}]");
    assertThat(listed.at("/schedules/0/target/data/amount").asText()).isEqualTo("5");
    assertThat(listed.at("/schedules/0/state").asText()).isEqualTo("waiting");
    assertThat(listed.get("next").isNull()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "alice@node1 | bob@node2 | SQ010204: The key of bob@node2",
        "alice@node1 | zoe@node1 | SQ010203: zoe@node1 is no member",
        "0x1111111111111111111111111111111111111111 | 0x2222222222222222222222222222222222222222 |"
            + " SQ010202: This node knows no privacy group",
        "\"amount\": \"5\" | \"amount\": \"-5\" | SQ020005: ",
        "\"type\": \"private\" | \"type\": \"public\" | SQ010206: ",
        "\"type\": \"private\" | \"type\": \"private\", \"idempotencyKey\": \"k\" | SQ010206: ",
      })
  void aPrivateTransactionThatCannotRunHereIsRefusedAtOnce(
      String from, String wrong, String message) {
    assertThat(error("recurring_schedulePrivateTransactionTask", PRIVATE_TASK.replace(from, wrong)))
        .startsWith(message);
    assertThat(rpc.result("schedule_overview", "[]").get("schedules").asInt()).isZero();
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
        "\"25\" | \"0\" | SQ010107: params[0].target.amount is 0",
        "\"alice\" | \"@fees\" | SQ010107: params[0].senderAddr cannot be read. Names that start",
        "\"alice\" | \"\" | SQ010107: params[0].senderAddr cannot be read.",
        "\"alice\" | \"poor\" | SQ020310: The deposit is 300",
        "\"bob\" | \"@fees\" | SQ010107: params[0].target.to cannot be read.",
        "\"transfer\" | \"gift\" | SQ010107: params[0].target.type must be transfer, notify",
        "2026-11-21T10:05:00Z | 2026-11-21T10:05 | SQ010107: params[0].scheduledTimeMs cannot",
        "2026-11-21T10:05:00Z | 2026-11-21T09:05:00Z | SQ020303: ",
        "\"3\" | \"0\" | SQ020305: ",
        "\"senderAddr\" | \"late\": \"soon\", \"senderAddr\" | SQ010107: params[0].late",
        "\"senderAddr\" | \"late\": \"PT0S\", \"senderAddr\" | SQ010107: params[0].late",
        "\"senderAddr\" | \"late\": \"P3661D\", \"senderAddr\" | SQ010107: params[0].late",
        "2026-11-21T10:05:00Z | +999999999-01-01T00:00:00Z | SQ010107: params[0].scheduledTimeMs",
        "2026-11-21T10:05:00Z | 1969-12-31T23:59:59Z | SQ010107: params[0].scheduledTimeMs",
        "2026-11-21T10:05:00Z | 2262-01-01T00:00:00Z | SQ010107: params[0].scheduledTimeMs",
        "\"senderAddr\" | \"retry\": {\"maxAttempts\": 2, \"first\": \"P106751991167301D\"},"
            + " \"senderAddr\" | SQ010107: params[0].retry.first",
        "\"senderAddr\" | \"retry\": {\"maxAttempts\": 0}, \"senderAddr\" | SQ010107:"
            + " params[0].retry must have 1 to 100",
        "\"senderAddr\" | \"queue\": \"a b\", \"senderAddr\" | SQ010107: params[0].queue",
        "\"senderAddr\" | \"idempotencyKey\": \"\", \"senderAddr\" | SQ010107:"
            + " params[0].idempotencyKey",
      })
  void aWrongInsertGetsASentenceAndStoresNothing(String from, String wrong, String message) {
    assertThat(error("gasPriority_insert", INSERT.replaceFirst(from, wrong))).startsWith(message);
    var overview = rpc.result("schedule_overview", "[]");
    assertThat(overview.get("schedules").asInt()).isZero();
    assertThat(balance("alice")).isEqualTo("1000");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "schedule_get | [\"nonsense\"] | SQ010107: params[0] (id) cannot be read. An id of a",
        "schedule_get | [\"tea-time:0x00\"] | SQ010107: params[0] (id) cannot be read. The"
            + " families",
        "schedule_pause | [{\"family\": \"tea\"}] | SQ010107: params[0].family cannot be read.",
        "schedule_pause | [{}] | SQ010107: params[0].family is missing",
        "schedule_getOutcomes | [{\"limit\": 1001}] | SQ010107: params[0].limit must be from 1",
        "schedule_getOutcomes | [{\"from\": -1}] | SQ010107: params[0].from must be a whole",
        "schedule_list | [{\"limit\": 0}] | SQ010107: params[0].limit must be from 1 to 1000.",
        "schedule_fund | [{\"account\": \"a\"}] | SQ010107: params[0].amount is missing",
        "schedule_getBalance | [\"alice#\"] | SQ010107: params[0] (account) cannot be read. What",
        "schedule_withdraw | [{\"account\": \"a\", \"amount\": \"1\"}] | SQ020310: ",
        "recurring_scheduleNotifyTask | [{\"owner\": \"a\", \"providedId\": \"i\", \"message\":"
            + " \"m\"}] | SQ010107: params[0].times is missing",
        "recurring_scheduleNotifyTask | [{\"owner\": \"a\", \"providedId\": \"i\", \"message\":"
            + " \"m\", \"times\": []}] | SQ020304: ",
        "recurring_scheduleNotifyTask | [{\"owner\": \"a\", \"providedId\": \"i\", \"message\":"
            + " \"m\", \"times\": [9223372036854775807]}] | SQ010107: params[0].times[0] is too"
            + " far away",
        "recurring_scheduleNotifyTask | [{\"owner\": \"a\", \"providedId\": \"i\", \"message\":"
            + " \"m\", \"times\": [1795276800], \"cron\": \"0 9 * * *\"}] | SQ010107: params[0] has"
            + " more than one",
        "recurring_scheduleNotifyTask | [{\"owner\": \"a\", \"providedId\": \"i\", \"message\":"
            + " \"m\", \"frequency\": \"PT1H\"}] | SQ010107: params[0].first is missing",
        "recurring_scheduleNotifyTask | [{\"owner\": \"a\", \"providedId\": \"i\", \"message\":"
            + " \"m\", \"first\": 1795276800, \"frequency\": \"P106751991167301D\"}] | SQ010107:"
            + " params[0].frequency cannot be read. A duration",
        "recurring_scheduleNotifyTask | [{\"owner\": \"a\", \"providedId\": \"i\", \"message\":"
            + " \"m\", \"cron\": \"every day\"}] | SQ010107: params[0]: This is no cron",
        "recurring_scheduleNotifyTask | [{\"owner\": \"a\", \"providedId\": \"i\", \"message\":"
            + " \"m\", \"cron\": \"0 9 * * *\", \"zone\": \"Mars\"}] | SQ010107: params[0]: There is"
            + " no time zone 'Mars'",
        "recurring_scheduleNotifyTask | [{\"owner\": \"a\", \"providedId\": \"i\", \"message\":"
            + " \"m\", \"cron\": \"0 9 * * *\", \"runs\": 0}] | SQ010107: params[0]: A series",
        "recurring_resumeSeries | [{\"owner\": \"a\", \"taskId\":"
            + " \"recurring:0x705b896243081e8f453edbc36dcb8eed989ca56a436a8e525e42dd428dacbbe8\"}] |"
            + " SQ020311: No such series",
        "recurring_scheduleNotifyTask | [{\"owner\": \"a\", \"providedId\": \"0xz\", \"message\":"
            + " \"m\", \"times\": [1795276800]}] | SQ010107: params[0].providedId starts with 0x",
      })
  void aWrongCallGetsASentence(String method, String params, String message) {
    assertThat(rpc.error(method, params).get("message").asText()).startsWith(message);
  }

  @Test
  void aPausedFamilyTakesNothingUntilItIsResumed() {
    result("schedule_pause", "{\"family\": \"gas-priority\"}");
    assertThat(error("gasPriority_insert", INSERT)).startsWith("SQ020301: ");
    assertThat(rpc.result("schedule_overview", "[]").findValuesAsText("service"))
        .contains("paused");
    result("schedule_resume", "{\"family\": \"gas-priority\"}");
    result("gasPriority_insert", INSERT);
  }

  @Test
  void aForecastSaysHowFullATimeIs() {
    result("gasPriority_insert", INSERT);
    var forecast =
        result(
            "schedule_forecast",
            "{\"family\": \"gas-priority\", \"at\": \"2026-11-21T10:05:00Z\"}");
    assertThat(forecast.get("taken").asInt()).isOne();
    assertThat(forecast.get("price").asText()).isEqualTo("1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "253402300800000", "9223372036854775807"})
  void aForecastOfAnyTimeIsAnAnswer(String millis) {
    for (var family : List.of("gas-priority", "recurring", "plan-execution", "multi-signature")) {
      var forecast =
          rpc.result(
              "schedule_forecast", "[{\"family\": \"%s\", \"at\": %s}]".formatted(family, millis));
      assertThat(forecast.isNull() || forecast.has("taken")).as(family).isTrue();
    }
  }

  @Test
  void theFirstTimeOfASeriesIsWrittenAsTheTimesOfATaskAre() {
    var series =
        """
        {"owner": "alice", "providedId": "%s", "first": %s, "frequency": "PT2H", "message": "m"}
        """;
    result("recurring_scheduleNotifyTask", series.formatted("a", "1795276800"));
    result("recurring_scheduleNotifyTask", series.formatted("b", "\"2026-11-21T16:00:00Z\""));
    var listed = rpc.result("schedule_list", "[]").get("schedules");
    assertThat(listed.findValuesAsText("first"))
        .containsExactly("2026-11-21T16:00:00Z", "2026-11-21T16:00:00Z");
  }

  @ParameterizedTest
  @EnumSource(Refusal.Code.class)
  void eachRefusalOfAQueueHasItsRow(Refusal.Code code) {
    assertThat(ErrorCode.valueOf("SCHEDULE_" + code.name()).code()).startsWith("SQ0203");
  }

  private void fund(String account, String amount) {
    result("schedule_fund", "{\"account\": \"%s\", \"amount\": \"%s\"}".formatted(account, amount));
  }

  private String balance(String account) {
    return rpc.result("schedule_getBalance", array(account)).asText();
  }

  private JsonNode explain(JsonNode id) {
    return rpc.result("schedule_explain", array(id));
  }

  private JsonNode result(String method, String object) {
    return rpc.result(method, "[" + object + "]");
  }

  private String error(String method, String object) {
    return rpc.error(method, "[" + object + "]").get("message").asText();
  }

  private static JsonNode text(String text) {
    return RunningRpc.JSON.getNodeFactory().textNode(text);
  }

  private static String array(JsonNode text) {
    return array(text.asText());
  }

  private static String array(String text) {
    return RunningRpc.JSON.valueToTree(List.of(text)).toString();
  }
}
