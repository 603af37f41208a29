package dev.sequitur.laboratory.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.console.RecordedConsole;
import dev.sequitur.console.StopSignal;
import dev.sequitur.ethereum.Anvil;
import dev.sequitur.node.command.CommandContext;
import dev.sequitur.node.configuration.HostAndPort;
import dev.sequitur.node.configuration.LedgerConfiguration;
import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.node.process.RunningNetwork;
import dev.sequitur.node.process.RunningNode;
import dev.sequitur.node.process.StartFailure;
import dev.sequitur.node.process.StartFailure.LeftOut;
import dev.sequitur.node.process.Starter;
import dev.sequitur.node.process.Starter.RunningLedger;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

class SequiturCommandTest {
  @TempDir Path directory;
  private final RecordedConsole console = new RecordedConsole();
  private final StopSignal stop = new StopSignal();
  private final RecordedStarter starter = new RecordedStarter();

  @Test
  void helpNamesEachCommand() {
    assertThat(execute("--help")).isZero();
    assertThat(console.out()).contains("demo", "start", "ledger", "sequitur demo");
  }

  @Test
  void withoutACommandTheHelpIsShown() {
    assertThat(execute()).isZero();
    assertThat(console.out()).contains("Usage: sequitur");
  }

  @ParameterizedTest
  @ValueSource(strings = {"demo", "start", "soak", "chaos", "ledger", "schedule", "simulate"})
  void theHelpOfEachCommandHasAnExample(String command) {
    assertThat(execute(command, "--help")).isZero();
    assertThat(console.out()).contains("Usage: sequitur " + command, "Example", "  sequitur ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "demo",
        "start",
        "cluster",
        "soak",
        "chaos",
        "ledger",
        "schedule",
        "simulate",
        "certificates"
      })
  void helpAndTheNameOfACommandShowThatCommandsHelp(String command) {
    assertThat(execute("help", command)).isZero();
    assertThat(console.out()).contains("Usage: sequitur " + command);
  }

  @Test
  void helpAndTheNameOfACommandOfSchedulesShowThatCommandsHelp() {
    assertThat(execute("schedule", "help", "create")).isZero();
    assertThat(console.out()).contains("Usage: sequitur schedule create");
  }

  @Test
  void helpForWhatIsNoCommandIsToldInALineWithExitCode2() {
    assertThat(execute("help", "begin")).isEqualTo(2);
    assertThat(console.err().lines()).singleElement().asString().contains("'begin'");
  }

  @Test
  void helpOfSchedulesForWhatIsNoCommandIsToldInALineWithExitCode2() {
    assertThat(execute("schedule", "help", "begin")).isEqualTo(2);
    assertThat(console.err().lines()).singleElement().asString().contains("'begin'");
  }

  @Test
  void aDemoWhoseChainDoesNotAnswerSaysWhatToCorrect() throws IOException {
    int free;
    try (var socket = new ServerSocket(0)) {
      free = socket.getLocalPort();
    }

    assertThat(execute("demo", "--ledger", "ethereum", "--rpc", "http://127.0.0.1:" + free))
        .isEqualTo(2);

    assertThat(console.err())
        .contains("There is no chain at", "correct --rpc")
        .doesNotContain("ledger.ethereum");
  }

