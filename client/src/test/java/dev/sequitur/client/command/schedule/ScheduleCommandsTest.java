package dev.sequitur.client.command.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.console.RecordedConsole;
import dev.sequitur.node.rpc.RunningRpc;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code sequitur schedule …} against an endpoint over the rules alone. */
class ScheduleCommandsTest {
  private static final String INSERT =
      "insert --sender alice --at 2026-11-21T10:05:00Z --gas 100 --price 3 --pay 25 --to bob";

  private static final String NOTHING =
      "0x0000000000000000000000000000000000000000000000000000000000000000";

  private ScheduleConsole cli = new ScheduleConsole(RunningRpc.withDefaults());

  @AfterEach
  void stop() {
    cli.close();
  }

  @Test
  void aTransactionIsInsertedListedExplainedAndCancelled() {
    assertThat(cli.run("fund alice 1000")).isEqualTo("alice can spend 1000.");
    var id = inserted(cli.run(INSERT));
    assertThat(cli.run("list")).contains(id, "alice", "waiting", "pays 25 to bob");
    assertThat(cli.run("show " + id)).contains("3 for each of 100 gas", "pays 25 to bob");
    assertThat(cli.run("explain " + id))
        .startsWith("It is not due yet: it is due at 2026-11-21T10:05:00Z.");
    assertThat(cli.run("forecast --family gas-priority --at 2026-11-21T10:05:00Z"))
        .contains("1 of 100 taken");
    assertThat(cli.run("cancel " + id + " --as alice")).isEqualTo("Cancelled " + id + ".");
    assertThat(cli.run("explain " + id)).contains("It has its outcome.", "cancelled");
    assertThat(cli.run("balance alice")).isEqualTo("alice can spend 1000.");
    assertThat(cli.run("audit")).startsWith("Conserved: ");
    assertThat(cli.run("list")).isEqualTo("Nothing waits or runs.");
  }

  @Test
  void aForecastSaysWhatAFamilyCostsAndWhyNothingCanBeScheduled() {
    cli.run("fund alice 1000");
    cli.run("plan --price 50 --window 60 --gas 100");
    cli.run("purchase 0 2 --as alice --value 100");
    var at = " --at 2026-11-21T11:00:00Z";
    assertThat(cli.run("forecast --family plan-execution --as alice --plan 0" + at))
        .contains(
            "0 are scheduled, and a block executes 100; an execution costs at least 50.",
            "0     50     -      2026-11-21T10:59:00Z  2026-11-21T11:01:00Z",
            "Executions left: 2");
    assertThat(cli.run("forecast --family multi-signature" + at))
        .contains("0 of at most 1800000 still wait", "at least 11.", "create", "at most 1000");
    assertThat(cli.run("forecast --family recurring" + at))
        .isEqualTo("From 2026-11-21T11:00:00Z: 0 of 256 taken; a place costs at least 1.");
    assertThat(cli.run("forecast --family recurring --at 2026-11-21T09:00:00Z"))
        .contains("Nothing can be scheduled for it. It has passed, or has begun");
    assertThat(cli.run("forecast --family recurring --at +400d"))
        .contains("It lies further ahead than the family takes");
  }

  @Test
  void theOverviewIsATableOfTheFamilies() {
    cli.run("fund alice 1000");
    cli.run(INSERT);
    assertThat(cli.run("overview"))
        .startsWith("1 schedule is there, 0 of them executing; 1 was ever taken.")
        .contains("multi-signature  active   0        mvp", "gas-priority     active   1");
  }

  @Test
  void theOverviewOfASpreadQueueHasARowForEachPartition() {
    cli.run("fund alice 1000 --queue orders");
    cli.run(INSERT + " --queue orders");
    assertThat(cli.run("overview --queue orders"))
        .contains("PARTITION  SCHEDULES  EXECUTING  WAITING  FIRST DUE")
        .containsPattern("(?m)^[012] +1 +0 +1 +2026-")
        .containsPattern("(?m)^[012] +0 +0 +0 +-$");
  }

