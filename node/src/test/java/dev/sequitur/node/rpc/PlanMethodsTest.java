package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.plan.PlanExecutionAbi;
import dev.sequitur.schedule.plan.PlanTerms;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The functions of the contract that sells executions, on queues of the rules alone. */
class PlanMethodsTest {
  private static final String EXECUTION =
      """
      {"sender": "alice", "plan": 0, "timestamp": "2026-11-21T10:05:00Z",
       "target": {"type": "transfer", "to": "bob", "amount": "25"}}
      """;

  private final ScheduleCalls calls = ScheduleCalls.withAliceFunded();
  private final RunningRpc rpc = calls.rpc();

  @BeforeEach
  void sellExecutions() {
    calls.result(
        "plans_addPlan",
        "{\"sender\": \"operator\", \"price\": \"10\", \"window\": 60, \"gasLimit\": \"100\"}");
    calls.result(
        "plans_purchase",
        "{\"sender\": \"alice\", \"plan\": 0, \"quantity\": 2, \"value\": \"20\"}");
  }

  @AfterEach
  void stop() {
    calls.close();
  }

  @Test
  void anExecutionRunsInItsWindowAndItsStateIsTheContracts() {
    var id = calls.result("plans_schedule", EXECUTION).at("/ids/0").asText();
    assertThat(state(id)).isEqualTo("Scheduled");
    rpc.scheduler.pass(Duration.ofMinutes(5));
    assertThat(state(id)).isEqualTo("ExecutionSuccessful");
    assertThat(calls.balance("bob")).isEqualTo("25");
    assertThat(calls.balance("alice")).isEqualTo("955");
    assertThat(rpc.result("plans_remainingExecutions", "[\"alice\", 0]").asLong()).isOne();
    assertThat(rpc.result("plans_executionsByRequestorCount", "[\"alice\"]").asLong()).isOne();
    var page = rpc.result("plans_getExecutionsByRequestor", "[\"alice\", 0, 1]");
    assertThat(page.at("/0/id").asText()).isEqualTo(id);
    assertThat(page.at("/0/value").asText()).isEqualTo("25");
  }

  @Test
  void whoeverChoosesItIsRefundedUnaskedWhenItIsOverdue() {
    var chosen = EXECUTION.replace("{\"sender\"", "{\"late\": \"expire-and-refund\", \"sender\"");
    var id = calls.result("plans_schedule", chosen).at("/ids/0").asText();
    assertThat(rpc.result("schedule_get", "[\"" + id + "\"]").get("late").asText())
        .isEqualTo("expire-and-refund");
    calls.result("plans_pause", "{\"sender\": \"operator\"}");
    rpc.scheduler.pass(Duration.ofMinutes(10));
    assertThat(state(id)).isEqualTo("Overdue");
    calls.result("plans_unpause", "{\"sender\": \"operator\"}");
    rpc.scheduler.pass(Duration.ofSeconds(1));
    assertThat(state(id)).isEqualTo("Refunded");
    assertThat(calls.balance("alice")).isEqualTo("980");
    assertThat(rpc.result("plans_remainingExecutions", "[\"alice\", 0]").asLong()).isEqualTo(2);
  }

  @Test
  void anExecutionMayBeTriedSeveralTimes() {
    var chosen = EXECUTION.replace("{\"sender\"", "{\"retry\": {\"maxAttempts\": 3}, \"sender\"");
    var id = calls.result("plans_schedule", chosen).at("/ids/0").asText();
    assertThat(rpc.result("schedule_get", "[\"" + id + "\"]").get("maxAttempts").asInt())
        .isEqualTo(3);
  }

  @Test
  void aPrivateTransactionInABatchsBytesIsCheckedAsAnyOther() {
    assertThat(batched("alice@node1", "{\"to\":\"bob@node2\",\"amount\":\"5\"}").has("result"))
        .isTrue();
    assertThat(message(batched("bob@node2", "{}"))).startsWith("SQ020003: Send it to node node2");
    assertThat(message(batched("zoe@node1", "{}"))).startsWith("SQ020004: zoe@node1 is no member");
    assertThat(message(batched("alice@node1", "amount=5")))
        .isEqualTo("SQ010107: params[0].executions[0] has inputs that are no JSON.");
    assertThat(rpc.result("schedule_overview", "[]").get("schedules").asInt()).isOne();
  }