  @Test
  void aDemoOnAChainThatChargesForGasSaysWhichChainItNeeds() {
    try (var chain = Anvil.startWithPrice(Optional.of(1), 1_000_000_000)) {
      assertThat(execute("demo", "--ledger", "ethereum", "--rpc", chain.address().toString()))
          .isEqualTo(2);
    }

    assertThat(console.err()).contains("does not take the contracts", "offers nothing for gas");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--version",
        "-V",
        "schedule --version",
        "schedule -V",
        "schedule list -V",
        "demo -V"
      })
  void theVersionIsPrinted(String line) {
    assertThat(execute(line.split(" "))).isZero();
    assertThat(console.out()).startsWith("sequitur ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "demo --transactions 0 | '0' is not a whole number from 1 to 10000000",
        "demo --transactions many | 'many' is not a whole number",
        "demo --nodes 33 | from 1 to 32",
        "demo --block-time soon | such as 500ms or 2s",
        "demo --block-time 1ms | a time from 10ms to 1h",
        "demo --range-size | --range-size",
        "demo --transaction 5 | '--transaction'",
        "demo 5 | '5'",
        "start | Missing required option: '--config=FILE'",
        "ledger --port 99999 --data x | from 0 to 65535",
        "soak | Missing required option: '--minutes=N'",
        "soak --minutes 0 | from 1 to 10080",
        "soak --minutes 1 --start-timeout soon | a time from 10ms to 1h",
        "cluster --start-timeout 2h | a time from 10ms to 1h",
        "soak --minutes 1 --kill-every 1 | from 5 to 86400",
        "simulate --nodes 2 | '2' is not a whole number from 3 to 30",
        "simulate --nodes 5..4 | the larger number first",
        "simulate --jvms 4 | '4' is not a whole number from 1 to 3",
        "demo --ledger ethereum --rpc ftp://x | an address is such as http://127.0.0.1:8545, and what stands there is none",
        "dmo | There is no command 'dmo'. Did you mean 'demo'?",
        "dmo --help | There is no command 'dmo'. Did you mean 'demo'?",
        "dmo --version | There is no command 'dmo'. Did you mean 'demo'?",
        "schedule pauze recurring:0x1 --as alice | There is no command 'pauze'. Did you mean 'pause'?",
        "schedule webhook creat books | There is no command 'creat'. Did you mean 'create'?",
        "schedule list --limit x | '--limit': 'x' is not a whole number, or too large. Try",
        "schedule list --limit 9999999999 | '9999999999' is not a whole number, or too large. Try",
        "schedule pause recurring:0x1 --as alice --note flat is empty | in the place of 'is': put into",
        "schedule begin --help | There is no command 'begin'.",
        "demo 5 --help | '5'",
      })
  void aWrongCommandLineIsToldInALineWithExitCode2(String line, String expected) {
    assertThat(execute(line.strip().split(" "))).isEqualTo(2);
    assertThat(console.err().lines()).singleElement().asString().contains(expected, "--help'.");
    assertThat(console.out()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "cluster --port 65530 | takes the ports 65530 to 65555",
        "cluster --port 0 | name another --port",
        "demo --schedules --nodes 2 | leave all but --data and --keep-running out",
        "cluster --postgres mysql://here | jdbc:postgresql://host:port/database",
      })
  void whatACommandCannotUseIsToldInALineWithExitCode2(String line, String expected) {
    assertThat(execute(line.strip().split(" "))).isEqualTo(2);
    assertThat(console.err().lines()).singleElement().asString().contains(expected);
    assertThat(console.out()).isEmpty();
  }

  @Test
  void aWrongConfigurationIsToldInALineForEachMistakeWithExitCode2() throws IOException {
    var file = Files.writeString(directory.resolve("node.conf"), "node.name = n\nrpc.prot = 1");

    assertThat(execute("start", "--config", file.toString())).isEqualTo(2);
    assertThat(console.err()).contains("sequitur start: There is no key 'prot'");
    assertThat(console.err()).doesNotContain("\tat ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"start", "ledger"})
  void aConfigurationThatIsADirectoryIsToldWithExitCode2(String command) {
    assertThat(execute(command, "--config", directory.toString())).isEqualTo(2);
    assertThat(console.err())
        .isEqualToIgnoringNewLines(
            "sequitur %s: %s is a directory: name the configuration file in it."
                .formatted(command, directory));
  }

  @Test
  void aConfigurationThatIsNotThereIsToldWithExitCode2() {
    var none = directory.resolve("none.conf");
    assertThat(execute("start", "--config", none.toString())).isEqualTo(2);
    assertThat(console.err())
        .isEqualToIgnoringNewLines(
            "sequitur start: There is no configuration file " + none + ": check the path.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"start", "ledger"})
  void aDataDirectoryThatIsAFileIsToldWithExitCode1(String command) throws IOException {
    var file = Files.writeString(directory.resolve("data"), "");
    var key = command.equals("start") ? "node.data-directory" : "ledger.data-directory";
    var configuration =
        Files.writeString(
            directory.resolve("any.conf"),
            (command.equals("start") ? "node.name = node1\n" : "") + key + " = data");

    assertThat(execute(command, "--config", configuration.toString())).isEqualTo(1);
    assertThat(console.err())
        .isEqualToIgnoringNewLines(
            "sequitur %s: The data directory %s is a file: name a directory."
                .formatted(command, file));
  }

  @Test
  void whatCannotBeStartedIsToldInALineWithExitCode1() throws IOException {
    starter.failure = Optional.of(new StartFailure("Port 8545 is taken: set rpc.port to another."));

    assertThat(execute("start", "--config", configuration().toString())).isEqualTo(1);
    assertThat(console.err())
        .isEqualToIgnoringNewLines("sequitur start: Port 8545 is taken: set rpc.port to another.");
  }

  @Test
  void aJvmThatWasLeftOutWhileItStartedSaysSoWithExitCode3() throws IOException {
    starter.failure = Optional.of(new LeftOut("The others have left it out.", null));

    assertThat(execute("start", "--config", configuration().toString())).isEqualTo(3);
    assertThat(console.err()).contains("sequitur start: The others have left it out.");
  }

  @Test
  void aJvmThatEndsByItselfIsStoppedInOrderAndSaysWhyWithExitCode3() throws IOException {
    starter.ended.complete("The other JVMs have left this one out.");

    assertThat(execute("start", "--config", configuration().toString())).isEqualTo(3);
    assertThat(console.err())
        .isEqualToIgnoringNewLines("sequitur start: The other JVMs have left this one out.");
    assertThat(console.out()).contains("is up").doesNotContain("is stopped");
    assertThat(starter.stopped).isEqualTo(1);
  }

  @Test
  void aJvmThatIsAskedToStopEndsWithExitCode0() throws IOException {
    stop.request();

    assertThat(execute("start", "--config", configuration().toString())).isZero();
    assertThat(console.out()).contains("Node node1 is stopped.");
    assertThat(starter.stopped).isEqualTo(1);
  }

  @Test
  void theLedgersOptionsReachItsConfiguration() {
    stop.request();

    assertThat(
            execute("ledger", "--data", directory.toString(), "--port", "0", "--block-time", "2s"))
        .isZero();
    var configuration = starter.ledgers.get(0);
    assertThat(configuration.listen().port()).isZero();
    assertThat(configuration.directory()).isEqualTo(directory.toAbsolutePath());
    assertThat(configuration.blocks().blockTime()).isEqualTo(Duration.ofSeconds(2));
    assertThat(console.out()).contains("The ledger is up", "The ledger is stopped.");
    assertThat(starter.stopped).isEqualTo(1);
  }

  private Path configuration() throws IOException {
    return Files.writeString(
        directory.resolve("node.conf"), "node { name = node1, data-directory = data }");
  }

  private int execute(String... line) {
    return execute(console, line);
  }

  private CommandLine commandLine(String... arguments) {
    return commandLine(console, arguments);
  }

  private CommandLine commandLine(RecordedConsole told, String... arguments) {
    var context = new CommandContext(told.console(), stop, starter);
    return LaboratoryCommands.commandLine(context, arguments);
  }

  /** To make all of them takes much of the time that a process needs until it serves. */
  @Test
  void theCommandThatIsCalledIsMadeAlone() {
    var called = commandLine("start", "--config", "schedule");
    var unknown = commandLine("--config", "start");

    assertThat(called.getSubcommands()).containsOnlyKeys("start");
    assertThat(unknown.getSubcommands()).containsKeys("start", "schedule", "completion", "help");
  }

  /** Those that run something tell what happens while it does; demo and soak write a --report. */
  @Test
  void everyCommandThatAnswersAnswersWithJsonToo() {
    var running =
        Set.of(
            "start",
            "ledger",
            "provider",
            "demo",
            "cluster",
            "soak",
            "chaos",
            "simulate",
            "completion",
            "help");

    assertThat(answering(commandLine(), running))
        .isNotEmpty()
        .filteredOn(command -> command.findOption("--json") == null)
        .extracting(CommandSpec::qualifiedName)
        .isEmpty();
  }

  /** Programs that call them go by the exit code, and people read one line. */
  @TestFactory
  Stream<DynamicTest> everyCommandExplainsItselfAndTellsAWrongCommandLine() {
    return leaves(commandLine())
        .map(CommandSpec::qualifiedName)
        .map(
            name ->
                DynamicTest.dynamicTest(
                    name,
                    () -> {
                      var words = name.split(" ");
                      var call = Arrays.copyOfRange(words, 1, words.length + 1);
                      call[call.length - 1] = "--help";
                      var told = new RecordedConsole();
                      assertThat(execute(told, call)).isZero();
                      assertThat(told.out()).contains("Usage: " + name);
                      assertThat(told.err()).isEmpty();

                      call[call.length - 1] = "--no-such-option";
                      told = new RecordedConsole();
                      assertThat(execute(told, call)).isEqualTo(2);
                      assertThat(told.err().lines())
                          .singleElement()
                          .asString()
                          .startsWith(name + ": ")
                          .endsWith("Try '" + name + " --help'.");
                      assertThat(told.out()).isEmpty();
                    }));
  }

  private int execute(RecordedConsole told, String... line) {
    return commandLine(told, line).execute(line);
  }

  private static Stream<CommandSpec> leaves(CommandLine command) {
    return answering(command, Set.of("completion", "help"));
  }

  private static Stream<CommandSpec> answering(CommandLine command, Set<String> running) {
    var below =
        command.getSubcommands().entrySet().stream()
            .filter(one -> !running.contains(one.getKey()))
            .map(Map.Entry::getValue)
            .toList();
    return below.isEmpty()
        ? Stream.of(command.getCommandSpec())
        : below.stream().flatMap(one -> answering(one, running));
  }

  private static final class RecordedStarter implements Starter {
    private final List<LedgerConfiguration> ledgers = new ArrayList<>();
    private final CompletableFuture<String> ended = new CompletableFuture<>();
    private Optional<StartFailure> failure = Optional.empty();
    private int stopped;

    @Override
    public RunningNode startNode(NodeConfiguration configuration) {
      if (failure.isPresent()) {
        throw failure.get();
      }
      // Nobody asks the node itself anything here.
      return new RunningNode(
          null,
          null,
          new RunningNode.Endpoint(new HostAndPort("127.0.0.1", 8545), false),
          Optional.empty(),
          ended,
          () -> stopped++);
    }

    @Override
    public RunningLedger startLedger(LedgerConfiguration configuration) {
      ledgers.add(configuration);
      return new RunningLedger(configuration.listen(), () -> stopped++);
    }

    @Override
    public RunningNetwork startNetwork(NetworkPlan plan, Consumer<RunningNode> started) {
      throw failure.orElseThrow();
    }
  }
}