  @Test
  void aFamilyIsPausedShutDownAndResumed() {
    cli.run("fund alice 1000");
    var id = inserted(cli.run(INSERT));
    assertThat(cli.run("pause gas-priority")).contains("until 'sequitur schedule resume gas-");
    assertThat(cli.execute(INSERT)).isEqualTo(1);
    assertThat(cli.err()).contains("SQ020301");
    assertThat(cli.run("explain " + id)).contains("paused");
    assertThat(cli.run("resume gas-priority"))
        .isEqualTo("Resumed gas-priority: the queue serves it again.");
    assertThat(cli.run("shutdown gas-priority")).startsWith("Shutting down gas-priority");
    cli.rpc().scheduler.pass(Duration.ofSeconds(1));
    assertThat(cli.run("overview")).contains("gas-priority     shut-down  0");
    assertThat(cli.run("balance alice")).isEqualTo("alice can spend 1000.");
    cli.run("resume gas-priority");
    assertThat(cli.run(INSERT)).startsWith("Inserted ");
  }

  @Test
  void aListGoesOnWhereThePageBeforeEnded() {
    cli.run("fund alice 1000");
    var first = inserted(cli.run(INSERT));
    var second = inserted(cli.run(INSERT.replace("--price 3", "--price 2")));
    var page = RunningRpc.parse(cli.run("list --limit 1 --json"));
    var shown = page.at("/schedules/0/id").asText();
    assertThat(cli.run("list --after " + shown))
        .contains(shown.equals(first) ? second : first)
        .doesNotContain(shown);
  }

  @Test
  void aPlanIsSoldInAToken() {
    cli.run("plan --price 50 --window 60 --gas 100 --token usd");
    assertThat(cli.run("plans")).containsPattern("0 +50 +usd +60 s +100 +yes");
  }

  @Test
  void jsonIsWhatTheNodeAnswers() {
    cli.run("fund alice 1000");
    assertThat(RunningRpc.parse(cli.run("overview --json")).get("schedules").asInt()).isZero();
  }

