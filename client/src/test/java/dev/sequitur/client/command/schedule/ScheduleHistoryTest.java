package dev.sequitur.client.command.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.console.RecordedConsole;
import dev.sequitur.node.rpc.RunningRpc;
import dev.sequitur.node.rpc.Sample;
import dev.sequitur.node.rpc.ScheduleCalls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a run leaves behind, by JSON-RPC and by the command line (SCH-22). */
class ScheduleHistoryTest {
  private static final String PRIVATE_TASK =
      """
      {"owner": "alice", "providedId": "monthly", "times": ["2026-11-21T11:00:00Z"],
       "transaction": {"type": "private", "from": "alice@node1", "to": "%s",
        "function": "transfer", "data": {"to": "bob@node2", "amount": "5"}}}
      """
          .formatted(Sample.CONTRACT);

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
  void whileItRunsThePrivateTransactionIsNamed() {
    rpc.scheduler.answering = false;
    var id = calls.result("recurring_schedulePrivateTransactionTask", PRIVATE_TASK).get("taskId");
    try (var socket = rpc.webSocket()) {
      socket.call("schedule_subscribe", "[]");
      rpc.scheduler.pass(Duration.ofMinutes(61));

      var got = of("schedule_get", id);
      assertThat(got.get("state").asText()).isEqualTo("submitted");
      var transaction = got.at("/execution/transaction").asText();
      assertThat(transaction).hasSize(36);
      assertThat(of("schedule_explain", id).get("transaction").asText()).isEqualTo(transaction);
      var event = socket.next().at("/params/result/events/0");
      assertThat(event.get("type").asText()).isEqualTo("submitted");
      assertThat(event.get("schedule")).isEqualTo(id);
      assertThat(event.get("attempt").asInt()).isOne();
      assertThat(event.get("transaction").asText()).isEqualTo(transaction);
      assertThat(run("explain " + id.asText())).endsWith("transaction " + transaction);
    }
  }

  @Test
  void whatHasEndedNamesThePrivateTransactionThatItRan() {
    var id = calls.result("recurring_schedulePrivateTransactionTask", PRIVATE_TASK).get("taskId");
    try (var socket = rpc.webSocket()) {
      socket.call("schedule_subscribe", "[]");
      rpc.scheduler.pass(Duration.ofMinutes(61));
      rpc.scheduler.pass(Duration.ofSeconds(1));

      var explained = of("schedule_explain", id);
      assertThat(explained.has("transaction")).isFalse();
      var transaction = explained.at("/history/0/transaction").asText();
      assertThat(transaction).hasSize(36);
      assertThat(rpc.result("schedule_getOutcomes", "[]").at("/outcomes/0/transaction"))
          .isEqualTo(explained.at("/history/0/transaction"));
      var ended = List.of(socket.next(), socket.next()).toString();
      assertThat(ended).contains("\"outcome\":\"run\"", transaction);
      assertThat(run("explain " + id.asText())).contains("transaction " + transaction);
      assertThat(run("outcomes")).contains("transaction " + transaction);
    }
  }

  @Test
  void whatARunCostIsTold() {
    var id = calls.result("gasPriority_insert", INSERT).get("id");
    try (var socket = rpc.webSocket()) {
      socket.call("schedule_subscribe", "[]");
      rpc.scheduler.pass(Duration.ofMinutes(5));

      var cost = of("schedule_explain", id).at("/history/0/cost");
      assertThat(cost)
          .isEqualTo(
              RunningRpc.parse(
                  """
                  {"gasUnitPrice": "1", "gasUsed": "10", "charged": "10", "refunded": "290"}
                  """));
      assertThat(rpc.result("schedule_getOutcomes", "[]").at("/outcomes/0/cost")).isEqualTo(cost);
      assertThat(socket.next().at("/params/result/events/0/cost")).isEqualTo(cost);
      assertThat(run("explain " + id.asText()))
          .contains("charged 10: 10 gas at 1 each, 290 given back");
      assertThat(run("outcomes")).containsPattern("1/0 +10 +290");
    }
  }

