package dev.sequitur.client.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.console.RecordedConsole;
import dev.sequitur.console.StopSignal;
import dev.sequitur.node.rpc.RunningRpc;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.ExitCode;

/** What asks a node about itself, its groups and its transactions. */
class ClientCommandsTest {
  private static final String DONE = "6f1c6f0e-0000-4000-8000-000000000001";
  private static final String OPEN = "6f1c6f0e-0000-4000-8000-000000000003";
  private static final String GROUP = "0x1111111111111111111111111111111111111111";

  private final RunningRpc rpc = RunningRpc.withDefaults();
  private RecordedConsole console = new RecordedConsole();

  @AfterEach
  void stop() {
    rpc.close();
  }

  private int run(String line) {
    var words = new ArrayList<>(List.of(line.split(" ")));
    words.addAll(List.of("--node", rpc.uri("/").toString()));
    console = new RecordedConsole();
    return ClientCommands.commandLine(console.console(), new StopSignal())
        .execute(words.toArray(String[]::new));
  }

  @Test
  void aNodeThatServesIsReadyAndTellsItsPeers() {
    assertThat(run("status")).as(console.err()).isZero();

    assertThat(console.out()).startsWith("node1 is ready.").contains("peer     node2");
    assertThat(run("status --json")).isZero();
    assertThat(console.out()).contains("\"ready\" : true");
  }

  @Test
  void aReceiptIsFoundByIdAndByKeyAndTheExitCodeIsThatOfItsSuccess() {
    assertThat(run("receipt " + DONE)).as(console.err()).isZero();
    assertThat(console.out()).startsWith(DONE + " succeeded in block 7, ");

    assertThat(run("receipt --key invoice-7")).isZero();
    assertThat(console.out()).startsWith(DONE + " succeeded");
  }

  @Test
  void ofOneThatIsNotFinalItIsToldWhatItWaitsFor() {
    assertThat(run("receipt " + OPEN)).isEqualTo(ExitCode.SOFTWARE);
    assertThat(console.out())
        .startsWith(OPEN + " is Delegated at node2")
        .contains("The coordinator gathers endorsements.");

    assertThat(run("receipt " + OPEN + " --wait 50ms")).isEqualTo(ExitCode.SOFTWARE);
    assertThat(console.err()).as("progress, once").containsOnlyOnce("is Delegated");
  }

  @Test
  void aTransactionThatTheNodeDoesNotHaveAndNoneAtAllAreToldInASentence() {
    assertThat(run("receipt 00000000-0000-4000-8000-000000000000")).isEqualTo(ExitCode.SOFTWARE);
    assertThat(console.err()).contains("ask the node that it was sent to");

    assertThat(run("receipt --key nobody-has-used-it")).isEqualTo(ExitCode.SOFTWARE);
    assertThat(console.err()).contains("no transaction with the idempotency key");

    assertThat(run("receipt")).isEqualTo(ExitCode.USAGE);
    assertThat(run("receipt " + DONE + " --key invoice-7")).isEqualTo(ExitCode.USAGE);
    assertThat(console.err()).contains("by its id, or by --key");
  }

  @Test
  void groupsAreListedMadeAndShownWithWhoCoordinates() {
    assertThat(run("group list")).as(console.err()).isZero();
    assertThat(console.out()).contains(GROUP, "traders", "alice@node1, bob@node2");

    assertThat(run("group show " + GROUP)).isZero();
    assertThat(console.out()).contains("node2 coordinates").contains("1. bob@node2: Nearest");

    assertThat(run("group create alice@node1 bob@node2 --domain token --name settlement"))
        .as(console.err())
        .isZero();
    assertThat(console.out()).containsPattern("The group's id is 0x[0-9a-f]{64};");
  }

  @Test
  void aGroupThatTheNodeDoesNotKnowIsToldInASentence() {
    assertThat(run("group show 0x2222222222222222222222222222222222222222"))
        .isEqualTo(ExitCode.SOFTWARE);
    assertThat(console.err()).contains("'sequitur group list' shows");
  }

  @Test
  void fromWhichLevelOnTheLogIsWrittenIsShownAndSet() {
    assertThat(run("log-level")).as(console.err()).isZero();
    assertThat(console.out()).contains("WARN  ROOT");

    assertThat(run("log-level dev.sequitur.transaction DEBUG")).as(console.err()).isZero();
    assertThat(console.out()).startsWith("DEBUG dev.sequitur.transaction");
    assertThat(run("log-level dev.sequitur.transaction DEFAULT")).isZero();
    assertThat(console.out()).startsWith("WARN  dev.sequitur.transaction");

    assertThat(run("log-level dev.sequitur.transaction")).isEqualTo(ExitCode.USAGE);
  }
}