  @Test
  void aRepeatUnderAKeyIsDoneOnce() {
    cli.run("fund alice 1000 --key once");
    assertThat(cli.run("fund alice 1000 --key once")).isEqualTo("alice can spend 1000.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        INSERT + " | SQ020310: The deposit is 300",
        "balance | Missing required parameter",
        "cancel gas-priority:0x00 --as alice | SQ010107: id cannot be read",
        "task --owner a --id i --at 2026-11-21T11:00:00Z | Say what is to run",
        "create --payer 0.0.1001 --identity a --transfer x | is not ID=AMOUNT",
        "sign 0.0.5 --payer 0.0.6 --identity a@node1 | INVALID_SCHEDULE_ID",
        "approve 0.0.5 --link | INVALID_SCHEDULE_ID",
        "approve 0.0.5 --link --payer 0.0.6 | --link signs nothing: leave out who signs",
        "approve gas-priority:0x00 --key-file a.pem | waits for no approval: name a",
        "approve usd --key-file a.pem | 'usd' waits for no approval",
        "insert | Missing required options",
        "insert --sender a --at tomorrow --gas 1 --price 1 --say x | 'tomorrow' is no time to come",
        "insert --sender a --at +5y --gas 1 --price 1 --say x | '+5y' is no time to come",
        "insert --sender a --at 2262-01-01T00:00:00Z --gas 1 --price 1 --say x | is too far away. A"
            + " queue's clock ends in the year 2262: name a time before that",
        "insert --sender a --at +999999999d --gas 1 --price 1 --say x | is too far away. A queue's",
        "insert --sender a --at +PT9223372036854775807S --gas 1 --price 1 --say x | is too far away.",
        "forecast --family recurring --at 9999-12-31T00:00:00Z | is too far away. A queue's clock",
        "create --payer 0.0.1001 --identity a --transfer 0.0.1001=-1 --transfer 0.0.1002=1 --expires"
            + " +1h --wait | which a scheduleCreate of the profile current takes",
        "insert --sender a --at +5m --gas many --price 1 --say x | SQ010107: maxGasAmount must be",
        "insert --sender a --at +5m --gas 1 --price 1 --say x --key k | a time from now is not: write",
        "task --owner a --id i --say x --at +1h --key k | a time from now is not: write 20",
        "task --owner a --id i --say x --every 1h --first +1h --key k | a time from now is not",
        "execution --as a --plan 0 --at +5m --say x --key k | a time from now is not: write 20",
        "hash --as a --plan 0 --at +5m --say x | another id, and a time from now is not the same",
        "hash --as a --plan 0 --at 2030-01-31T12:00:00Z | Say what is to run",
        "hash --as a --plan one --at 2030-01-31T12:00:00Z --say x | SQ010107: plan must be a whole",
        "approve 0.0.5 --payer 0.0.6 --identity a@node1 --key k | may have run by it: see sequitur",
        "insert --sender a --at +5m --gas 1 --price 1 --say x --late soon | 'soon' says nothing of what is late",
        "task --owner a --id i --say x | Say when it runs",
        "task --owner a --id i --say x --every often --first +1h | 'often' is no span of time",
        "task --owner a --id i --say x --at +1h --runs 3 | Each --at runs once",
        "create --payer 0.0.1 --transfer 0.0.1=-1 | Say who signs",
        "approve 0.0.5 --payer 0.0.6 --key-file a.pem --identity a@node1 | Say who signs",
        "approve 0.0.5 --key-file no.pem | There is no key file no.pem",
        "list --waiting-for ed25519:00 --family recurring | name one of them",
        "list --waiting-for nonsense | SQ010107: key cannot be read",
        "show recurring:0x00 | SQ010107: id cannot be read",
        "refund plan-execution:0x00 --as alice | SQ010107: id cannot be read",
        "purchase 0 none --as alice | SQ010107: quantity must be a whole number",
        "withdraw alice 5 | SQ020310: The account has less",
        "balance alice# | SQ010107: account cannot be read",
        "cancel 0.0.5 --as a | cancelled by its admin key: sequitur schedule cancel 0.0.5 --payer",
        "cancel 0.0.5 --payer 0.0.6 | Say who signs",
        "cancel multi-signature:0x1 --payer 0.0.6 | is no id: write it as 'schedule list' prints",
        "cancel recurring:0x00 | Say in whose name it is cancelled: --as ACCOUNT",
        "cancel recurring:0x00 --as a --payer 0.0.6 | Only multi-signature schedules",
        "create --payer 0.0.1 --identity a --admin-key k --admin-key-file f | the admin key once",
        "create --payer 0.0.1 --identity a --admin-key-file f | There is no key file f",
        "create --payer 0.0.1 --identity a --wait | say when with --expires TIME",
        "execution --as a --plan 0 --at +5m --say x --late skip | write expire-and-refund",
        "execution --as a --plan 0 --at +5m --say x --late 5m | '5m' is not for a plan",
        "task --owner a --id i --say x --at +1h --late expire-and-refund | is not for a task, whose",
        "forecast --family recurring --at +1h --as a | has only one of requestor and plan",
        "lst | 'lst'",
        "show gas-priority:" + NOTHING + " | no schedule gas-priority:0x00",
        "show gas-priority:" + NOTHING + " --json | no schedule gas-priority:0x00",
        "show 0.0.5 | The queue default has no schedule 0.0.5, or its outcome is no longer kept",
        "explain recurring:" + NOTHING + " | no schedule recurring:0x00",
        "explain recurring:" + NOTHING + " --json | no schedule recurring:0x00",
        "explain 0.0.5 --queue other | The queue other has no schedule 0.0.5",
        "pause recurring:"
            + NOTHING
            + " | is one schedule: say in whose name you act, --as ACCOUNT",
        "run recurring:" + NOTHING + " | is one schedule: say in whose name you act",
        "skip recurring:" + NOTHING + " --as a | SQ020311: No such schedule waits here",
        "pause 0.0.1005 --as alice | SQ020311: No such schedule waits here",
        "change recurring:" + NOTHING + " --at +1h | say in whose name you act, --as ACCOUNT",
        "change recurring:" + NOTHING + " --as a | changes nothing. Send what is to be other",
        "change recurring:" + NOTHING + " --as a --price 5 | only a gas-priority transaction has",
        "change recurring:" + NOTHING + " --as a --first +1h | --first is for --every",
        "change gas-priority:" + NOTHING + " --as a --runs 5 | has one time and no cadence",
        "pause recurring --note why | --as and --note are for one schedule",
        "shutdown 0.0.5 | is one schedule: name a family",
        "pause nothing | 'nothing' is neither a family nor the id of a schedule",
        "resume recurring | It is active already",
        "resume recurring:" + NOTHING + " | say in whose name you act, --as ACCOUNT",
        "resume recurring --as alice | --as and --note are for one schedule",
        "overview --key k | '--key'",
        "outcomes --key k | '--key'",
        "list --key once | SQ010107: key cannot be read. A key is ed25519:",
      })
  void aMistakeIsALineAndAnExitCode(String line, String sentence) {
    assertThat(cli.execute(line.strip())).isBetween(1, 2);
    assertThat(cli.err().lines()).singleElement().asString().contains(sentence);
    assertThat(cli.out()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"localhost:8545", "127.0.0.1", "ftp://127.0.0.1:1", "http:/x", "nonsense"})
  void anAddressThatIsNoneIsToldAsThat(String address) {
    var console = new RecordedConsole();
    var line = List.of("schedule", "audit", "--node", address);
    assertThat(ScheduleConsole.execute(console, line)).isEqualTo(2);
    assertThat(console.err()).contains("'" + address + "' is no address of a node");
  }