  @Test
  void aRepetitionIsFollowedToTheNextAndCancelledByItsFirstId() {
    var repeat =
        INSERT.replace(
            "{\"type\": \"transfer\", \"to\": \"bob\", \"amount\": \"25\"}",
            """
            {"type": "repeat", "every": "PT1M", "more": 9,
             "action": {"type": "notify", "message": "tea"}}""");
    var first = calls.result("gasPriority_insert", repeat).get("id");
    try (var socket = rpc.webSocket()) {
      socket.call("schedule_subscribe", "[]");
      rpc.scheduler.pass(Duration.ofMinutes(5));

      var next = of("schedule_explain", first).at("/history/0/rescheduledAs");
      assertThat(next.asText()).startsWith("gas-priority:0x");
      var events = socket.next().at("/params/result/events");
      assertThat(events.findValues("rescheduledAs")).containsExactly(next);
      assertThat(run("explain " + first.asText())).contains("scheduled anew as " + next.asText());
      assertThat(run("outcomes")).contains("scheduled anew as " + next.asText());
      rpc.scheduler.pass(Duration.ofSeconds(1));
      assertThat(of("schedule_get", first).get("id")).isEqualTo(next);
      assertThat(of("schedule_get", next).at("/terms/repetitionOf")).isEqualTo(first);
      assertThat(run("explain " + first.asText()))
          .startsWith("It has run, and goes on as " + next.asText());
      calls.result("schedule_cancel", "{\"as\": \"alice\", \"id\": %s}".formatted(first));
      assertThat(run("list")).isEqualTo("Nothing waits or runs.");
    }
  }

  @Test
  void whatEndedIsToldWithWhatItWasAboutAndFoundByWhoseItWasAndHow() {
    var id = calls.result("gasPriority_insert", INSERT).get("id").asText();
    rpc.scheduler.pass(Duration.ofMinutes(5).plusMillis(3));
    rpc.scheduler.pass(Duration.ofSeconds(1));

    assertThat(run("show " + id))
        .containsPattern("owner +alice")
        .containsPattern("ran +pays 25 to bob")
        .containsPattern("wanted at +2026-11-21T10:05:00Z");
    assertThat(run("explain " + id))
        .contains("pays 25 to bob, wanted at 2026-11-21T10:05:00Z")
        .contains("attempt 1 at 2026-11-21T10:05:00.003Z, 3 ms late");
    assertThat(run("outcomes --owner alice --outcome run"))
        .containsPattern("run +alice +paid 25 to bob, 3 ms late, 10 charged, balance 965 +" + id);
    assertThat(run("outcomes --outcome failed")).startsWith("Nothing has ended from there on.");
    assertThat(run("outcomes --until 2026-11-21T10:00:00Z")).startsWith("Nothing has ended");
    assertThat(run("outcomes --since 2026-11-21T10:00:00Z")).contains(id);
  }

  @Test
  void eachEventIsALineInWordsAndTheNextCallGoesOnBehindIt() {
    var id = calls.result("gasPriority_insert", INSERT).get("id").asText();
    rpc.scheduler.pass(Duration.ofMinutes(5).plusMillis(3));
    rpc.scheduler.pass(Duration.ofSeconds(1));
    calls.result("schedule_shutdown", "{\"family\": \"gas-priority\"}");
    rpc.scheduler.pass(Duration.ofSeconds(1));

    assertThat(run("events"))
        .contains("1  2026-11-21T10:05:00.003Z  " + id)
        .contains("alice's run: paid 25 to bob, 3 ms late, 10 charged, balance 965")
        .contains("nothing is left of gas-priority")
        .endsWith("Go on with --from 3.");
    assertThat(run("events --from 3"))
        .isEqualTo("Nothing has happened from there on.\nGo on with --from 3.");
    assertThat(run("events --owner bob")).startsWith("Nothing has happened");
  }

  @Test
  void whatWasDoneToAScheduleByHandIsALineWithWhoAndWhy() {
    var id = calls.result("gasPriority_insert", INSERT).get("id").asText();
    run("pause " + id + " --as alice --note agreed");
    run("resume " + id + " --as alice");
    assertThat(run("events --type intervened"))
        .contains(id + "  pause by alice (agreed)\n", id + "  resume by alice\n");
  }