  private JsonNode batched(String from, String inputs) {
    var call =
        new Target.PrivateCall(
            Sample.CONTRACT, "token", "transfer", Identity.parse(from), Bytes.utf8(inputs));
    var terms = new PlanTerms(0, Sample.NOW.plusSeconds(600).getEpochSecond(), Amount.ZERO);
    return rpc.call(
        "plans_batchSchedule",
        "[{\"sender\": \"alice\", \"value\": 0, \"executions\": [\"%s\"]}]"
            .formatted(PlanExecutionAbi.execution(terms, call).toHex()));
  }

  @Test
  void anExecutionCallsAContractAndIsReadFromItsBytesToo() {
    var target =
        "{\"type\": \"public\", \"from\": \"alice\", \"to\": \"0x%s\", \"data\": \"0x371303c0\", \"gas\": 100}"
            .formatted("33".repeat(20));
    var execution =
        "{\"%s\": \"alice\", \"plan\": 0, \"timestamp\": 1795255500, \"target\": " + target + "}";
    var hashed = calls.result("plans_hash", execution.formatted("requestor"));

    var id = calls.result("plans_schedule", execution.formatted("sender")).at("/ids/0").asText();

    assertThat(id).isEqualTo(hashed.get("id").asText());
    var listed = rpc.result("schedule_get", "[\"" + id + "\"]").get("target");
    assertThat(listed.get("type").asText()).isEqualTo("public");
    assertThat(listed.get("from").asText()).isEqualTo("alice@node1");
    assertThat(hashed.get("to").asText()).isEqualTo("0x" + "33".repeat(20));
    assertThat(
            message(
                rpc.call(
                    "plans_schedule",
                    "["
                        + execution
                            .formatted("sender")
                            .replace(
                                "\"to\": \"0x" + "33".repeat(20) + "\"", "\"bytecode\": \"0x60\"")
                        + "]")))
        .contains("a call of a contract");
    var greedy = execution.formatted("sender").replace("100}", "101}");
    assertThat(message(rpc.call("plans_schedule", "[" + greedy + "]")))
        .endsWith("It needs 101 gas, and plan 0 gives 100: purchase a plan that gives enough.");
  }

  private static String message(JsonNode response) {
    return response.at("/error/message").asText();
  }

  @Test
  void anIdIsKnownBeforeItsExecutionIsScheduled() {
    var unscheduled = EXECUTION.replace("\"sender\"", "\"requestor\"");
    var hashed = calls.result("plans_hash", unscheduled);
    var byCall =
        calls.result(
            "plans_hash",
            """
            {"requestor": "alice", "plan": 0, "timestamp": 1795255500, "value": "25",
             "to": "%s", "data": "%s"}
            """
                .formatted(hashed.get("to").asText(), hashed.get("data").asText()));
    assertThat(byCall).isEqualTo(hashed);
    assertThat(state(hashed.get("id").asText())).isEqualTo("Nonexistent");

    var id = calls.result("plans_schedule", EXECUTION).at("/ids/0").asText();

    assertThat(id).isEqualTo(hashed.get("id").asText());
    var execution = rpc.result("plans_getExecutionById", "[\"" + id + "\"]");
    assertThat(execution.get("to")).isEqualTo(hashed.get("to"));
    assertThat(execution.get("data").asText()).isEqualTo("0x");
    assertThat(
            rpc.error("plans_hash", "[{\"requestor\": \"alice\", \"plan\": 0, \"timestamp\": 1}]")
                .get("message")
                .asText())
        .contains("must have either target, or to and data");
  }

  @Test
  void theContractsOwnIdIsTakenToo() {
    var id = calls.result("plans_schedule", EXECUTION).at("/ids/0").asText();
    assertThat(state(id.substring(id.indexOf(':') + 1))).isEqualTo("Scheduled");
    assertThat(state("0x" + "00".repeat(32))).isEqualTo("Nonexistent");
  }

  @Test
  void aMulticallCancelsAndRefundsAPlanInOneStep() {
    var id = calls.result("plans_schedule", EXECUTION).at("/ids/0").asText();
    calls.result("plans_pause", "{\"sender\": \"operator\"}");
    var answer =
        calls.result(
            "plans_multicall",
            """
            {"sender": "alice", "revertIfFails": true, "calls": [
              {"function": "cancelScheduling", "id": "%s"},
              {"function": "requestPlanRefund", "plan": 0}]}
            """
                .formatted(id));
    assertThat(answer.get("kept").asBoolean()).isTrue();
    assertThat(calls.balance("alice")).isEqualTo("1000");
    assertThat(rpc.result("schedule_audit", "[]").get("conserved").asBoolean()).isTrue();
  }