  @Test
  void aNodeThatIsNotThereIsALineAndExitCode1() {
    cli.rpc().close();
    assertThat(cli.execute("audit")).isEqualTo(1);
    assertThat(cli.err()).contains("No node answers at http://127.0.0.1:", "--node");
    cli = new ScheduleConsole(RunningRpc.withDefaults());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "fund",
        "withdraw",
        "balance",
        "insert",
        "task",
        "resume",
        "slots",
        "open",
        "key",
        "create",
        "plan",
        "plans",
        "remove-plan",
        "set-payee",
        "approve",
        "allow",
        "purchase",
        "credits",
        "execution",
        "hash",
        "refund",
        "state",
        "execute",
        "batch",
        "multicall",
        "list",
        "show",
        "explain",
        "cancel",
        "pause",
        "change",
        "run",
        "skip",
        "shutdown",
        "outcomes",
        "events",
        "webhook create",
        "webhook list",
        "webhook stop",
        "webhook start",
        "webhook remove",
        "webhook rotate",
        "webhook dead",
        "webhook replay",
        "forecast",
        "overview",
        "audit"
      })
  void eachCommandExplainsItself(String command) {
    assertThat(cli.execute(command + " --help")).isZero();
    assertThat(cli.out()).contains("Usage: sequitur schedule " + command);
    var examples = cli.out().split("\nExamples?:\n", 2);
    assertThat(examples).as("its help ends with an example").hasSize(2);
    assertThat(examples[1]).contains("sequitur schedule " + command).doesNotContain("--help");
  }

  private static String inserted(String line) {
    var id = Pattern.compile("gas-priority:0x[0-9a-f]{64}").matcher(line);
    assertThat(id.find()).as(line).isTrue();
    return id.group();
  }
}
