package dev.sequitur.client.command.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.node.rpc.RunningRpc;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The commands of recurring tasks and of plans. */
class TimedCommandsTest {
  private ScheduleConsole cli = new ScheduleConsole(RunningRpc.withDefaults());

  @AfterEach
  void stop() {
    cli.close();
  }

  @Test
  void oneScheduleIsPausedRunNowResumedAndSkipped() {
    cli.run("fund alice 1000");
    var scheduled =
        cli.run(
            "task --owner alice --id rent --every 1h --first 2026-11-21T11:00:00Z --pay 25"
                + " --to bob");
    var id = scheduled.lines().findFirst().orElseThrow().substring("Scheduled ".length());
    var as = " " + id + " --as alice";

    assertThat(cli.run("pause" + as + " --note holiday"))
        .isEqualTo(
            "Paused %1$s: nothing of it begins until 'sequitur schedule resume %1$s'."
                .formatted(id));
    assertThat(cli.run("show " + id)).contains("paused", "pause by alice at", ": holiday");
    assertThat(cli.run("explain " + id))
        .startsWith("It is paused, and nothing of it begins until its owner resumes it.")
        .contains("Paused by alice: holiday.");
    assertThat(cli.run("list --state parked")).contains(id);
    assertThat(cli.run("run" + as)).startsWith("Started " + id);
    assertThat(cli.run("explain " + id)).contains("Run now by alice.");
    assertThat(cli.run("resume" + as)).startsWith("Resumed " + id);
    assertThat(cli.run("skip" + as + " --note market")).startsWith("Skipped: ");
    assertThat(cli.run("explain " + id)).contains("Skipped by alice: market.");
    assertThat(cli.run("show " + id)).contains("2026-11-21T12:00:00Z");
    assertThat(cli.run("balance bob")).isEqualTo("bob can spend 25.");
  }

  @Test
  void aTaskRunsAtItsTime() {
    cli.run("fund alice 1000");
    cli.run("task --owner alice --id rent --at 2026-11-21T11:00:00Z --pay 25 --to landlord");
    cli.rpc().scheduler.pass(Duration.ofMinutes(61));
    assertThat(cli.run("balance landlord")).isEqualTo("landlord can spend 25.");
  }

  @Test
  void oneScheduleIsChangedAndKeepsItsId() {
    cli.run("fund alice 1000");
    var said =
        cli.run(
            "insert --sender alice --at 2026-11-21T10:05:00Z --gas 100 --price 3 --pay 25 --to bob");
    var id = said.substring("Inserted ".length());
    assertThat(
            cli.run(
                "change "
                    + id
                    + " --as alice --at 2026-11-21T10:30:00Z --price 2 --pay 30 --to carol"
                    + " --late run-once --note agreed"))
        .isEqualTo("Changed " + id + ".");
    assertThat(cli.run("show " + id))
        .contains("2026-11-21T10:30:00Z", "2 for each of 100 gas", "pays 30 to carol", "run-once")
        .contains("change by alice at", ": agreed");
    assertThat(cli.run("balance alice")).isEqualTo("alice can spend 800.");

    var scheduled =
        cli.run("task --owner alice --id tea --every 1h --first 2026-11-21T11:00:00Z --say tea");
    var series = scheduled.lines().findFirst().orElseThrow().substring("Scheduled ".length());
    cli.run("change " + series + " --as alice --every 2h --first 2026-11-21T12:00:00Z --runs 4");
    assertThat(cli.run("show " + series)).contains("2026-11-21T12:00:00Z every 2h", "4 of 4");
  }

  /** A new rent goes to the same landlord, and a new landlord gets the same rent. */
  @Test
  void ofAPaymentTheAmountOrTheReceiverIsChangedAlone() {
    cli.run("fund alice 1000");
    for (var creation :
        List.of(
            "pay landlord 20 --as alice --at 2026-11-21T11:00:00Z",
            "every 1h --as alice --pay 20 --to landlord --first 2026-11-21T11:00:00Z")) {
      var id = cli.run(creation).lines().findFirst().orElseThrow().split(" +")[1];
      cli.run("change " + id + " --as alice --pay 30");
      assertThat(cli.run("show " + id)).contains("pays 30 to landlord");
      cli.run("change " + id + " --as alice --to carol");
      assertThat(cli.run("show " + id)).contains("pays 30 to carol");
    }
    var said = cli.run("at +1h --as alice --say tea").lines().findFirst().orElseThrow();
    assertThat(cli.execute("change " + said.split(" +")[1] + " --as alice --pay 5")).isEqualTo(2);
    assertThat(cli.err()).contains("It pays nobody yet: say --pay AMOUNT --to ACCOUNT.");
    var none = "gas-priority:0x" + "00".repeat(32);
    assertThat(cli.execute("change " + none + " --as alice --pay 5")).isOne();
    assertThat(cli.err()).contains("The queue default has no schedule " + none);
  }

