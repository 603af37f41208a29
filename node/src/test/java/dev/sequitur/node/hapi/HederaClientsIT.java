package dev.sequitur.node.hapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.node.hapi.HederaPrograms.Program;
import dev.sequitur.node.hapi.HederaPrograms.Run;
import dev.sequitur.node.process.JsonRpcCaller;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Hedera's own clients, unchanged, each in a process of its own with its own libraries: what the
 * programs in {@code src/test/hedera} do, they do upon a front. All say the same. There is one
 * front, and a process of each SDK runs all programs that are for it when the first is asked for.
 */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HederaClientsIT {
  private static final Path KIT = Path.of("..", "docs", "hedera-tck.md");
  private static final Path EXAMPLE = Path.of("..", "examples", "hedera-release");

  /** Rows whose time that SDK refuses itself, as the page says. */
  private static final Pattern BEYOND_JAVAS_TIME = Pattern.compile("^(create/expiration/[5-8]) .*");

  private static final String HIERO = "@hiero-ledger/sdk";
  private static final String HASHGRAPH = "@hashgraph/sdk";
  private static final String MUTATIONS = "200000";
  private static final String SAID =
      """
      ping: 0.0.3
      messages: 0.76.1
      operator's key: true
      giver has: 1000 tℏ
      transfer: SUCCESS
      its fee: 1 tℏ
      its rows: -8 tℏ, 7 tℏ, 1 tℏ
      schedule: SUCCESS
      its memo: rent
      executed: false
      again: IDENTICAL_SCHEDULE_ALREADY_CREATED
      same schedule: true
      same transaction: true
      sign: SUCCESS
      it ran: SUCCESS
      because of the schedule: true
      sign again: SCHEDULE_ALREADY_EXECUTED
      taker has: 12 tℏ
      delete: SUCCESS
      deleted: true
      delete again: SCHEDULE_ALREADY_DELETED
      update: SUCCESS
      topic: NOT_SUPPORTED
      no such receipt: not there
      """;

  private final Map<String, Map<String, Run>> ran = new HashMap<>();
  private FileChannel turn;
  private HederaPrograms programs;
  private FrontUnderTest front;
  private String secret;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    turn = HederaPrograms.takeTurn();
    programs = new HederaPrograms(directory);
    var pair = SigningClient.ed25519();
    secret = SigningClient.secret(pair);
    front = new FrontUnderTest(directory.resolve("node"), SigningClient.publicKey(pair));
  }

  @AfterAll
  void stop() throws IOException {
    front.close();
    turn.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {HIERO, HASHGRAPH})
  void theSdksOfJavaScript(String sdk) throws IOException, InterruptedException {
    assertSays(javaScript(sdk).get("flow.mjs"));
  }

  /** Step by step, as docs/hedera.md lists them. */
  @Test
  void theSdksOwnExamplesOfSchedules() throws IOException, InterruptedException {
    var run = javaScript(HIERO).get("examples.mjs");

    assertThat(run.said())
        .as(run.output())
        .isEqualTo(
            """
            example: SUCCESS
            example: 2 signers, waits
            example: 3 signers, waits
            threshold: SUCCESS
            threshold: SUCCESS
            threshold: SUCCESS, 0 tℏ
            identical: SUCCESS
            identical: true
            identical: IDENTICAL_SCHEDULE_ALREADY_CREATED
            identical: SUCCESS
            identical: true
            identical: IDENTICAL_SCHEDULE_ALREADY_CREATED
            identical: SCHEDULE_ALREADY_EXECUTED
            identical: true
            identical: 2 signers, executed
            identical: SUCCESS
            identical: SUCCESS
            identical: SUCCESS
            identical: SUCCESS
            long: 2 signers, waits, 2 ℏ
            long: 3 signers, executed, 1 ℏ
            long: 2 signers, waits
            long: SUCCESS
            long: 0 tℏ
            progressive: 2 signers, waits
            progressive: SUCCESS
            progressive: 3 signers, waits
            progressive: SUCCESS
            receiver: true, 1 ℏ
            receiver: 2 signers, executed, 2 ℏ
            receiver: SUCCESS
            staking: {"declineStakingReward":false,"stakePeriodStart":null,"pendingReward":"0 tℏ","stakedToMe":"0 tℏ","stakedAccountId":null,"stakedNodeId":null}
            mirror: 1 ℏ
            transfer: SUCCESS, Transfer example, 100000001 tℏ more
            transfer: true
            """);
  }

  /** Each row of the public kit's tables is answered as the page says. */
  @ParameterizedTest
  @ValueSource(strings = {HIERO, HASHGRAPH})
  void theRowsOfTheKitThatTestsSdks(String sdk) throws IOException, InterruptedException {
    var run = javaScript(sdk).get("tck.mjs");

    assertThat(run.said().lines()).as(run.output()).containsExactlyElementsOf(rowsOfThePage());
  }

  @Test
  void theRowsOfTheKitByTheSdkOfJava() throws IOException, InterruptedException {
    var run = java().get("Tck");

    var expected =
        rowsOfThePage().stream()
            .map(row -> BEYOND_JAVAS_TIME.matcher(row).replaceFirst("$1 SDK"))
            .toList();
    assertThat(run.said().lines()).as(run.output()).containsExactlyElementsOf(expected);
  }

  /** The name of each row, and what it is answered here. */
  private static List<String> rowsOfThePage() throws IOException {
    try (var lines = Files.lines(KIT)) {
      return lines
          .map(line -> line.split(" *\\| *"))
          .filter(cells -> cells.length > 4 && cells[1].contains("/"))
          .map(cells -> cells[1] + " " + cells[4].replace("`", ""))
          .toList();
    }
  }

  private Map<String, Run> javaScript(String sdk) throws IOException, InterruptedException {
    if (!ran.containsKey(sdk)) {
      var both =
          Stream.of("flow.mjs", "tck.mjs").map(name -> Program.of(name, address(), secret, sdk));
      var ofOne =
          Stream.of(
              Program.of("release.mjs", address(), front.url(), "front", secret),
              // It changes where the process looks for a mirror.
              Program.of("examples.mjs", address(), secret, sdk, front.mirror()));
      var all = sdk.equals(HIERO) ? Stream.concat(both, ofOne) : both;
      ran.put(sdk, programs.javaScript(sdk, List.of(EXAMPLE.resolve("release.mjs")), all.toList()));
    }
    return ran.get(sdk);
  }

  @Test
  void theSdkOfJava() throws IOException, InterruptedException {
    assertSays(java().get("Flow"));
  }

  private Map<String, Run> java() throws IOException, InterruptedException {
    if (!ran.containsKey("java")) {
      ran.put(
          "java",
          programs.java(
              List.of(
                  Program.of("Flow", address(), secret),
                  Program.of("Tck", address(), secret),
                  release())));
    }
    return ran.get("java");
  }

  /**
   * What is taken of mutated transactions of every kind means the same to the network's own
   * protobuf; theirs comes first in the class path.
   */
  @Test
  void nothingIsReadOtherwiseThanByTheNetworksOwnProtobuf()
      throws IOException, InterruptedException {
    long seed = Long.getLong("build.seed", 1);

    var run = programs.javaBesideOurs("Fuzz", MUTATIONS, Long.toString(seed));

    assertThat(run.said())
        .as("Seed " + seed + ": " + run.output())
        .startsWith("mutations: " + MUTATIONS + "\n")
        .endsWith("read otherwise: 0\n");
  }

  /**
   * A group's private transaction, of which nobody but the front's caller and the group sees
   * anything: it runs with the third signature, and not before.
   */
  @Test
  void threeReleaseAPrivateTransactionTogether() throws IOException, InterruptedException {
    var run = java().get("Release");

    assertThat(run.said())
        .as(run.output())
        .isEqualTo(
            """
            scheduled: SUCCESS
            released: false
            signed: SUCCESS
            released: false
            signed: SUCCESS
            released: false
            signed: SUCCESS
            it ran: SUCCESS
            """);
  }

  private Program release() {
    var node = new JsonRpcCaller(front.url());
    var contract = contract(node);
    var keys = List.of(SigningClient.ed25519(), SigningClient.ed25519(), SigningClient.ed25519());
    var texts =
        keys.stream()
            .map(key -> SigningClient.publicKey(key).value().toHex().replaceFirst("^0x", ""))
            .map(key -> "'ed25519:" + key + "'")
            .collect(Collectors.joining(","));
    node.result(
        "multiSignature_bindKey", "[{'identity':'alice@front','key':{'keys':[" + texts + "]}}]");
    var call =
        """
        {"domain":"record","function":"increment","from":"alice@front","inputs":{"key":"rent","by":1}}""";

    var arguments = new ArrayList<>(List.of(address(), secret, contract, call));
    keys.forEach(key -> arguments.add(SigningClient.secret(key)));
    return new Program("Release", arguments);
  }

  /** What its README promises. */
  @Test
  void theExampleReleasesAPrivateTransaction() throws IOException, InterruptedException {
    var readme = Files.readString(EXAMPLE.resolve("README.md"));
    var run = javaScript(HIERO).get("release.mjs");

    assertThat(run.said().lines()).as(run.output()).hasSize(9).last().isEqualTo("it ran: SUCCESS");
    assertThat(readme.lines().map(String::strip).toList())
        .containsSubsequence(run.said().replace("alice@front", "alice@node1").lines().toList());
  }

  private static String contract(JsonRpcCaller node) {
    var group =
        node.result(
                "pgroup_createGroup",
                "[{'domain':'record','name':'alone','members':['alice@front']}]")
            .get("id")
            .asText();
    return Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                node.result("pgroup_getGroupById", "['record','" + group + "']")
                    .path("contractAddress"),
            JsonNode::isTextual)
        .asText();
  }

  private String address() {
    return "127.0.0.1:" + front.port();
  }

  private static void assertSays(Run run) {
    assertThat(run.said()).as(run.output()).isEqualTo(SAID);
  }
}
