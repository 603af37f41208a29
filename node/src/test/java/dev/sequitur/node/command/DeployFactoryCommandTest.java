package dev.sequitur.node.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.console.RecordedConsole;
import dev.sequitur.console.StopSignal;
import dev.sequitur.ethereum.AlteringNode;
import dev.sequitur.ethereum.Anvil;
import dev.sequitur.node.process.ProcessStarter;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.ExitCode;

class DeployFactoryCommandTest {
  @TempDir private Path directory;
  private final RecordedConsole console = new RecordedConsole();

  private int deploy(String rpc, String... more) {
    var words = new ArrayList<String>();
    words.addAll(
        List.of("deploy-factory", "--rpc", rpc, "--keys", directory.resolve("keys").toString()));
    words.addAll(List.of(more));
    var context = new CommandContext(console.console(), new StopSignal(), new ProcessStarter());
    return NodeCommands.commandLine(context).execute(words.toArray(String[]::new));
  }

  @Test
  void theFactorysAddressAndTheLinesOfTheConfigurationArePrinted() {
    try (var chain = Anvil.startWithBlocks()) {
      assertThat(deploy(chain.address().toString())).isZero();

      assertThat(console.out())
          .containsPattern("The factory is 0x[0-9a-f]{40}\\.")
          .contains("ledger.chain-id = 1337")
          .contains("ledger.ethereum.rpc = [\"" + chain.address() + "\"]")
          .containsPattern("ledger.ethereum.factory = \"0x[0-9a-f]{40}\"")
          .doesNotContain("legacy");
    }
  }

  @Test
  void givenAgainItTellsTheOneThatIsThere() {
    try (var chain = Anvil.startWithBlocks()) {
      assertThat(deploy(chain.address().toString(), "--legacy")).isZero();
      var first = console.out();
      assertThat(deploy(chain.address().toString(), "--legacy")).isZero();

      assertThat(console.out()).isEqualTo(first + first);
      assertThat(console.err()).contains("has made a factory there before");
    }
  }

  /** It has an implementation as well, and takes no call as nodes send it now. */
  @Test
  void aFactoryOfAnotherVersionIsNotTold() throws IOException {
    try (var chain = Anvil.startWithBlocks();
        var before = new AlteringNode(chain.address()).alters(this::takesNoTerms)) {
      assertThat(deploy(chain.address().toString())).isZero();
      var first = factory(console.out());
      assertThat(deploy(before.address().toString())).isZero();

      assertThat(factory(console.out())).isNotEqualTo(first);
      assertThat(console.err()).doesNotContain("has made a factory there before");
    }
  }

  private void takesNoTerms(JsonNode request, ObjectNode answer) {
    if (request.path("method").asText().equals("eth_call") && answer.has("error")) {
      ((ObjectNode) answer.get("error")).put("data", "0x");
    }
  }

  /** The one that was told last. */
  private static String factory(String out) {
    var factories = Pattern.compile("The factory is (0x[0-9a-f]{40})").matcher(out).results();
    return factories.map(found -> found.group(1)).reduce((one, other) -> other).orElseThrow();
  }

  @Test
  void whereTransactionsHaveNoTypeTheNodesAreToldSo() {
    try (var chain = Anvil.startWithBlocks()) {
      assertThat(deploy(chain.address().toString(), "--legacy")).isZero();

      assertThat(console.out()).contains("  ledger.ethereum.legacy-transactions = true\n");
    }
  }

  @Test
  void whoHasNoMoneyIsToldWhichAccountToFund() {
    try (var chain = Anvil.startWithBlocks()) {
      assertThat(deploy(chain.address().toString(), "--max-fee", "1000")).isEqualTo(ExitCode.USAGE);

      assertThat(console.err())
          .containsPattern("from account 0x[0-9a-f]{40}")
          .contains("fund the account", "name --legacy");
    }
  }

  @Test
  void whereNoChainIsTheErrorSaysWhatToDo() throws Exception {
    int free;
    try (var socket = new ServerSocket(0)) {
      free = socket.getLocalPort();
    }

    assertThat(deploy("http://127.0.0.1:" + free)).isEqualTo(ExitCode.USAGE);

    assertThat(console.err())
        .contains("There is no chain at", "correct --rpc")
        .doesNotContain("ledger.ethereum");
  }

  @Test
  void theChainsNodesAreShownWhatAConfigurationSays() throws IOException {
    var access = directory.resolve("node1.conf");
    Files.writeString(access, "ledger.ethereum.access.bearer-token-file = token");
    var token = Files.writeString(directory.resolve("token"), "hunter2");
    try (var chain = Anvil.startWithBlocks();
        var asking = new AlteringNode(chain.address()).admits("authorization", "Bearer hunter2")) {
      var address = asking.address().toString();
      assertThat(deploy(address, "--access", access.toString())).isZero();
      assertThat(console.out()).containsPattern("The factory is 0x[0-9a-f]{40}\\.");

      Files.writeString(token, "hunter3");
      assertThat(deploy(address, "--access", access.toString())).isEqualTo(ExitCode.USAGE);
      assertThat(console.err()).contains("status 401", "correct --rpc").doesNotContain("hunter");
    }
  }

  @Test
  void aMistakeInWhatIsShownIsToldByItsKeyAndWithoutTheSecret() throws IOException {
    var access = directory.resolve("access.conf");
    Files.writeString(access, "ledger.ethereum.access.bearer-token = \"hunter2\\nhunter2\"");

    assertThat(deploy("http://127.0.0.1:1", "--access", access.toString())).isNotZero();
    assertThat(console.err())
        .contains("ledger.ethereum.access", "one line")
        .doesNotContain("hunter");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"nonsense", "ftp://127.0.0.1:8545", "127.0.0.1:8545", "http:", "me:hunter2@x"})
  void whatIsNoAddressIsRefusedWithAnExampleOfOne(String address) {
    assertThat(deploy(address)).isEqualTo(ExitCode.USAGE);

    assertThat(console.err())
        .contains("'--rpc'")
        .contains("an address is such as http://127.0.0.1:8545")
        .doesNotContain("hunter2");
  }

  @Test
  void aPriorityFeeAboveTheWholeFeeIsRefused() {
    assertThat(deploy("http://127.0.0.1:1", "--max-fee", "1", "--priority-fee", "2"))
        .isEqualTo(ExitCode.USAGE);

    assertThat(console.err()).contains("not above --max-fee");
  }
}
