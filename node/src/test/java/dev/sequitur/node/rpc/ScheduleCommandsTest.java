package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.node.command.CommandContext;
import dev.sequitur.node.command.SequiturCommand;
import dev.sequitur.node.console.RecordedConsole;
import dev.sequitur.node.process.ProcessStarter;
import dev.sequitur.node.process.StopSignal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code sequitur schedule …} against an endpoint over the rules alone. */
class ScheduleCommandsTest {
  private static final String INSERT =
      "insert --sender alice --at 2026-11-21T10:05:00Z --gas 100 --price 3 --pay 25 --to bob";

  @TempDir private Path directory;

  private RunningRpc rpc;
  private RecordedConsole console = new RecordedConsole();

  @BeforeEach
  void start() {
    rpc = RunningRpc.withDefaults();
  }

  @AfterEach
  void stop() {
    rpc.close();
  }

  @Test
  void aTransactionIsInsertedListedExplainedAndCancelled() {
    assertThat(run("fund alice 1000")).isEqualTo("alice can spend 1000.");
    var id = inserted(run(INSERT));
    assertThat(run("list")).contains(id, "alice", "waiting", "pays 25 to bob");
    assertThat(run("show " + id)).contains("maxGasUnitPrice");
    assertThat(run("explain " + id))
        .startsWith("It is not due yet: it is due at 2026-11-21T10:05:00Z.");
    assertThat(run("forecast --family gas-priority --at 2026-11-21T10:05:00Z"))
        .contains("1 of 100 taken");
    assertThat(run("cancel " + id + " --as alice")).isEqualTo("Cancelled " + id + ".");
    assertThat(run("explain " + id)).contains("It has its outcome.", "cancelled");
    assertThat(run("balance alice")).isEqualTo("alice can spend 1000.");
    assertThat(run("audit")).startsWith("Conserved: ");
    assertThat(run("list")).isEqualTo("Nothing waits or runs.");
  }

  @Test
  void aTaskRunsAtItsTime() {
    run("fund alice 1000");
    run("task --owner alice --id rent --at 2026-11-21T11:00:00Z --pay 25 --to landlord");
    rpc.scheduler.pass(Duration.ofMinutes(61));
    assertThat(run("balance landlord")).isEqualTo("landlord can spend 25.");
  }

  @Test
  void theNextTimeIsShownAndNotTheFirst() {
    run("fund alice 1000");
    run("fund carol 1");
    run(
        "task --owner alice --id rent --at 2026-11-21T11:00:00Z --at 2026-11-21T13:00:00Z"
            + " --at 2026-11-21T15:00:00Z --say rent");
    run("task --owner alice --id tea --every 2h --first 2026-11-21T11:00:00Z --say tea");
    run("task --owner carol --id walk --every 1h --first 2026-11-21T11:00:00Z --say walk");
    assertThat(run("list")).contains("2026-11-21T11:00:00Z and 2 more");
    rpc.scheduler.pass(Duration.ofMinutes(61));
    rpc.scheduler.pass(Duration.ofSeconds(1));
    assertThat(run("list"))
        .contains(
            "waiting  2026-11-21T13:00:00Z and 1 more",
            "waiting  2026-11-21T13:00:00Z every PT2H",
            "parked   every PT1H")
        .doesNotContain("T11:00:00Z");
    var listed = run("list --owner alice --json");
    var id = RunningRpc.parse(listed).at("/schedules/0/id").asText();
    assertThat(run("show " + id)).containsPattern("next +2026-11-21T13:00:00Z");
    assertThat(run("explain " + id)).contains("2026-11-21T13:00:00Z");
  }

  @Test
  void theSlotsThatAreFreeAreListed() {
    run("fund alice 1000");
    run("task --owner alice --id rent --at 2026-11-21T13:00:00Z --say rent");
    assertThat(run("slots --from 2026-11-21T12:00:00Z --limit 2").lines().skip(1))
        .containsExactly("2026-11-21T12:00:00Z  0 of 256  1", "2026-11-21T13:00:00Z  1 of 256  1");
  }

  @Test
  void aPlanIsBoughtAndUsed() {
    run("fund alice 1000");
    assertThat(run("plan --price 50 --window 60 --gas 100")).isEqualTo("Added plan 0");
    assertThat(run("purchase 0 2 --as alice --value 100")).isEqualTo("Executions left: 2");
    assertThat(run("execution --as alice --plan 0 --at 2026-11-21T10:05:00Z --pay 25 --to bob"))
        .startsWith("Scheduled plan-execution:0x");
    assertThat(run("execution --help")).contains("expire-and-refund").doesNotContain("run-all");
    assertThat(
            run(
                "execution --as alice --plan 0 --at 2026-11-21T10:06:00Z --pay 25 --to bob"
                    + " --late expire-and-refund --attempts 2"))
        .startsWith("Scheduled plan-execution:0x");
  }

