package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The methods of recurring tasks, on queues of the rules alone. */
class RecurringMethodsTest {
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

  private final ScheduleCalls calls = ScheduleCalls.withAliceFunded();
  private final RunningRpc rpc = calls.rpc();

  @AfterEach
  void stop() {
    calls.close();
  }

  @Test
  void aRecurringTaskSpeaksAtEachOfItsTimesAndASubscriberHearsIt() {
    try (var socket = rpc.webSocket()) {
      var subscription = socket.call("schedule_subscribe", "[]").get("result").asText();
      var task = calls.result("recurring_scheduleNotifyTask", NOTIFY).get("taskId").asText();
      rpc.scheduler.pass(Duration.ofMinutes(61));
      var pushed = socket.next();
      assertThat(pushed.get("method").asText()).isEqualTo("schedule_subscription");
      assertThat(pushed.at("/params/subscription").asText()).isEqualTo(subscription);
      var events = pushed.at("/params/result/events");
      assertThat(events.findValuesAsText("type")).contains("notified", "ended");
      assertThat(ofType("notified", events).findValuesAsText("message"))
          .containsExactly("pay the rent");
      assertThat(events.findValuesAsText("schedule")).containsOnly(task);
      assertThat(
              socket
                  .call("schedule_unsubscribe", "[\"" + subscription + "\"]")
                  .get("result")
                  .asBoolean())
          .isTrue();
    }
  }

  private static ArrayNode ofType(String type, JsonNode events) {
    var found = RunningRpc.JSON.createArrayNode();
    for (var event : events) {
      if (event.get("type").asText().equals(type)) {
        found.add(event);
      }
    }
    return found;
  }

