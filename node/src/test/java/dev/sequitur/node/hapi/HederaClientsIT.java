package dev.sequitur.node.hapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.node.hapi.HederaPrograms.Run;
import dev.sequitur.node.process.JsonRpcCaller;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.signing.PublicKey;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Hedera's own clients, unchanged, each in a process of its own with its own libraries: what the
 * programs in {@code src/test/hedera} do, they do upon a front. Both say the same.
 */
@Tag("slow")
class HederaClientsIT {
  private static FileChannel turn;

  @BeforeAll
  static void takeTurn() throws IOException {
    turn = HederaPrograms.takeTurn();
  }

  @AfterAll
  static void endTurn() throws IOException {
    turn.close();
  }

  private static final Path KIT = Path.of("..", "docs", "hedera-tck.md");
  private static final Path EXAMPLE = Path.of("..", "examples", "hedera-release");
  private static final int KEY_BYTES = 32;
  private static final String MUTATIONS = "200000";
  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();
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

  @TempDir private Path directory;
  private HederaPrograms programs;
  private FrontUnderTest front;
  private String secret;

  @BeforeEach
  void start() throws GeneralSecurityException {
    programs = new HederaPrograms(directory);
    var pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    secret = HexFormat.of().formatHex(last(pair.getPrivate().getEncoded()));
    var key =
        new PublicKey(PublicKey.Algorithm.ED25519, Bytes.of(last(pair.getPublic().getEncoded())));
    front = new FrontUnderTest(directory.resolve("node"), key);
  }

  @AfterEach
  void stop() {
    front.close();
  }

  /** The key itself is the end of its encoding, secret or not. */
  private static byte[] last(byte[] encoded) {
    return Arrays.copyOfRange(encoded, encoded.length - KEY_BYTES, encoded.length);
  }

  @ParameterizedTest
  @ValueSource(strings = {"@hiero-ledger/sdk", "@hashgraph/sdk"})
  void theSdksOfJavaScript(String sdk) throws IOException, InterruptedException {
    assertSays(javaScript("flow.mjs", sdk));
  }

  /** Each row of the public kit's tables is answered as the page says. */
  @ParameterizedTest
  @ValueSource(strings = {"@hiero-ledger/sdk", "@hashgraph/sdk"})
  void theRowsOfTheKitThatTestsSdks(String sdk) throws IOException, InterruptedException {
    var run = javaScript("tck.mjs", sdk);

    assertThat(run.said().lines()).as(run.output()).containsExactlyElementsOf(rowsOfThePage());
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

  private Run javaScript(String program, String sdk) throws IOException, InterruptedException {
    return programs.javaScript(sdk, program, address(), secret, sdk);
  }

  @Test
  void theSdkOfJava() throws IOException, InterruptedException {
    var home = programs.java();

    assertSays(programs.run(home, List.of(JAVA, "-cp", "lib/*", "Flow.java", address(), secret)));
  }

  /**
   * What is taken of mutated transactions of every kind means the same to the network's own
   * protobuf; theirs comes first in the class path.
   */
  @Test
  void nothingIsReadOtherwiseThanByTheNetworksOwnProtobuf()
      throws IOException, InterruptedException {
    var home = programs.java();
    var path = "lib/*" + File.pathSeparator + System.getProperty("java.class.path");
    long seed = Long.getLong("build.seed", 1);

    var run =
        programs.run(home, List.of(JAVA, "-cp", path, "Fuzz.java", MUTATIONS, Long.toString(seed)));

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
    var home = programs.java();
    var node = new JsonRpcCaller(front.url());
    var contract = contract(node);
    var keys = List.of(SigningClient.ed25519(), SigningClient.ed25519(), SigningClient.ed25519());
    var texts =
        keys.stream()
            .map(key -> last(key.getPublic().getEncoded()))
            .map(key -> "'ed25519:" + HexFormat.of().formatHex(key) + "'")
            .collect(Collectors.joining(","));
    node.result(
        "multiSignature_bindKey", "[{'identity':'alice@front','key':{'keys':[" + texts + "]}}]");
    var call =
        """
        {"domain":"record","function":"increment","from":"alice@front","inputs":{"key":"rent","by":1}}""";

    var command =
        new ArrayList<>(
            List.of(JAVA, "-cp", "lib/*", "Release.java", address(), secret, contract, call));
    keys.forEach(key -> command.add(HexFormat.of().formatHex(last(key.getPrivate().getEncoded()))));
    var run = programs.run(home, command);

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

  /** What its README promises. */
  @Test
  void theExampleReleasesAPrivateTransaction() throws IOException, InterruptedException {
    var readme = Files.readString(EXAMPLE.resolve("README.md"));
    var run =
        programs.example(
            EXAMPLE.resolve("release.mjs"),
            "@hiero-ledger/sdk",
            address(),
            front.url(),
            "front",
            secret);

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