  @Test
  void whatWaitsForAKeyIsListed() {
    var key = Examples.publicKey("bob");
    assertThat(run("open " + key)).isEqualTo("Opened account 0.0.1001");
    assertThat(run("list --waiting-for " + key)).isEqualTo("Nothing waits for this key.");
  }

  /** Two people, each with a key in a file, as openssl writes it, and an account. */
  @Test
  void whoeverHasAKeyFileFindsWhatWaitsForItAndSignsIt() throws Exception {
    // A transaction is valid from its making on, by the clock on the wall, for two minutes.
    rpc.scheduler.pass(Duration.between(Sample.NOW, Instant.now()).plusSeconds(60));
    var alice = keyFile("alice");
    var bob = keyFile("bob");
    assertThat(run("open " + run("key " + alice))).isEqualTo("Opened account 0.0.1001");
    assertThat(run("open " + run("key " + bob))).isEqualTo("Opened account 0.0.1002");
    run("fund 0.0.1001 1000");
    run("fund 0.0.1002 1000");

    var create =
        "create --payer 0.0.1001 --transfer 0.0.1002=-40 --transfer 0.0.1001=40 --key-file "
            + alice;
    assertThat(execute(create)).isEqualTo(1);
    assertThat(console.err()).contains("SOME_SIGNATURES_WERE_INVALID", "add --only-pay.");
    var created = run(create + " --only-pay");
    assertThat(created).startsWith("Schedule 0.0.1003 ");
    assertThat(run("list --key-file " + alice)).isEqualTo("Nothing waits for this key.");
    assertThat(run("list --key-file " + bob)).contains("0.0.1003", "0.0.1002 -40");
    assertThat(run("sign 0.0.1003 --payer 0.0.1002 --key-file " + bob))
        .startsWith("Signed 0.0.1003: ");
    assertThat(run("list --key-file " + bob)).isEqualTo("Nothing waits for this key.");
    assertThat(run("outcomes")).contains("  run  ", "multi-signature:0x");
    assertThat(run("explain 0.0.1003")).contains("It has its outcome.", ": run");
  }

  @Test
  void whatItsCreatorMayTakeBackIsCancelledByTheAdminKey() throws Exception {
    rpc.scheduler.pass(Duration.between(Sample.NOW, Instant.now()).plusSeconds(60));
    var alice = opened("alice", "0.0.1001");
    var bob = opened("bob", "0.0.1002");
    var admin = keyFile("admin");
    var create =
        "create --payer 0.0.1001 --transfer 0.0.1001=-40 --transfer 0.0.1002=40 --key-file "
            + alice
            + " --execution-payer 0.0.1002 --schedule-memo rent --nonce ";
    assertThat(run(create + "1 --admin-key " + run("key " + admin)))
        .startsWith("Schedule 0.0.1003 ");
    assertThat(run(create + "2 --admin-key-file " + admin)).startsWith("Schedule 0.0.1004 ");
    assertThat(run(create + "3")).startsWith("Schedule 0.0.1005 ");
    assertThat(run("list --key-file " + bob)).contains("0.0.1003", "0.0.1004", "rent");
    assertThat(run("show 0.0.1003")).contains("payerAccountID  0.0.1002");

    var cancel = " --payer 0.0.1001 --key-file " + alice;
    assertThat(execute("cancel 0.0.1003" + cancel)).isEqualTo(1);
    assertThat(console.err()).contains("INVALID_SIGNATURE");
    assertThat(execute("cancel 0.0.1005" + cancel + " --admin-key-file " + admin)).isEqualTo(1);
    assertThat(console.err()).contains("SCHEDULE_IS_IMMUTABLE");
    assertThat(run("cancel 0.0.1003" + cancel + " --admin-key-file " + admin))
        .isEqualTo("Cancelled 0.0.1003: SUCCESS");
    assertThat(run("explain 0.0.1003")).contains("cancelled (Deleted by its admin key.)");
    // As 'schedule list' prints it.
    var long1004 = "multi-signature:0x" + "%064x".formatted(1004);
    assertThat(run("cancel " + long1004 + cancel + " --admin-key-file " + admin))
        .isEqualTo("Cancelled 0.0.1004: SUCCESS");
    assertThat(run("list --family multi-signature")).doesNotContain("3ec").contains("3ed");
  }

