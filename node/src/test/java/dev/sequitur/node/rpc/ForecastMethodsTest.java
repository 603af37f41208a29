package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What each family foretells over JSON-RPC. */
class ForecastMethodsTest {
  private RunningRpc rpc = RunningRpc.withDefaults();

  @AfterEach
  void stop() {
    rpc.close();
  }

  @Test
  void ofExecutionsItSaysWhatThePlansCostAndHowManyAreLeft() {
    call("schedule_fund", "{\"account\": \"alice\", \"amount\": \"1000\"}");
    var plan =
        "{\"sender\": \"operator\", \"price\": \"%s\", \"window\": %s, \"gasLimit\": \"10\"}";
    call("plans_addPlan", plan.formatted("10", "60"));
    call("plans_addPlan", plan.formatted("4", "9223372036854775807"));
    call("plans_addPlan", plan.formatted("1", "60"));
    call("plans_removePlan", "{\"sender\": \"operator\", \"plan\": 2}");
    call(
        "plans_purchase",
        "{\"sender\": \"alice\", \"plan\": 0, \"quantity\": 3, \"value\": \"30\"}");

    var forecast =
        forecast(
            "plan-execution", "2026-11-21T10:05:00Z", ", \"requestor\": \"alice\", \"plan\": 0");

    assertThat(forecast.get("price").asText()).isEqualTo("4");
    assertThat(forecast.get("full").asBoolean()).isFalse();
    assertThat(forecast.get("why").isNull()).isTrue();
    assertThat(forecast.get("remainingExecutions").asLong()).isEqualTo(3);
    var plans = forecast.get("plans");
    assertThat(plans.findValuesAsText("plan")).containsExactly("0", "1");
    assertThat(plans.at("/0/earliest").asText()).isEqualTo("2026-11-21T10:04:00Z");
    assertThat(plans.at("/0/latest").asText()).isEqualTo("2026-11-21T10:06:00Z");
    assertThat(plans.at("/1/latest").asText()).isEqualTo("2261-12-31T23:59:59Z");
  }

  @Test
  void ofSignedSchedulesItSaysFeesThrottlesAndHowLongTheyWait() {
    var forecast = forecast("multi-signature", "2026-11-21T10:05:00Z", "");
    assertThat(forecast.get("price").asText()).isEqualTo("11");
    assertThat(forecast.get("capacity").asInt()).isEqualTo(1_800_000);
    assertThat(forecast.at("/fees/privateTransaction").asText()).isEqualTo("10");
    assertThat(forecast.at("/throttles/sign").asLong()).isEqualTo(10_000);
    assertThat(forecast.get("txExpiryTimeSecs").asLong()).isEqualTo(1_800);
    assertThat(forecast.get("maxFutureSecs").isNull()).isTrue();

    rpc.close();
    rpc = RunningRpc.withProfileCurrent();
    var current = forecast("multi-signature", "2026-11-21T10:05:00Z", "");
    assertThat(current.get("capacity").asInt()).isEqualTo(1_000);
    assertThat(current.get("maxFutureSecs").asLong()).isEqualTo(5_356_800);
  }

  /** In seconds from now, by the clock on the wall. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gas-priority | -3600 | It has passed",
        "recurring | -3600 | It has passed, or has begun",
        "recurring | 34560000 | It lies further ahead",
        "plan-execution | -60 | It has passed",
        "multi-signature | -60 | It has passed",
      })
  void whatTakesNoScheduleSaysWhy(String family, long seconds, String why) {
    rpc.scheduler.pass(Duration.between(Sample.NOW, Instant.now()));
    var forecast = forecast(family, Instant.now().plusSeconds(seconds).toString(), "");
    assertThat(forecast.get("full").asBoolean()).isTrue();
    assertThat(forecast.get("why").asText()).startsWith(why);
  }

  @Test
  void anExecutionThatIsTooNearIsToldAsThat() {
    // An hour ahead of the clock on the wall, and standing still, however slow this machine is.
    var now = Instant.now().plusSeconds(3_600);
    rpc.scheduler.pass(Duration.between(Sample.NOW, now));
    var soon = now.plusSeconds(5).toString();
    assertThat(forecast("plan-execution", soon, "").get("why").asText())
        .startsWith("It is too near");
  }

  private JsonNode forecast(String family, String at, String more) {
    return call(
        "schedule_forecast", "{\"family\": \"%s\", \"at\": \"%s\"%s}".formatted(family, at, more));
  }

  private JsonNode call(String method, String object) {
    return rpc.result(method, "[" + object + "]");
  }
}