  @Test
  void aStatementSaysWhatWasPaidToWhomAndWhatIsLeft() {
    var id = calls.result("gasPriority_insert", INSERT).get("id").asText();
    rpc.scheduler.pass(Duration.ofMinutes(5));

    assertThat(run("statement alice"))
        .startsWith("Before these lines it had 0.\n")
        .containsPattern("funded +\\+1000")
        .containsPattern("paid +-25 +bob +" + id)
        .containsPattern("charged +-10 +" + id)
        .containsPattern("given-back +290 +" + id)
        .endsWith("alice can spend 965, and 0 more is set aside. Go on with --from 2.");
    assertThat(run("statement bob")).containsPattern("received +\\+25 +alice +" + id);
    assertThat(run("statement carol")).contains("Nothing has moved its money");
  }

  @Test
  void runsThatAreLeftAreThoseThatHaveNotEnded() {
    calls.fund("carol", "10");
    var id =
        calls
            .result(
                "recurring_scheduleNotifyTask",
                """
                {"owner": "carol", "providedId": "walk", "first": "2026-11-21T11:00:00Z",
                 "frequency": "PT1H", "runs": 5, "message": "walk the dog"}
                """)
            .get("taskId")
            .asText();
    assertThat(run("show " + id)).containsPattern("runs left +5 of 5");
    rpc.scheduler.pass(Duration.ofMinutes(61));
    assertThat(run("show " + id)).containsPattern("runs left +4 of 5");
  }

  /** Whoever asks a moment later is answered as before, only shorter. */
  @Test
  void aScheduleThatHasLeftTheQueueStillHasItsLastOutcome() {
    var id = calls.result("gasPriority_insert", INSERT).get("id");
    assertThat(of("schedule_get", id).has("lastOutcome")).isFalse();
    rpc.scheduler.pass(Duration.ofMinutes(5));
    var ended = of("schedule_get", id);
    assertThat(ended.get("state").asText()).isEqualTo("settled");
    assertThat(ended.at("/lastOutcome/outcome").asText()).isEqualTo("run");
    assertThat(ended.get("owner").asText()).isEqualTo("alice");

    rpc.scheduler.pass(Duration.ofSeconds(1));

    var gone = of("schedule_get", id);
    assertThat(gone.get("state")).isEqualTo(ended.get("state"));
    assertThat(gone.get("lastOutcome")).isEqualTo(ended.get("lastOutcome"));
    assertThat(gone.get("family")).isEqualTo(ended.get("family"));
    assertThat(gone.has("owner")).isFalse();
    assertThat(run("show " + id.asText())).contains("settled", "ended last   run at");
    var unknown = "gas-priority:0x" + "00".repeat(32);
    assertThat(rpc.result("schedule_get", "[\"" + unknown + "\"]").isNull()).isTrue();
  }

  @Test
  void aTaskThatWaitsForItsNextTimeTellsHowTheLastOneEnded() {
    var id =
        calls
            .result(
                "recurring_scheduleNotifyTask",
                """
                {"owner": "alice", "providedId": "tea", "message": "tea",
                 "times": ["2026-11-21T11:00:00Z", "2026-11-21T13:00:00Z"]}
                """)
            .get("taskId");
    rpc.scheduler.pass(Duration.ofMinutes(61));

    var got = of("schedule_get", id);

    assertThat(got.get("state").asText()).isEqualTo("waiting");
    assertThat(got.get("occurrence").asLong()).isOne();
    assertThat(got.at("/lastOutcome/occurrence").asLong()).isZero();
  }

  private JsonNode of(String method, JsonNode id) {
    return rpc.result(method, "[" + id + "]");
  }

  private String run(String command) {
    var console = new RecordedConsole();
    var words = new ArrayList<>(List.of("schedule"));
    words.addAll(List.of(command.split(" ")));
    words.addAll(List.of("--node", rpc.uri("/").toString()));
    assertThat(ScheduleConsole.execute(console, words)).as(console.err()).isZero();
    return console.out().strip();
  }
}