  @Test
  void inTheProfileCurrentAScheduleWaitsForItsTimeAndEverybodySignsTheWholeTransaction()
      throws Exception {
    rpc.close();
    rpc = RunningRpc.withProfileCurrent();
    rpc.scheduler.pass(Duration.between(Sample.NOW, Instant.now()).plusSeconds(60));
    var alice = opened("alice", "0.0.1001");
    var bob = opened("bob", "0.0.1002");
    var admin = keyFile("admin");
    var create =
        "create --payer 0.0.1001 --transfer 0.0.1002=-40 --transfer 0.0.1001=40 --key-file "
            + alice
            + " --expires +10m --wait";
    assertThat(execute(create + " --admin-key " + run("key " + admin))).isEqualTo(1);
    assertThat(console.err()).contains("INVALID_SIGNATURE");
    var waiting = run(create + " --memo kept --admin-key-file " + admin);
    var cancelled = run(create + " --admin-key-file " + admin);
    assertThat(waiting).startsWith("Schedule 0.0.1003 ");
    assertThat(cancelled).startsWith("Schedule 0.0.1004 ");
    assertThat(
            run(
                "cancel 0.0.1004 --payer 0.0.1001 --key-file %s --admin-key-file %s"
                    .formatted(alice, admin)))
        .startsWith("Cancelled 0.0.1004");
    assertThat(run("sign 0.0.1003 --payer 0.0.1002 --key-file " + bob)).startsWith("Signed ");
    assertThat(run("outcomes")).doesNotContain("  run  ");
    rpc.scheduler.pass(Duration.ofMinutes(11));
    assertThat(run("explain 0.0.1003")).contains(": run");
  }

  /** With the account of one whose key is in a file, and money in it. */
  private Path opened(String name, String account) throws Exception {
    var file = keyFile(name);
    assertThat(run("open " + run("key " + file))).isEqualTo("Opened account " + account);
    run("fund " + account + " 1000");
    return file;
  }