  @Test
  void theNextTimeIsShownAndNotTheFirst() {
    cli.run("fund alice 1000");
    cli.run("fund carol 1");
    cli.run(
        "task --owner alice --id rent --at 2026-11-21T11:00:00Z --at 2026-11-21T13:00:00Z"
            + " --at 2026-11-21T15:00:00Z --say rent");
    cli.run("task --owner alice --id tea --every 2h --first 2026-11-21T11:00:00Z --say tea");
    cli.run("task --owner carol --id walk --every 1h --first 2026-11-21T11:00:00Z --say walk");
    assertThat(cli.run("list")).contains("2026-11-21T11:00:00Z and 2 more");
    cli.rpc().scheduler.pass(Duration.ofMinutes(61));
    cli.rpc().scheduler.pass(Duration.ofSeconds(1));
    assertThat(cli.run("list"))
        .contains(
            "waiting  2026-11-21T13:00:00Z and 1 more",
            "waiting  2026-11-21T13:00:00Z every 2h",
            "parked   every 1h")
        .doesNotContain("T11:00:00Z");
    var listed = cli.run("list --owner alice --json");
    var id = RunningRpc.parse(listed).at("/schedules/0/id").asText();
    assertThat(cli.run("show " + id)).containsPattern("next +2026-11-21T13:00:00Z");
    assertThat(cli.run("explain " + id)).contains("2026-11-21T13:00:00Z");
  }

  @Test
  void theSlotsThatAreFreeAreListed() {
    cli.run("fund alice 1000");
    cli.run("task --owner alice --id rent --at 2026-11-21T13:00:00Z --say rent");
    assertThat(cli.run("slots --from 2026-11-21T12:00:00Z --limit 2").lines().skip(1))
        .containsExactly("2026-11-21T12:00:00Z  0 of 256  1", "2026-11-21T13:00:00Z  1 of 256  1");
    assertThat(cli.run("slots --series --from 2026-11-21T13:00:00Z --limit 2").lines().skip(1))
        .containsExactly("2026-11-21T13:00:00Z  1 of 256  1", "2026-11-21T13:01:00Z  0 of 256  1");
  }

  @Test
  void aSeriesIsScheduledByFrequencyOrCronAndResumedWhenItWasParked() {
    cli.run("fund carol 1");
    var scheduled =
        cli.run("task --owner carol --id walk --every 1h --first 2026-11-21T11:00:00Z --say walk");
    assertThat(scheduled.lines().skip(1))
        .containsExactly(
            "First times: 2026-11-21T11:00:00Z, 2026-11-21T12:00:00Z, 2026-11-21T13:00:00Z,"
                + " 2026-11-21T14:00:00Z, 2026-11-21T15:00:00Z");
    var id = scheduled.lines().findFirst().orElseThrow().substring("Scheduled ".length());
    assertThat(cli.run("list --state parked")).isEqualTo("Nothing waits or runs.");
    cli.rpc().scheduler.pass(Duration.ofMinutes(61));
    assertThat(cli.run("explain " + id)).contains("It is parked", "Fund the account");
    assertThat(cli.run("list --state parked")).contains(id);
    assertThat(cli.run("list --state waiting")).isEqualTo("Nothing waits or runs.");
    assertThat(cli.run("show " + id)).contains("parked for   fee-unpaid");
    cli.run("fund carol 5");
    assertThat(cli.run("resume " + id + " --as carol")).isEqualTo("Resumed " + id + ".");
    assertThat(cli.run("explain " + id)).startsWith("It is not due yet: its slot begins at");
    var cron =
        List.of("task", "--owner", "carol", "--id", "news", "--cron", "0 9 * * *", "--zone", "UTC");
    assertThat(cli.execute(append(cron, List.of("--say", "news", "--late", "5m", "--runs", "3"))))
        .as(cli.err())
        .isZero();
    assertThat(cli.run("list --owner carol")).contains("0 9 * * * UTC", "every 1h");
  }

  private static List<String> append(List<String> first, List<String> second) {
    return Stream.concat(first.stream(), second.stream()).toList();
  }

  @Test
  void aPlanIsBoughtAndUsed() {
    cli.run("fund alice 1000");
    assertThat(cli.run("plan --price 50 --window 60 --gas 100")).isEqualTo("Added plan 0");
    assertThat(cli.run("purchase 0 2 --as alice --value 100")).isEqualTo("Executions left: 2");
    assertThat(cli.run("execution --as alice --plan 0 --at 2026-11-21T10:05:00Z --pay 25 --to bob"))
        .startsWith("Scheduled plan-execution:0x");
    assertThat(cli.run("task --help")).contains("run-all").doesNotContain("expire-and-refund");
    assertThat(cli.run("execution --help")).contains("expire-and-refund").doesNotContain("run-all");
    assertThat(
            cli.run(
                "execution --as alice --plan 0 --at 2026-11-21T10:06:00Z --pay 25 --to bob"
                    + " --late expire-and-refund --attempts 2"))
        .startsWith("Scheduled plan-execution:0x");
  }

