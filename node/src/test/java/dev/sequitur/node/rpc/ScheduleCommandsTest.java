package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.node.command.CommandContext;
import dev.sequitur.node.command.SequiturCommand;
import dev.sequitur.node.console.RecordedConsole;
import dev.sequitur.node.process.ProcessStarter;
import dev.sequitur.node.process.StopSignal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code sequitur schedule …} against an endpoint over the rules alone. */
class ScheduleCommandsTest {
  private static final String INSERT =
      "insert --sender alice --at 2026-11-21T10:05:00Z --gas 100 --price 3 --pay 25 --to bob";

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
    assertThat(run("explain " + id)).isEqualTo("It is not due yet.");
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
  void aPlanIsBoughtAndUsed() {
    run("fund alice 1000");
    assertThat(run("plan --price 50 --window 60 --gas 100")).isEqualTo("Added plan 0");
    assertThat(run("purchase 0 2 --as alice --value 100")).isEqualTo("Executions left: 2");
    assertThat(run("execution --as alice --plan 0 --at 2026-11-21T10:05:00Z --pay 25 --to bob"))
        .startsWith("Scheduled plan-execution:0x");
  }

  @Test
  void whatWaitsForAKeyIsListed() {
    var key = Examples.publicKey("bob");
    assertThat(run("open " + key)).isEqualTo("Opened account 0.0.1001");
    assertThat(run("list --waiting-for " + key)).isEqualTo("Nothing waits for this key.");
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
        "cancel gas-priority:0x00 --as alice | SQ010107: params[0].id cannot be read",
        "task --owner a --id i --at 2026-11-21T11:00:00Z | Say what is to run",
        "create --payer 0.0.1001 --identity a --transfer x | is not ID=AMOUNT",
        "sign 0.0.5 --payer 0.0.6 --identity a@node1 | INVALID_SCHEDULE_ID",
        "insert | Missing required options",
        "lst | 'lst'",
      })
  void aMistakeIsALineAndAnExitCode(String line, String sentence) {
    assertThat(execute(line.strip())).isBetween(1, 2);
    assertThat(console.err().lines()).singleElement().asString().contains(sentence);
    assertThat(console.out()).isEmpty();
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
      strings = {"fund", "insert", "task", "open", "create", "sign", "plan", "list", "explain"})
  void eachCommandExplainsItself(String command) {
    assertThat(execute(command + " --help")).isZero();
    assertThat(console.out()).contains("Usage: sequitur schedule " + command, "--node");
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
    console = new RecordedConsole();
    var words = new ArrayList<String>();
    words.add("schedule");
    words.addAll(List.of(line.split(" ")));
    if (words.size() > 1 && !line.endsWith("--help")) {
      words.addAll(2, List.of("--node", rpc.uri("/").toString()));
    }
    var context = new CommandContext(console.console(), new StopSignal(), new ProcessStarter());
    return SequiturCommand.execute(context, words.toArray(String[]::new));
  }
}
