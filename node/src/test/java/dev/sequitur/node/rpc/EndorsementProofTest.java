package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.console.RecordedConsole;
import dev.sequitur.console.StopSignal;
import dev.sequitur.ledger.LedgerSettings;
import dev.sequitur.node.command.CommandContext;
import dev.sequitur.node.command.NodeCommands;
import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.node.process.JsonRpcCaller;
import dev.sequitur.node.process.ProcessStarter;
import dev.sequitur.node.process.RunningNetwork;
import dev.sequitur.node.process.RunningNode;
import dev.sequitur.node.process.Starter.NetworkPlan;
import dev.sequitur.protocol.id.NodeName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * ATT-8: one transaction of a batch with its proof, given by real nodes and checked from a file.
 */
class EndorsementProofTest {
  @TempDir private static Path directory;
  private static RunningNetwork network;
  private static List<JsonRpcCaller> nodes;
  private static JsonNode group;
  private static List<String> confirmed;

  @TempDir private Path files;
  private RecordedConsole console = new RecordedConsole();

  @BeforeAll
  static void threeNodesConfirmABatch() {
    var plans =
        Stream.of("node1", "node2", "node3")
            .map(name -> NodeConfiguration.embedded(new NodeName(name), directory.resolve(name)))
            .toList();
    var blocks = LedgerSettings.DEFAULT.withBlockTime(Duration.ofMillis(100));
    network =
        new ProcessStarter()
            .startNetwork(new NetworkPlan(directory.resolve("ledger"), blocks, plans), node -> {});
    nodes = network.nodes().stream().map(RunningNode::url).map(JsonRpcCaller::new).toList();
    group = newGroup();
    var mints = new ArrayList<String>();
    for (int i = 0; i < 50; i++) {
      mints.add(mint(""));
    }
    var ids = nodes.get(0).result("ptx_sendTransactions", "[[" + String.join(",", mints) + "]]");
    confirmed = new ArrayList<>();
    for (var id : ids) {
      confirmed.add(id.asText());
      assertThat(receipt(id.asText()).get("success").asBoolean()).isTrue();
    }
  }

  @AfterAll
  static void stop() {
    network.close();
  }

  private static JsonNode newGroup() {
    var id =
        nodes
            .get(0)
            .result(
                "pgroup_createGroup",
                "[{'domain':'token','members':['alice@node1','bob@node2','carol@node3'],"
                    + "'configuration':{'endorsementThreshold':2}}]")
            .get("id")
            .asText();
    nodes.get(0).awaitResult("pgroup_getGroupById", "['token','" + id + "']", "contractAddress");
    return nodes.get(0).result("pgroup_getGroupById", "['token','" + id + "']");
  }

  private static String mint(String more) {
    return "{'type':'private','domain':'token','from':'alice@node1','to':'"
        + group.get("contractAddress").asText()
        + "','function':'mint',"
        + more
        + "'data':{'to':'alice@node1','amount':'1'}}";
  }

  private static JsonNode receipt(String id) {
    return nodes.get(0).awaitResult("ptx_getTransactionReceipt", "['" + id + "']");
  }