  @Test
  void theIdOfAnExecutionIsToldBeforeItIsScheduledAsTheMethodTellsIt() {
    cli.run("fund alice 1000");
    cli.run("plan --price 50 --window 60 --gas 100");
    cli.run("purchase 0 1 --as alice --value 50");
    var execution = " --as alice --plan 0 --at 2026-11-21T10:05:00Z --pay 25 --to bob";
    var hashed =
        cli.rpc()
            .result(
                "plans_hash",
                """
                [{"requestor": "alice", "plan": 0, "timestamp": "2026-11-21T10:05:00Z",
                  "target": {"type": "transfer", "to": "bob", "amount": "25"}}]
                """);
    assertThat(RunningRpc.parse(cli.run("hash" + execution + " --json"))).isEqualTo(hashed);
    var id = hashed.get("id").asText();
    assertThat(cli.run("hash" + execution).lines())
        .containsExactly(
            id,
            "  to         " + hashed.get("to").asText(),
            "  data       0x",
            "  execution  " + hashed.get("execution").asText());
    assertThat(cli.run("list")).isEqualTo("Nothing waits or runs.");
    assertThat(cli.run("execution" + execution)).isEqualTo("Scheduled " + id);
  }

  @Test
  void whatTheProviderAndTheBuyersOfPlansDoHasACommandEach() {
    cli.run("fund alice 1000");
    cli.run("plan --price 50 --window 600 --gas 100");
    assertThat(cli.run("set-payee till")).isEqualTo("Paid to till from now on.");
    cli.run("fund alice#usd 100");
    cli.run("plan --price 3 --window 60 --gas 100 --token usd");
    assertThat(cli.run("allow usd 30 --as alice")).isEqualTo("Allowed 30 of usd.");
    cli.run("purchase 0 4 --as alice --value 200");
    assertThat(cli.run("credits alice 0")).isEqualTo("Executions left: 4");
    var first = hashed("2026-11-21T10:05:00Z");
    var second = hashed("2026-11-21T10:06:00Z");

    assertThat(
            cli.run(
                "batch %s %s --as alice --value 50"
                    .formatted(first.get("execution").asText(), second.get("execution").asText())))
        .isEqualTo(
            "Scheduled %s%nScheduled %s"
                .formatted(first.get("id").asText(), second.get("id").asText()));

    assertThat(cli.run("batch --as alice")).isEqualTo("Nothing was to be scheduled.");
    var id = first.get("id").asText();
    assertThat(cli.run("state " + id)).isEqualTo("Scheduled");
    assertThat(cli.run("execute " + id + " --gas 100")).isEqualTo("Executed " + id + ".");
    cli.rpc().scheduler.pass(Duration.ofSeconds(1));
    assertThat(cli.run("state " + id)).isEqualTo("ExecutionSuccessful");
    assertThat(
            cli.run(
                "multicall --as alice [{\"function\":\"purchase\",\"plan\":0,\"quantity\":1,\"value\":\"50\"}]"))
        .startsWith("Done:")
        .contains("\"remainingExecutions\":3");
    assertThat(cli.run("remove-plan 0")).isEqualTo("Removed plan 0.");
    assertThat(cli.run("credits alice 0")).isEqualTo("Executions left: 3");
  }

  private JsonNode hashed(String at) {
    return RunningRpc.parse(
        cli.run("hash --as alice --plan 0 --at " + at + " --pay 25 --to bob --json"));
  }

  @Test
  void anOverdueExecutionIsListedAndRefunded() {
    cli.run("fund alice 1000");
    assertThat(cli.run("plans")).startsWith("No plan was added yet.");
    cli.run("plan --price 50 --window 60 --gas 100");
    assertThat(cli.run("plans")).contains("PLAN", "0     50", "60 s", "Paid to @fees.");
    cli.run("purchase 0 2 --as alice --value 100");
    var id =
        cli.run("execution --as alice --plan 0 --at 2026-11-21T10:05:00Z --pay 25 --to bob")
            .substring("Scheduled ".length());
    cli.rpc().result("plans_pause", "[{\"sender\": \"operator\"}]");
    cli.rpc().scheduler.pass(Duration.ofMinutes(10));
    assertThat(cli.run("refund " + id + " --as alice")).isEqualTo("Refunded " + id + ".");
    assertThat(cli.run("balance alice")).isEqualTo("alice can spend 900.");
  }
}
