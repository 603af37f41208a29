package dev.sequitur.client.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.sequitur.console.RecordedConsole;
import dev.sequitur.console.StopSignal;
import dev.sequitur.node.guard.GuardSettings;
import dev.sequitur.node.guard.GuardSettings.Authentication;
import dev.sequitur.node.guard.TokenFile;
import dev.sequitur.node.rpc.RunningRpc;
import dev.sequitur.protocol.guard.ApiToken;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
    return run(line, rpc.uri("/"));
  }

  private int run(String line, URI node) {
    var words = new ArrayList<>(List.of(line.split(" ")));
    words.addAll(List.of("--node", node.toString()));
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
  void theJvmsOfANodeAreShownWithWhatTheyHaveAndWhatMoves() {
    assertThat(run("status --jvms")).as(console.err()).isZero();

    assertThat(console.out())
        .contains(
            "jvm      10.0.0.1:25520 (asked) is up since 2026-11-21T10:00:00Z; it has ledger-indexer, gas-keeper",
            "4530 envelopes in, 1200 out; 12 messages passed on to another JVM; 12 s of writes",
            "64 shards, 12 entities in memory; 8 shards to go",
            "jvm      10.0.0.2:25520 is up",
            "56 shards, 12 entities in memory; 8 shards to come");
    assertThat(run("status")).isZero();
    assertThat(console.out()).doesNotContain("  jvm ");
  }

  @Test
  void aBackupIsBegunAndToldWithWhatIsNewInIt() {
    assertThat(run("backup --status")).as(console.err()).isZero();
    assertThat(console.out())
        .contains("This JVM has begun no backup. There is no whole backup in backups.");

    assertThat(run("backup")).as(console.err()).isZero();
    assertThat(console.out())
        .contains("The backup in backups is whole: 3 entries in 120 bytes, 40 bytes of them new");
    assertThat(run("backup --status --json")).isZero();
    assertThat(console.out()).contains("\"state\" : \"done\"");
  }

  @Test
  void howMuchWouldBeForgottenIsCounted() {
    assertThat(run("prune")).as(console.err()).isZero();
    assertThat(console.out())
        .contains("The node keeps what has ended for PT2160H", "Nothing is forgotten yet");

    assertThat(run("prune --dry-run")).as(console.err()).isZero();
    assertThat(console.out())
        .contains("Now the node would forget 0 transactions (0 bytes)", "Nothing was forgotten")
        .contains(
            "The ledger has its blocks from 3 on, and would drop 2 blocks now",
            "All readers agree up to block 4.",
            "  node1: agrees, block 8",
            "  node2: behind, block 4");
  }

  @Test
  void whatWouldBeForgottenIsWrittenIntoAFile(@TempDir Path directory) throws IOException {
    var file = directory.resolve("ended.jsonl");
    rpc.hasEndedLongAgo();

    assertThat(run("prune --export " + file)).as(console.err()).isZero();

    var lines = Files.readAllLines(file);
    assertThat(lines).hasSizeGreaterThan(1);
    assertThat(console.out())
        .contains("has %d receipts: nothing more has ended".formatted(lines.size()));
    assertThat(lines)
        .first()
        .asString()
        .startsWith("{\"id\":\"" + DONE + "\"")
        .contains("\"proof\":{");
    assertThat(run("prune --export " + file)).isEqualTo(ExitCode.USAGE);
    assertThat(console.err()).contains("is there: name a file that is not");
    assertThat(run("prune --dry-run --export " + file)).isEqualTo(ExitCode.USAGE);
    assertThat(run("prune --export " + directory.resolve("no").resolve("such")))
        .isEqualTo(ExitCode.SOFTWARE);
    assertThat(console.err()).contains("cannot be written");
    try (var left = Files.list(directory)) {
      assertThat(left).containsExactly(file);
    }
  }

  @Test
  void aJvmThatIsDrainedIsToldToLeaveAndSaysWhenItEnds() {
    assertThat(run("drain")).isEqualTo(ExitCode.SOFTWARE);
    assertThat(console.err()).contains("by a signal");

    rpc.leavesWhenAsked();
    assertThat(run("drain")).as(console.err()).isZero();
    assertThat(console.out()).contains("1 other JVM of the node", "within 10 s");
    assertThat(run("status")).isEqualTo(ExitCode.SOFTWARE);
    assertThat(console.out()).contains("NOT READY", "leaving its node");
  }

  @Test
  void theOldestTransactionsThatWaitAreInTheStatusWithWhomTheyWaitFor() {
    assertThat(run("status")).as(console.err()).isZero();

    assertThat(console.out())
        .contains("  open     Since 2")
        .contains(OPEN + " is Delegated at node2")
        .contains("It waits for: The coordinator gathers endorsements.")
        .doesNotContain(DONE);
    assertThat(run("status --json")).isZero();
    assertThat(console.out()).contains("\"oldest\"", OPEN);
  }

  @Test
  void aNodeThatAsksWhoCallsIsNotTakenForOneThatIsNotReady(@TempDir Path directory)
      throws IOException {
    var tokens = directory.resolve("tokens.json");
    var now = Instant.now();
    var made =
        ApiToken.make(
            new ApiToken.Grant("ci", List.of("owner"), now, Optional.empty()), new byte[40]);
    new TokenFile(tokens).update(known -> known.with(made.token(), now));
    var asking = GuardSettings.of(tokens).withAuthentication(Authentication.REQUIRED);

    try (var guarded = RunningRpc.guarded(asking)) {
      for (var command : List.of("status", "log-level", "group list")) {
        assertThat(run(command, guarded.uri("/"))).isEqualTo(ExitCode.SOFTWARE);
        assertThat(console.err()).contains("The node asks who calls");
        assertThat(console.out()).isEmpty();
      }
    }
  }

  @Test
  void whatAnswersAndIsNoNodeIsToldInASentence() throws IOException {
    var other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    other.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          try (var body = exchange.getResponseBody()) {
            body.write("Welcome!".getBytes(StandardCharsets.UTF_8));
          }
        });
    other.start();
    try {
      var address = URI.create("http://127.0.0.1:" + other.getAddress().getPort());
      for (var command : List.of("status", "group list")) {
        assertThat(run(command, address)).isEqualTo(ExitCode.SOFTWARE);
        assertThat(console.err()).contains("does not answer as a node: write https:// if it has");
      }
    } finally {
      other.stop(0);
    }
  }

  @Test
  void aReceiptIsFoundByIdAndByKeyAndTheExitCodeIsThatOfItsSuccess() {
    assertThat(run("receipt " + DONE)).as(console.err()).isZero();
    assertThat(console.out()).startsWith(DONE + " succeeded in block 7, ");

    assertThat(run("receipt --key invoice-7")).isZero();
    assertThat(console.out()).startsWith(DONE + " succeeded");
  }

  /** CNF-9: who is paid has the receipt, and not the transaction. */
  @Test
  void theReceiptOfAnotherNodesTransactionIsShownToo() {
    var others = "6f1c6f0e-0000-4000-8000-000000007777";
    rpc.hasReceiptOfOthers(others);

    assertThat(run("receipt " + others)).as(console.err()).isZero();

    assertThat(console.out()).startsWith(others + " succeeded in block 7, ");
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
  void theTriesAreCountedFromOneAndTheLastThingThatHappenedIsTold() {
    assertThat(run("receipt " + OPEN)).isEqualTo(ExitCode.SOFTWARE);

    assertThat(console.out())
        .contains(", in try ")
        .doesNotContain("in try 0")
        .contains(" Last, at ");
  }

  @Test
  void whatHasNotEndedForLongIsListedWithWhomItWaitsFor() {
    assertThat(run("transactions --stuck-for 1m")).isEqualTo(ExitCode.SOFTWARE);
    assertThat(console.out())
        .startsWith("Since 2")
        .contains(OPEN + " is Delegated at node2")
        .contains("It waits for: The coordinator gathers endorsements.")
        .doesNotContain(DONE);

    assertThat(run("transactions --stuck-for 3000d")).as("nothing is that old").isZero();
    assertThat(run("transactions --stuck-for soon")).isEqualTo(ExitCode.USAGE);
    assertThat(console.err()).contains("'soon' is not a time from 10ms to 3650d");
    assertThat(run("transactions --json")).isEqualTo(ExitCode.SOFTWARE);
    assertThat(console.out()).contains("\"waitsFor\"");
  }

  @Test
  void aGroupIsComparedWithTheLedgerAndIsMadeWhatItShowsWhereThatIsAskedFor() {
    assertThat(run("compare-ledger " + GROUP)).isEqualTo(ExitCode.SOFTWARE);
    assertThat(console.out())
        .startsWith("Compared up to block 8. Since block 7 it differs;")
        .contains("states held though spent on the ledger: 2")
        .contains("`sequitur compare-ledger " + GROUP + " --rebuild`");

    assertThat(run("compare-ledger " + GROUP + " --rebuild")).as(console.err()).isZero();
    assertThat(console.out()).contains("was made what the ledger shows up to block 8.");
    assertThat(run("compare-ledger " + GROUP + " --rebuild --json")).isZero();
    assertThat(console.out()).contains("\"status\" : \"REBUILT\"", "\"rebuild\" : true");
  }

  @Test
  void whatIsErasedIsListedWithWhoHasAnswered() {
    var state = "0x" + "ab".repeat(32);
    assertThat(run("erase " + GROUP + " " + state)).as(console.err()).isZero();
    assertThat(console.out())
        .contains("2026-11-21T10:00:00Z  1 state; erased by node3; not answered by node2");
    assertThat(run("erase " + GROUP)).as(console.err()).isZero();
    assertThat(console.out()).contains("not answered by node2");

    assertThat(run("erase 0x2222222222222222222222222222222222222222"))
        .isEqualTo(ExitCode.SOFTWARE);
    assertThat(console.err()).contains("The node is not in a group of 0x2222");
  }

  @Test
  void aGroupThatTheNodeIsNotInIsNotComparedAndThatIsToldInASentence() {
    assertThat(run("compare-ledger 0x2222222222222222222222222222222222222222 --rebuild"))
        .isEqualTo(ExitCode.SOFTWARE);
    assertThat(console.err()).contains("The node is not in a group of 0x2222");
    assertThat(console.out()).isEmpty();
    assertThat(run("compare-ledger")).isEqualTo(ExitCode.USAGE);
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
  void whoIsInAGroupIsShownAndChangedInWordsForTheOthers() {
    assertThat(run("group committee " + GROUP)).as(console.err()).isZero();
    assertThat(console.out())
        .contains(
            "After change 0; 2 must endorse, 2 must sign for another committee:",
            "  alice@node1=0x0279",
            "Change 1 of " + GROUP + " is gathering here; signed by alice@node1.",
            "New keys that have not signed: bob@node2.",
            "Of the members bob@node2, 1 more must sign.");

    assertThat(run("group changes")).as(console.err()).isZero();
    assertThat(console.out())
        .containsPattern(
            "sequitur group agree "
                + GROUP
                + " --number 1 --threshold 2 --change-threshold 2 --until 100000 alice@node1=0x0279[0-9a-f]+ bob@node2=0x02c6");

    assertThat(run("group change " + GROUP + " --key bob@node2")).as(console.err()).isZero();
    assertThat(console.out()).contains("To agree to the same at another node:");
    var members = "alice@node1=0x02" + "11".repeat(32) + " bob@node2=0x02" + "22".repeat(32);
    assertThat(
            run(
                "group agree %s --number 1 --threshold 1 --change-threshold 2 --until 9 %s"
                    .formatted(GROUP, members)))
        .as(console.err())
        .isZero();
    assertThat(run("group withdraw " + GROUP)).as(console.err()).isZero();
    assertThat(console.out()).contains("Change 1 of");
  }

  @Test
  void aChangeThatCannotBeMadeOfWhatStandsIsRefusedInASentence() {
    assertThat(run("group change " + GROUP + " --remove eve@node9")).isEqualTo(ExitCode.SOFTWARE);
    assertThat(console.err()).contains("eve@node9 is no member of the group.");
    assertThat(run("group change " + GROUP + " --add bob@node2")).isEqualTo(ExitCode.SOFTWARE);
    assertThat(console.err()).contains("bob@node2 is a member already");
    assertThat(run("group change 0x2222222222222222222222222222222222222222 --key bob@node2"))
        .isEqualTo(ExitCode.SOFTWARE);
    assertThat(console.err()).contains("agree by 'sequitur group agree'");
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