  @Test
  void aMulticallThatFailsNamesTheCallAndUndoesAll() {
    var answer =
        calls.result(
            "plans_multicall",
            """
            {"sender": "alice", "revertIfFails": true, "calls": [
              {"function": "purchase", "plan": 0, "quantity": 1, "value": "10"},
              {"function": "requestPlanRefund", "plan": 0},
              {"function": "purchase", "plan": 0, "quantity": 1, "value": "10"}]}
            """);
    assertThat(answer.get("kept").asBoolean()).isFalse();
    assertThat(answer.at("/each/0").isNull()).as("what was undone").isTrue();
    assertThat(answer.at("/each/1/error").asText()).startsWith("SQ020314: ");
    assertThat(answer.get("each").size()).as("what came after it was not tried").isEqualTo(2);
    assertThat(calls.balance("alice")).isEqualTo("980");
  }

  @Test
  void noneAtAllIsTakenAndNothingIsSent() {
    assertThat(
            calls.result(
                "plans_batchSchedule", "{\"sender\": \"alice\", \"executions\": [], \"value\": 0}"))
        .isEqualTo(RunningRpc.parse("{\"ids\": []}"));
    assertThat(calls.result("plans_multicall", "{\"sender\": \"alice\", \"calls\": []}"))
        .isEqualTo(RunningRpc.parse("{\"kept\": true, \"each\": []}"));
    var nothing = EXECUTION.replace("\"25\"", "\"0\"");
    var hashed = calls.result("plans_hash", nothing.replace("\"sender\"", "\"requestor\""));

    var id = calls.result("plans_schedule", nothing).at("/ids/0").asText();

    assertThat(id).isEqualTo(hashed.get("id").asText());
    rpc.scheduler.pass(Duration.ofMinutes(5));
    assertThat(state(id)).isEqualTo("ExecutionSuccessful");
    assertThat(calls.balance("bob")).isEqualTo("0");
    assertThat(calls.balance("alice")).isEqualTo("980");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "plans_addPlan | {\"sender\": \"alice\", \"price\": 1, \"window\": 1, \"gasLimit\": 10} |"
            + " SQ020302: ",
        "plans_addPlan | {\"sender\": \"operator\", \"price\": 1, \"window\": 1, \"gasLimit\": 9} |"
            + " SQ020320: Each execution needs 10 gas at least",
        "plans_addPlan | {\"sender\": \"operator\", \"price\": 1, \"window\": 1} |"
            + " SQ010107: params[0].gasLimit is missing",
        "plans_purchase | {\"sender\": \"alice\", \"plan\": 0, \"quantity\": 1, \"value\": \"9\"} |"
            + " SQ020316: ",
        "plans_purchase | {\"sender\": \"alice\", \"plan\": 7, \"quantity\": 1} | SQ020314: ",
        "plans_execute | {\"sender\": \"alice\", \"id\": \"0x00\", \"gas\": 1} | SQ010107:"
            + " params[0].id cannot be read.",
        "plans_batchSchedule | {\"sender\": \"alice\", \"executions\": [], \"value\": 1} |"
            + " SQ020316: The executions send 0: send just that.",
        "plans_batchSchedule | {\"sender\": \"alice\", \"executions\": [\"0x00\"], \"value\": 0} |"
            + " SQ010107: params[0].executions[0] cannot be read.",
        "plans_multicall | {\"sender\": \"alice\"} | SQ010107: params[0].calls is missing",
        "plans_setPayee | {\"sender\": \"operator\", \"payee\":"
            + " \"0x0000000000000000000000000000000000000000\"} | SQ020302: The zero address is no",
        "plans_schedule | {\"sender\": \"alice\", \"plan\": 0, \"timestamp\":"
            + " 9223372036854775807, \"target\": {\"type\": \"notify\", \"message\": \"m\"}} |"
            + " SQ020304: A queue's clock ends",
        "plans_schedule | {\"sender\": \"alice\", \"plan\": 0, \"timestamp\": 1, \"target\":"
            + " {\"type\": \"notify\", \"message\": \"m\"}} | SQ020303: ",
        "plans_schedule | {\"sender\": \"alice\", \"plan\": 0, \"timestamp\":"
            + " \"2026-11-21T10:05:00Z\", \"late\": \"run-all\", \"target\": {\"type\": \"notify\","
            + " \"message\": \"m\"}} | SQ020314: The plan's window",
        "plans_schedule | {\"sender\": \"bob\", \"plan\": 0, \"timestamp\":"
            + " \"2026-11-21T10:05:00Z\", \"target\": {\"type\": \"notify\", \"message\": \"m\"}} |"
            + " SQ020318: Purchase an execution",
        "plans_removePlan | {\"sender\": \"operator\", \"plan\": 9} | SQ020314: ",
        "plans_setPayee | {\"sender\": \"operator\", \"payee\": \"@held\"} | SQ020302: ",
        "plans_setPayee | {\"sender\": \"operator\", \"payee\": \" till\"} | SQ010107:"
            + " params[0].payee cannot be read. A name does not begin or end with a space.",
        "plans_setPayee | {\"sender\": \"operator\", \"payee\": \"ti\\u0000ll\"} | SQ010107:"
            + " params[0].payee cannot be read. A name or key has",
        "plans_addPlan | {\"sender\": \"operator\", \"price\": 1, \"window\": 1, \"gasLimit\": 10,"
            + " \"token\": \"\\u0000\"} | SQ010107: params[0].token cannot be read. A name or key",
        "plans_approve | {\"sender\": \"alice\", \"token\": \" usd\", \"amount\": 1} | SQ010107:"
            + " params[0].token cannot be read. A name does not begin",
        "plans_schedule | {\"sender\": \"alice\", \"plan\": 0, \"target\": {\"type\": \"notify\","
            + " \"message\": \"m\"}} | SQ010107: params[0].timestamp is missing: send a time such as"
            + " 2030-01-31T12:00:00Z, or seconds since 1970.",
        "plans_hash | {\"requestor\": \"alice\", \"plan\": 0, \"timestamp\":"
            + " \"2030-01-01T00:00:00.5Z\", \"to\": \"bob\", \"value\": \"1\", \"nonce\": \"1\"} |"
            + " SQ010107: params[0].timestamp is counted in seconds: send a time without a finer"
            + " part, such as 2030-01-01T00:00:00Z.",
        "plans_hash | {\"requestor\": \"alice\", \"plan\": 0, \"timestamp\": 9214646400, \"to\":"
            + " \"0x0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a\"} | SQ010107: params[0].timestamp is too"
            + " far away. A queue's clock ends in the year 2262: name a time before that.",
        "plans_hash | {\"requestor\": \"alice\", \"plan\": 0, \"timestamp\": 9214646400,"
            + " \"target\": {\"type\": \"notify\", \"message\": \"m\"}} | SQ010107:"
            + " params[0].timestamp is too far away.",
        "plans_hash | {\"requestor\": \"alice\", \"plan\": 0, \"timestamp\": 1, \"to\": \"bob\"} |"
            + " SQ010107: params[0].to cannot be read. An address is 0x and 40 hexadecimal digits.",
        "plans_cancelScheduling | {\"sender\": \"alice\", \"id\":"
            + " \"recurring:0x705b896243081e8f453edbc36dcb8eed989ca56a436a8e525e42dd428dacbbe8\"} |"
            + " SQ010107: params[0].id cannot be read. This is a schedule of the family recurring",
        "plans_unpause | {\"sender\": \"operator\"} | SQ020314: It is active already.",
        "plans_approve | {\"sender\": \"alice\", \"token\": \"usd\", \"amount\": 1} | SQ020314: ",
        "plans_requestPlanRefund | {\"sender\": \"alice\", \"plan\": 0} | SQ020314: Plans are",
        "plans_purchase | {\"sender\": \"alice\", \"plan\": 0, \"quantity\": 100, \"value\":"
            + " 1000} | SQ020310: ",
        "plans_multicall | {\"sender\": \"alice\", \"calls\": [{\"function\": \"burn\"}]} |"
            + " SQ010107: params[0].calls[0].function must be addPlan, removePlan",
        "plans_multicall | {\"sender\": \"alice\", \"calls\": [7]} | SQ010107: params[0].calls[0]",
      })
  void aWrongCallGetsASentence(String method, String object, String message) {
    assertThat(rpc.error(method, "[" + object + "]").get("message").asText()).startsWith(message);
  }

  private String state(String id) {
    return rpc.result("plans_getState", "[\"" + id + "\"]").get("state").asText();
  }
}