  @Test
  void aSubscriberHearsThatASeriesIsParkedAndWhatItsOwnerIsToDo() {
    calls.fund("carol", "1");
    try (var socket = rpc.webSocket()) {
      socket.call("schedule_subscribe", "[]");
      var task =
          calls
              .result(
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
      var parked = ofType("parked", events).get(0);
      assertThat(parked.get("schedule").asText()).isEqualTo(task);
      assertThat(parked.get("owner").asText()).isEqualTo("carol");
      assertThat(parked.get("why").asText()).contains("Fund the account, then resume it.");
    }
  }

  @Test
  void whoeverWasAwayAsksForTheOutcomesFromWhereItWas() {
    var task = calls.result("recurring_scheduleNotifyTask", NOTIFY).get("taskId").asText();
    assertThat(rpc.result("schedule_getOutcomes", "[]"))
        .isEqualTo(RunningRpc.parse("{\"outcomes\": [], \"forgotten\": false, \"next\": 1}"));
    rpc.scheduler.pass(Duration.ofMinutes(61));
    var first = calls.result("schedule_getOutcomes", "{\"from\": 0, \"limit\": 1}");
    assertThat(first.at("/outcomes/0/schedule").asText()).isEqualTo(task);
    assertThat(first.at("/outcomes/0/outcome").asText()).isEqualTo("run");
    assertThat(first.get("next").asLong()).isEqualTo(2);
    calls.result("recurring_forceCancelTask", "{\"taskId\": \"" + task + "\"}");
    var rest = calls.result("schedule_getOutcomes", "{\"from\": 2}");
    assertThat(rest.get("outcomes").findValuesAsText("outcome")).containsExactly("cancelled");
    assertThat(rest.get("next").asLong()).isEqualTo(3);
  }

  @Test
  void aCreationIsToldItsFirstTimes() {
    var series =
        """
        {"owner": "alice", "providedId": "news", "cron": "%s", "zone": "Europe/Zurich",
         "message": "m", "idempotencyKey": "k"}
        """;
    var first = calls.result("recurring_scheduleNotifyTask", series.formatted("0 9 * * 1"));
    assertThat(first.get("firstTimes").toString())
        .isEqualTo(
            "[\"2026-11-23T08:00:00Z\",\"2026-11-30T08:00:00Z\",\"2026-12-07T08:00:00Z\","
                + "\"2026-12-14T08:00:00Z\",\"2026-12-21T08:00:00Z\"]");
    rpc.scheduler.pass(Duration.ofDays(9));
    assertThat(calls.result("recurring_scheduleNotifyTask", series.formatted("0 9 * * 1")))
        .as("a repetition is answered as the first was")
        .isEqualTo(first);
  }

  @Test
  void aSeriesHasAStartAnEndAndDaysOff() {
    calls.result(
        "recurring_setDaysOff",
        """
        {"name": "swiss", "days": ["2026-11-25", "2026-11-24"], "zone": "Europe/Zurich"}
        """);
    assertThat(rpc.result("recurring_daysOff", "[]").toString())
        .isEqualTo(
            "[{\"name\":\"swiss\",\"zone\":\"Europe/Zurich\","
                + "\"days\":[\"2026-11-24\",\"2026-11-25\"],\"series\":0}]");
    var task =
        calls.result(
            "recurring_scheduleNotifyTask",
            """
            {"owner": "alice", "providedId": "news", "cron": "0 9 * * *", "zone": "Europe/Zurich",
             "message": "m", "notBefore": "2026-11-23T00:00:00Z", "notAfter": 1795766400,
             "daysOff": "swiss"}
            """);
    assertThat(task.get("firstTimes").toString())
        .isEqualTo("[\"2026-11-23T08:00:00Z\",\"2026-11-26T08:00:00Z\",\"2026-11-27T08:00:00Z\"]");
    var id = task.get("taskId").asText();
    var terms = rpc.result("schedule_get", "[\"" + id + "\"]").get("terms");
    assertThat(terms.get("notBefore").asText()).isEqualTo("2026-11-23T00:00:00Z");
    assertThat(terms.get("notAfter").asText()).isEqualTo("2026-11-27T08:00:00Z");
    assertThat(terms.get("daysOff").asText()).isEqualTo("swiss");
    assertThat(calls.error("recurring_removeDaysOff", "{\"name\": \"swiss\"}"))
        .contains("1 series stand on it");
    calls.result(
        "schedule_change",
        "{\"id\": \""
            + id
            + "\", \"as\": \"alice\", \"notBefore\": \"none\","
            + " \"notAfter\": \"none\", \"daysOff\": \"none\"}");
    terms = rpc.result("schedule_get", "[\"" + id + "\"]").get("terms");
    assertThat(terms.has("notBefore") || terms.has("notAfter") || terms.has("daysOff")).isFalse();
    calls.result("recurring_removeDaysOff", "{\"name\": \"swiss\"}");
  }

  @Test
  void aSeriesRunsAtTheMinuteThatItsExpressionNames() {
    var task =
        calls.result(
            "recurring_scheduleNotifyTask",
            """
            {"owner": "alice", "providedId": "a", "cron": "30 9 * * 1-5", "message": "m",
             "zone": "Europe/Zurich"}
            """);
    assertThat(task.at("/firstTimes/0").asText()).isEqualTo("2026-11-23T08:30:00Z");
    assertThat(task.at("/firstTimes/4").asText()).isEqualTo("2026-11-27T08:30:00Z");
  }

  @Test
  void aFrequencyThatIsNoWholeMinutesIsRefusedWithTheNearest() {
    assertThat(
            calls.error(
                "recurring_scheduleNotifyTask",
                """
                {"owner": "alice", "providedId": "a", "first": "2026-11-21T11:00:00Z",
                 "frequency": "PT90S", "message": "m"}
                """))
        .startsWith("SQ020304: ")
        .contains("A frequency is so many slots of PT1M: take PT1M or PT2M.");
  }

  @Test
  void whatWasMissedTogetherIsToldAsOneOutcomeThatSaysHowMany() {
    var task =
        calls
            .result(
                "recurring_scheduleNotifyTask",
                """
                {"owner": "alice", "providedId": "walk", "first": "2026-11-21T11:00:00Z",
                 "frequency": "PT1H", "message": "m"}
                """)
            .get("taskId")
            .asText();
    calls.result("schedule_pause", "{\"family\": \"recurring\"}");
    rpc.scheduler.pass(Duration.ofHours(30));
    calls.result("schedule_resume", "{\"family\": \"recurring\"}");
    rpc.scheduler.pass(Duration.ofSeconds(1));
    var history = calls.explain(ScheduleCalls.text(task)).get("history");
    assertThat(history.findValuesAsText("outcome")).containsExactly("missed", "run");
    assertThat(history.at("/0/occurrences").asInt()).isGreaterThan(20);
    assertThat(history.at("/1").has("occurrences")).isFalse();
    assertThat(history.at("/1/occurrence").asInt()).isEqualTo(history.at("/0/occurrences").asInt());
  }

  @Test
  void aParkedSeriesIsListedAsThat() {
    calls.fund("carol", "1");
    calls.result(
        "recurring_scheduleNotifyTask",
        """
        {"owner": "carol", "providedId": "walk", "first": "2026-11-21T11:00:00Z",
         "frequency": "PT1H", "message": "walk the dog"}
        """);
    rpc.scheduler.pass(Duration.ofMinutes(61));
    assertThat(rpc.result("schedule_list", "[]").findValuesAsText("state"))
        .containsExactly("parked");
    assertThat(
            rpc.result("schedule_list", "[{\"state\": \"parked\"}]").findValuesAsText("parkedFor"))
        .containsExactly("fee-unpaid");
    assertThat(rpc.result("schedule_list", "[{\"state\": \"waiting\"}]").get("schedules"))
        .isEmpty();
    assertThat(calls.error("schedule_list", "{\"state\": \"asleep\"}"))
        .contains("The states are waiting, parked, due");
  }

  @Test
  void whatIsNoTextIsToldInHexadecimalDigitsAsItWasSent() {
    try (var socket = rpc.webSocket()) {
      socket.call("schedule_subscribe", "[]");
      calls.result("recurring_scheduleNotifyTask", NOTIFY.replace("pay the rent", "0x00ff"));
      rpc.scheduler.pass(Duration.ofMinutes(61));
      var events = socket.next().at("/params/result/events");
      assertThat(ofType("notified", events).findValuesAsText("message")).containsExactly("0x00ff");
      assertThat(ofType("ended", events).get(0).at("/target/message").asText()).isEqualTo("0x00ff");
    }
  }

  @Test
  void theMethodsOfOneFamilyLeaveTheSchedulesOfAnotherAlone() {
    var task = calls.result("recurring_scheduleNotifyTask", NOTIFY).get("taskId").asText();
    assertThat(
            calls.error(
                "gasPriority_cancel", "{\"senderAddr\": \"alice\", \"txnId\": \"" + task + "\"}"))
        .startsWith("SQ010107: params[0].txnId cannot be read.")
        .contains("family recurring", "those of gas-priority", "schedule_cancel");
    assertThat(
            calls.error(
                "recurring_cancelTask",
                "{\"owner\": \"alice\", \"taskId\": \"gas-priority:0x" + "1".repeat(64) + "\"}"))
        .startsWith("SQ010107: params[0].taskId cannot be read.");
    assertThat(rpc.result("schedule_overview", "[]").get("schedules").asInt()).isOne();
  }

  @Test
  void aTaskIsCancelledByItsOwnerOrByForce() {
    var task = calls.result("recurring_scheduleNotifyTask", NOTIFY).get("taskId").asText();
    assertThat(
            calls.error(
                "recurring_cancelTask", "{\"owner\": \"bob\", \"taskId\": \"" + task + "\"}"))
        .startsWith("SQ020302: ");
    calls.result("recurring_forceCancelTask", "{\"taskId\": \"" + task + "\"}");
    assertThat(calls.explain(ScheduleCalls.text(task)).at("/history/0/outcome").asText())
        .isEqualTo("cancelled");
  }

  @Test
  void aPrivateTransactionIsCheckedWhenItIsScheduled() {
    calls.result("recurring_schedulePrivateTransactionTask", PRIVATE_TASK);
    var listed = rpc.result("schedule_list", "[{\"family\": \"recurring\"}]");
    assertThat(listed.at("/schedules/0/target/data/amount").asText()).isEqualTo("5");
    assertThat(listed.at("/schedules/0/state").asText()).isEqualTo("waiting");
    assertThat(listed.get("next").isNull()).isTrue();
  }

  @Test
  void aCallOfAContractIsScheduledAsATask() {
    calls.result(
        "recurring_schedulePublicTransactionTask",
        """
        {"owner": "alice", "providedId": "poke", "cron": "0 12 * * *",
         "transaction": {"type": "public", "from": "alice", "to": "0x%s", "data": "0x371303c0",
                         "gas": 50000}}
        """
            .formatted("33".repeat(20)));
    var target =
        rpc.result("schedule_list", "[{\"family\": \"recurring\"}]").at("/schedules/0/target");
    assertThat(target.get("type").asText()).isEqualTo("public");
    assertThat(target.get("from").asText()).isEqualTo("alice@node1");
    assertThat(target.get("data").asText()).isEqualTo("0x371303c0");
    assertThat(target.get("gas").asLong()).isEqualTo(50_000);
  }

  @Test
  void aTaskThatCallsContractsTakesNoPrivateTransaction() {
    assertThat(calls.error("recurring_schedulePublicTransactionTask", PRIVATE_TASK))
        .endsWith("transaction.type must be public.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "alice@node1 | bob@node2 | SQ020003: Send it to node node2",
        "alice@node1 | zoe@node1 | SQ020004: zoe@node1 is no member",
        "0x1111111111111111111111111111111111111111 | 0x2222222222222222222222222222222222222222 |"
            + " SQ020001: This node is in no privacy group",
        "\"amount\": \"5\" | \"amount\": \"-5\" | SQ020005: ",
        "\"type\": \"private\" | \"type\": \"public\" | SQ010206: ",
        "\"type\": \"private\" | \"type\": \"private\", \"idempotencyKey\": \"k\" | SQ010206: ",
      })
  void aPrivateTransactionThatCannotRunHereIsRefusedAtOnce(
      String from, String wrong, String message) {
    assertThat(
            calls.error(
                "recurring_schedulePrivateTransactionTask", PRIVATE_TASK.replace(from, wrong)))
        .startsWith(message);
    assertThat(rpc.result("schedule_overview", "[]").get("schedules").asInt()).isZero();
  }

  @Test
  void theFirstTimeOfASeriesIsWrittenAsTheTimesOfATaskAre() {
    var series =
        """
        {"owner": "alice", "providedId": "%s", "first": %s, "frequency": "PT2H", "message": "m"}
        """;
    calls.result("recurring_scheduleNotifyTask", series.formatted("a", "1795276800"));
    calls.result("recurring_scheduleNotifyTask", series.formatted("b", "\"2026-11-21T16:00:00Z\""));
    var listed = rpc.result("schedule_list", "[]").get("schedules");
    assertThat(listed.findValuesAsText("first"))
        .containsExactly("2026-11-21T16:00:00Z", "2026-11-21T16:00:00Z");
  }
}
