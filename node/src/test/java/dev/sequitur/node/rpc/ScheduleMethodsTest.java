package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.schedule.Refusal;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the methods of all families have in common, on queues of the rules alone. */
class ScheduleMethodsTest {
  private final ScheduleCalls calls = ScheduleCalls.withAliceFunded();
  private final RunningRpc rpc = calls.rpc();

  @AfterEach
  void stop() {
    calls.close();
  }

  @Test
  void aKeyIsItsMethodsOwn() {
    calls.result(
        "schedule_fund", "{\"account\": \"carol\", \"amount\": \"5\", \"idempotencyKey\": \"k\"}");
    calls.result(
        "schedule_fund", "{\"account\": \"carol\", \"amount\": \"5\", \"idempotencyKey\": \"k\"}");
    calls.result(
        "schedule_withdraw",
        "{\"account\": \"carol\", \"amount\": \"2\", \"idempotencyKey\": \"k\"}");
    assertThat(calls.balance("carol")).isEqualTo("3");
  }

  @Test
  void aCommandThatIsTooOldToBeKnownIsRefusedAndNotDone() {
    var fund =
        "{'account': 'carol', 'amount': '5', 'idempotencyKey': 'old', 'firstSent': '%s'}"
            .replace('\'', '"');

    assertThat(
            rpc.error("schedule_fund", "[" + fund.formatted("2020-01-31T12:00:00Z") + "]")
                .get("message")
                .asText())
        .startsWith("SQ020322: It was first sent at 2020-01-31T12:00:00Z, and a queue");
    assertThat(calls.balance("carol")).isEqualTo("0");

    calls.result("schedule_fund", fund.formatted(Instant.now()));
    assertThat(calls.balance("carol")).isEqualTo("5");
  }

  /** The first six bytes of such a key are its time; the one below is of 2022. */
  @Test
  void aKeyThatHasItsTimeInItIsRefusedOnceItMayBeForgotten() {
    var fund = "{'account': 'carol', 'amount': '5', 'idempotencyKey': '%s'}".replace('\'', '"');
    var old = "017F22E2-79B0-7CC3-98C4-DC0C0C07398F";

    assertThat(rpc.error("schedule_fund", "[" + fund.formatted(old) + "]").get("message").asText())
        .startsWith("SQ020322: It was first sent at 2022-02-22T19:22:22Z, and a queue");
    assertThat(calls.balance("carol")).isEqualTo("0");

    var time = "%012x".formatted(System.currentTimeMillis());
    var fresh = time.substring(0, 8) + "-" + time.substring(8) + "-7cc3-98c4-dc0c0c07398f";
    calls.result("schedule_fund", fund.formatted(fresh));
    calls.result("schedule_fund", fund.formatted(fresh));
    assertThat(calls.balance("carol")).isEqualTo("5");

    // Of another version, or with something around it: no time is known.
    calls.result("schedule_fund", fund.formatted(old.replace("-7CC3", "-4CC3")));
    calls.result("schedule_fund", fund.formatted("fund " + old));
    assertThat(calls.balance("carol")).isEqualTo("15");
  }

  @Test
  void overHttpNothingCanBeSubscribedTo() {
    assertThat(rpc.error("schedule_subscribe", "[]").get("message").asText())
        .startsWith("SQ010108: ");
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
        "gasPriority_getReadyTransactions | [-1] | SQ010107: params[0] (timestampMs) must be a whole"
            + " number from 0 to 9223372036854775807.",
        "schedule_forecast | [{\"family\": \"recurring\", \"at\": \"x\"}] | SQ010107:"
            + " params[0].at cannot be read. A time looks like 2030-01-31T12:00:00Z",
        "schedule_forecast | [{\"family\": \"recurring\", \"at\": \"2262-01-01T00:00:00Z\"}] |"
            + " SQ010107: params[0].at is too far away. A queue's clock ends in the year 2262: name a"
            + " time before that.",
        "recurring_freeSlots | [{\"from\": \"9999-12-31T00:00:00Z\"}] | SQ010107: params[0].from is"
            + " too far away. A queue's clock ends in the year 2262: name a time before that.",
        "recurring_scheduleNotifyTask | [{\"owner\": \"a\", \"providedId\": \"i\", \"message\":"
            + " \"m\", \"times\": [9214646400]}] | SQ010107: params[0].times[0] is too far away."
            + " A queue's clock ends in the year 2262: name a time before that.",
        "recurring_scheduleNotifyTask | [{\"owner\": \"a\", \"providedId\": \"i\", \"message\":"
            + " \"m\", \"first\": \"2262-01-01T00:00:00Z\", \"frequency\": \"PT1H\"}] | SQ010107:"
            + " params[0].first is too far away. A queue's clock ends in the year 2262: name a time"
            + " before that.",
        "gasPriority_getReadyTransactions | [9214646400000] | SQ010107: params[0] (timestampMs) is"
            + " too far away. A queue's clock ends in the year 2262: name a time before that.",
        "multiSignature_buildTransaction | [{\"payer\": \"0.0.1001\", \"operation\": \"scheduleDelete\", \"scheduleID\": \"0.0.1003\","
            + " \"validStart\": \"2300-01-01T00:00:00Z\"}] | SQ010107: params[0].validStart is too far"
            + " away. A queue's clock ends in the year 2262: name a time before that.",
        "schedule_forecast | [{\"family\": \"recurring\", \"at\": 1795276800}] | SQ010107:"
            + " params[0].at must be a time such as 2030-01-31T12:00:00Z, not a number.",
        "schedule_forecast | [{\"family\": \"recurring\"}] | SQ010107: params[0].at is missing: send"
            + " a time such as 2030-01-31T12:00:00Z.",
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

  @ParameterizedTest
  @ValueSource(
      strings = {"1970-01-01T00:00:00Z", "2026-11-21T10:00:00Z", "2261-12-31T23:59:59.999Z"})
  void aForecastOfAnyTimeIsAnAnswer(String time) {
    for (var family : List.of("gas-priority", "recurring", "plan-execution", "multi-signature")) {
      var forecast =
          rpc.result(
              "schedule_forecast",
              "[{\"family\": \"%s\", \"at\": \"%s\"}]".formatted(family, time));
      assertThat(forecast.get("taken").asInt()).as(family).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(Refusal.Code.class)
  void eachRefusalOfAQueueHasItsRow(Refusal.Code code) {
    assertThat(ErrorCode.valueOf("SCHEDULE_" + code.name()).code()).startsWith("SQ0203");
  }
}