  /** The first that was not endorsed alone. */
  private static ObjectNode proofOutOfABatch() {
    return confirmed.stream()
        .map(id -> (ObjectNode) nodes.get(0).result("ptx_getEndorsementProof", "['" + id + "']"))
        .filter(proof -> proof.at("/transaction/path/size").asInt() > 1)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aTransactionOutOfABatchIsProvenFromAFile() throws IOException {
    var proof = proofOutOfABatch();

    assertThat(verify(proof, "--group", write("group.json", group).toString())).isZero();
    assertThat(console.out())
        .contains("Proven: ", " of the 3 members have signed it, and 2 had to.")
        .contains("carol@node3")
        .doesNotContain("--group");
  }

  @Test
  void withoutAGroupTheFileSaysWhoHadToSign() throws IOException {
    assertThat(verify(proofOutOfABatch())).isZero();
    assertThat(console.out()).contains("the file's own word", "--group FILE");
  }

  @Test
  void theWholeAnswerOfJsonRpcIsTakenToo() throws IOException {
    var answer = nodes.get(0).answer("ptx_getEndorsementProof", "['" + confirmed.get(0) + "']");
    assertThat(verify((ObjectNode) answer)).isZero();
  }

  /** By the id once its node has read the block (CNF-9). */
  @Test
  void anotherMemberFindsItByTheBaseLedgersTransactionAndByItsId() {
    var id = confirmed.get(7);
    var hash = receipt(id).get("transactionHash").asText();
    var own = nodes.get(0).result("ptx_getEndorsementProof", "['" + id + "']");

    var byHash = nodes.get(2).result("ptx_getEndorsementProof", "['" + id + "','" + hash + "']");
    assertThat(byHash).isEqualTo(own);
    await()
        .untilAsserted(
            () ->
                assertThat(nodes.get(2).result("ptx_getEndorsementProof", "['" + id + "']"))
                    .isEqualTo(own));
  }

  @Test
  void whatIsPreparedForItsCallerHasAProofBeforeItIsSubmitted() throws IOException {
    var prepared = new ArrayList<String>();
    for (int i = 0; i < 20; i++) {
      prepared.add(mint(""));
    }
    var ids =
        nodes.get(0).result("ptx_prepareTransactions", "[[" + String.join(",", prepared) + "]]");
    int inBatches = 0;
    for (var id : ids) {
      var params = "['" + id.asText() + "']";
      var proof = (ObjectNode) nodes.get(0).awaitResult("ptx_getEndorsementProof", params);
      var shown = nodes.get(0).result("ptx_getPreparedTransaction", params);
      assertThat(proof.get("transaction")).isEqualTo(shown.get("transaction"));
      assertThat(proof.get("public").isNull()).isTrue();
      assertThat(verify(proof)).isZero();
      inBatches += proof.at("/transaction/path/size").asInt() > 1 ? 1 : 0;
    }
    assertThat(inBatches).isPositive();
  }

  @Test
  void whatWasChangedIsNotProven() throws IOException {
    assertNotProven(proof -> proof.put("id", confirmed.get(1)));
    assertNotProven(proof -> with(proof, "/transaction").put("commitment", otherHash()));
    assertNotProven(proof -> with(proof, "/transaction").putArray("outputs").add(otherHash()));
    assertNotProven(proof -> with(proof, "/endorsementPolicy").put("chainId", 1));
    assertNotProven(
        proof -> with(proof, "/endorsementPolicy").put("contractAddress", "0x" + "77".repeat(20)));
    assertNotProven(
        proof -> {
          var signatures = proof.at("/transaction/endorsements");
          with(proof, "/transaction").putArray("endorsements").add(signatures.get(0));
        });
    assertNotProven(
        proof -> {
          var one = proof.at("/transaction/endorsements").get(0);
          with(proof, "/transaction").putArray("endorsements").add(one).add(one);
        });
  }

  /** No signature covers it, and whoever compares the roots of two files reads it all the same. */
  @Test
  void aRootThatDoesNotFollowFromTheTransactionIsNotProven() throws IOException {
    var proof = proofOutOfABatch().deepCopy();
    var signed = proof.get("root").asText();
    proof.put("root", otherHash());

    assertThat(verify(proof)).isEqualTo(1);
    assertThat(console.out())
        .contains("Root " + signed)
        .contains("Not proven: The file tells the root " + otherHash())
        .doesNotContain("Proven: ");
  }

  /** What is signed holds all the same, and whoever reads the file is told something else. */
  @Test
  void aPolicyThatIsNotThatOfTheTrustedGroupIsNotProven() throws IOException {
    var trusted = write("group.json", group).toString();
    assertOtherPolicy(trusted, policy -> policy.put("chainId", 1));
    assertOtherPolicy(trusted, policy -> policy.put("threshold", 1));
    assertOtherPolicy(
        trusted,
        policy ->
            ((ObjectNode) policy.at("/committee/2")).put("verifier", Sample.VERIFIER.toString()));
  }

  private void assertOtherPolicy(String trusted, Consumer<ObjectNode> change) throws IOException {
    var proof = proofOutOfABatch().deepCopy();
    change.accept(with(proof, "/endorsementPolicy"));

    assertThat(verify(proof, "--group", trusted)).isEqualTo(1);
    assertThat(console.out())
        .contains("Not proven: The file tells another chain, other members or another threshold")
        .doesNotContain("Proven: ");
  }

  /** As the manual says: where it was fulfilled is looked up on the base ledger. */
  @Test
  void noSignatureCoversWhereItWasFulfilledNorTheDomainsName() throws IOException {
    var proof = proofOutOfABatch().deepCopy();
    proof.put("domain", "other");
    with(proof, "/public").put("blockNumber", 999_999).put("transactionHash", otherHash());

    assertThat(verify(proof)).isZero();
  }

  private void assertNotProven(Consumer<ObjectNode> change) throws IOException {
    var proof = proofOutOfABatch().deepCopy();
    change.accept(proof);
    assertThat(verify(proof)).isEqualTo(1);
    assertThat(console.out()).contains("Not proven: ", ", and 2 must.");
  }

  private static ObjectNode with(ObjectNode proof, String path) {
    return (ObjectNode) proof.at(path);
  }

  private static String otherHash() {
    return "0x" + "5a".repeat(32);
  }

  @Test
  void theGroupThatIsTrustedSaysWhoHadToSign() throws IOException {
    var otherGroup = newGroup();
    var proof = proofOutOfABatch();

    assertThat(verify(proof, "--group", write("group.json", otherGroup).toString())).isEqualTo(1);
    assertThat(console.out())
        .contains("and the group is that of " + otherGroup.get("contractAddress").asText());

    var stricter = ((ObjectNode) group).deepCopy();
    with(stricter, "/endorsementPolicy").put("threshold", 3);
    with(stricter, "/endorsementPolicy/committee/1").put("verifier", Sample.VERIFIER.toString());
    assertThat(verify(proof, "--group", write("group.json", stricter).toString())).isEqualTo(1);
    assertThat(console.out()).contains("not signed " + Sample.VERIFIER + " bob@node2");
  }

  @Test
  void severalFilesAreCheckedInOneCallAndOneThatIsNotProvenIsFound() throws IOException {
    var good = write("good.json", proofOutOfABatch()).toString();
    var changed = proofOutOfABatch().deepCopy();
    changed.put("id", confirmed.get(1));
    var bad = write("bad.json", changed).toString();

    assertThat(execute("verify-proof", good, good)).isZero();
    assertThat(console.out().split("Proven: ", -1)).hasSize(3);
    assertThat(execute("verify-proof", good, bad)).isEqualTo(1);
    assertThat(console.out())
        .containsSubsequence(good + ":", "Proven: ", bad + ":", "Not proven: ");
    assertThat(execute("verify-proof", good, bad, "--json")).isEqualTo(1);
    assertThat(console.out()).containsSubsequence("\"proven\" : false", "\"flaw\" : \"");
  }

  @Test
  void whatIsNoProofIsRefusedWithASentence() throws IOException {
    assertRefused("{", "is not JSON");
    assertRefused("null", "must be an object");
    assertRefused("{}", ".id is missing");
    assertRefused("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":null}", "must be an object, not null");
    var cut = proofOutOfABatch().deepCopy();
    with(cut, "/transaction/path").put("index", 999_999);
    assertRefused(cut.toString(), "has no leaf 999999");
    with(cut, "/transaction/path").put("index", 3_000_000_000L);
    assertRefused(cut.toString(), ".index must be a whole number from 0 to 2147483647");
    assertRefused("", "is empty: write what the node answered into it");
    assertRefused(" \n", "is empty: write what the node answered into it");
    assertThat(execute("verify-proof", files.resolve("nowhere").toString())).isEqualTo(2);
    assertThat(console.err()).contains("cannot be read");
  }

  private void assertRefused(String content, String expected) throws IOException {
    var file = Files.writeString(files.resolve("proof.json"), content);
    assertThat(execute("verify-proof", file.toString())).isEqualTo(2);
    assertThat(console.err()).contains(file.toString(), expected);
  }

  private int verify(ObjectNode proof, String... more) throws IOException {
    var words = new ArrayList<String>();
    words.addAll(List.of("verify-proof", write("proof.json", proof).toString()));
    words.addAll(List.of(more));
    return execute(words.toArray(String[]::new));
  }

  private Path write(String name, JsonNode json) throws IOException {
    return Files.writeString(files.resolve(name), json.toString());
  }

  private int execute(String... words) {
    console = new RecordedConsole();
    var context = new CommandContext(console.console(), new StopSignal(), new ProcessStarter());
    return NodeCommands.commandLine(context).execute(words);
  }
}