  private Path keyFile(String name) throws Exception {
    var key = KeyPairGenerator.getInstance("Ed25519").generateKeyPair().getPrivate();
    var base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key.getEncoded());
    return Files.writeString(
        directory.resolve(name + ".pem"),
        "-----BEGIN PRIVATE KEY-----\n" + base64 + "\n-----END PRIVATE KEY-----\n");
  }

  @Test
  void aFileWithoutSuchAKeyIsNamed() throws Exception {
    var rsa = KeyPairGenerator.getInstance("RSA").generateKeyPair().getPrivate().getEncoded();
    var file = directory.resolve("rsa.pem");
    Files.writeString(
        file,
        "-----BEGIN PRIVATE KEY-----\n"
            + Base64.getEncoder().encodeToString(rsa)
            + "\n-----END PRIVATE KEY-----\n");
    assertThat(execute("key " + file)).isEqualTo(2);
    assertThat(console.err()).contains("is not Ed25519", "openssl genpkey");
    Files.writeString(file, "no key at all");
    assertThat(execute("list --key-file " + file)).isEqualTo(2);
    assertThat(console.err()).contains("has no private key");
    assertThat(execute("list --key-file " + directory.resolve("none.pem"))).isEqualTo(2);
    assertThat(console.err()).contains("There is no key file");
  }

  @Test
  void aSeriesIsScheduledByFrequencyOrCronAndResumedWhenItWasParked() {
    run("fund carol 1");
    var scheduled =
        run("task --owner carol --id walk --every 1h --first 2026-11-21T11:00:00Z --say walk");
    var id = scheduled.substring("Scheduled ".length());
    rpc.scheduler.pass(Duration.ofMinutes(61));
    assertThat(run("explain " + id)).contains("It is parked", "Fund the account");
    run("fund carol 5");
    assertThat(run("resume " + id + " --as carol")).isEqualTo("Resumed " + id + ".");
    assertThat(run("explain " + id)).startsWith("It is not due yet: its slot begins at");
    var cron =
        List.of("task", "--owner", "carol", "--id", "news", "--cron", "0 9 * * *", "--zone", "UTC");
    assertThat(execute(append(cron, List.of("--say", "news", "--late", "5m", "--runs", "3"))))
        .as(console.err())
        .isZero();
    assertThat(run("list --owner carol")).contains("0 9 * * * UTC", "every PT1H");
  }

  @Test
  void anOverdueExecutionIsListedAndRefunded() {
    run("fund alice 1000");
    assertThat(run("plans")).startsWith("No plan was added yet.");
    run("plan --price 50 --window 60 --gas 100");
    assertThat(run("plans")).contains("PLAN", "0     50", "60 s", "Paid to @fees.");
    run("purchase 0 2 --as alice --value 100");
    var id =
        run("execution --as alice --plan 0 --at 2026-11-21T10:05:00Z --pay 25 --to bob")
            .substring("Scheduled ".length());
    rpc.result("plans_pause", "[{\"sender\": \"operator\"}]");
    rpc.scheduler.pass(Duration.ofMinutes(10));
    assertThat(run("refund " + id + " --as alice")).isEqualTo("Refunded " + id + ".");
    assertThat(run("balance alice")).isEqualTo("alice can spend 900.");
  }

  @Test
  void jsonIsWhatTheNodeAnswers() {
    run("fund alice 1000");
    assertThat(RunningRpc.parse(run("overview --json")).get("schedules").asInt()).isZero();
  }

  @Test
  void aRepeatUnderAKeyIsDoneOnce() {
    run("fund alice 1000 --key once");
    assertThat(run("fund alice 1000 --key once")).isEqualTo("alice can spend 1000.");
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
        "insert | Missing required options",
        "insert --sender a --at tomorrow --gas 1 --price 1 --say x | 'tomorrow' is no time to come",
        "insert --sender a --at +5y --gas 1 --price 1 --say x | '+5y' is no time to come",
        "insert --sender a --at +5m --gas many --price 1 --say x | SQ010107: maxGasAmount must be",
        "insert --sender a --at +5m --gas 1 --price 1 --say x --key k | a time from now is not: write",
        "task --owner a --id i --say x --at +1h --key k | a time from now is not: write 20",
        "task --owner a --id i --say x --every 1h --first +1h --key k | a time from now is not",
        "execution --as a --plan 0 --at +5m --say x --key k | a time from now is not: write 20",
        "sign 0.0.5 --payer 0.0.6 --identity a@node1 --key k | may have run by it: see sequitur",
        "insert --sender a --at +5m --gas 1 --price 1 --say x --late soon | SQ010107: late cannot",
        "task --owner a --id i --say x | Say when it runs",
        "task --owner a --id i --say x --every 1h | Say when it runs",
        "task --owner a --id i --say x --every often --first +1h | 'often' is no span of time",
        "task --owner a --id i --say x --at +1h --runs 3 | --runs ends a series",
        "create --payer 0.0.1 --transfer 0.0.1=-1 | Say who signs",
        "sign 0.0.5 --payer 0.0.6 --key-file a.pem --identity a@node1 | Say who signs",
        "sign 0.0.5 --payer 0.0.6 --key-file no.pem | There is no key file no.pem",
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
        "lst | 'lst'",
      })
  void aMistakeIsALineAndAnExitCode(String line, String sentence) {
    assertThat(execute(line.strip())).isBetween(1, 2);
    assertThat(console.err().lines()).singleElement().asString().contains(sentence);
    assertThat(console.out()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"localhost:8545", "127.0.0.1", "ftp://127.0.0.1:1", "http:/x", "nonsense"})
  void anAddressThatIsNoneIsToldAsThat(String address) {
    console = new RecordedConsole();
    var context = new CommandContext(console.console(), new StopSignal(), new ProcessStarter());
    assertThat(SequiturCommand.execute(context, "schedule", "audit", "--node", address))
        .isEqualTo(2);
    assertThat(console.err()).contains("'" + address + "' is no address of a node");
  }

  @Test
  void aNodeThatIsNotThereIsALineAndExitCode1() {
    rpc.close();
    assertThat(execute("audit")).isEqualTo(1);
    assertThat(console.err()).contains("No node answers at http://127.0.0.1:", "--node");
    rpc = RunningRpc.withDefaults();
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
        "sign",
        "plan",
        "plans",
        "purchase",
        "execution",
        "refund",
        "list",
        "show",
        "explain",
        "cancel",
        "outcomes",
        "forecast",
        "overview",
        "audit"
      })
  void eachCommandExplainsItself(String command) {
    assertThat(execute(command + " --help")).isZero();
    assertThat(console.out()).contains("Usage: sequitur schedule " + command);
  }

  private static String inserted(String line) {
    var id = Pattern.compile("gas-priority:0x[0-9a-f]{64}").matcher(line);
    assertThat(id.find()).as(line).isTrue();
    return id.group();
  }

  private String run(String line) {
    assertThat(execute(line)).as(console.err()).isZero();
    return console.out().strip();
  }

  private int execute(String line) {
    return execute(List.of(line.split(" ")));
  }

  private static List<String> append(List<String> first, List<String> second) {
    return Stream.concat(first.stream(), second.stream()).toList();
  }

  private int execute(List<String> line) {
    console = new RecordedConsole();
    var words = new ArrayList<String>();
    words.add("schedule");
    words.addAll(line);
    if (!line.contains("--help") && !line.get(0).equals("key")) {
      words.addAll(2, List.of("--node", rpc.uri("/").toString()));
    }
    var context = new CommandContext(console.console(), new StopSignal(), new ProcessStarter());
    return SequiturCommand.execute(context, words.toArray(String[]::new));
  }
}
