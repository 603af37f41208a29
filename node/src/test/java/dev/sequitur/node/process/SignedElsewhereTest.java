package dev.sequitur.node.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.ledger.LedgerSettings;
import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.node.process.Starter.NetworkPlan;
import dev.sequitur.node.signer.ScriptedSigner;
import dev.sequitur.node.signer.SignerSettings;
import dev.sequitur.protocol.id.NodeName;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two whole nodes, of which one has the key of its member at a signer. */
class SignedElsewhereTest {
  @TempDir private Path directory;

  @Test
  void aTransactionIsAssembledAndEndorsedByAKeyThatNoNodeHas() throws IOException {
    try (var signer = new ScriptedSigner(directory.resolve("signer"), Optional.empty())) {
      var settings =
          new SignerSettings(
              signer.address(),
              Optional.empty(),
              Duration.ofSeconds(10),
              Map.of("alice", signer.key("alice")));
      var nodes =
          List.of(configuration("node1").withSigner(Optional.of(settings)), configuration("node2"));
      var blocks = LedgerSettings.DEFAULT.withBlockTime(Duration.ofMillis(100));
      try (var network =
          new ProcessStarter()
              .startNetwork(
                  new NetworkPlan(directory.resolve("ledger"), blocks, nodes), node -> {})) {
        var node1 = new JsonRpcCaller(network.nodes().get(0).url());
        var node2 = new JsonRpcCaller(network.nodes().get(1).url());
        var group =
            node1
                .result(
                    "pgroup_createGroup",
                    "[{'domain':'token','name':'gold','members':['alice@node1','bob@node2'],"
                        + "'properties':{},'configuration':{}}]")
                .get("id")
                .asText();
        var contract =
            node1
                .awaitResult("pgroup_getGroupById", "['token','" + group + "']", "contractAddress")
                .asText();
        node2.awaitResult("pgroup_getGroupByAddress", "['" + contract + "']");

        assertConfirmed(node1, contract, "alice@node1");
        int assembledAndEndorsed = signer.messages().size();
        assertConfirmed(node2, contract, "bob@node2");

        assertThat(assembledAndEndorsed).isGreaterThanOrEqualTo(2);
        assertThat(signer.messages()).hasSizeGreaterThan(assembledAndEndorsed);
      }
    }
  }

  private NodeConfiguration configuration(String name) {
    return NodeConfiguration.embedded(new NodeName(name), directory.resolve(name));
  }

  private static void assertConfirmed(JsonRpcCaller node, String contract, String from) {
    var id =
        node.result(
                "ptx_sendTransaction",
                "[{'type':'private','from':'%s','to':'%s','function':'mint','data':{'to':'%s','amount':'5'}}]"
                    .formatted(from, contract, from))
            .asText();
    var receipt = node.awaitResult("ptx_getTransactionReceipt", "['" + id + "']");
    assertThat(receipt.get("success").asBoolean()).as(receipt.toString()).isTrue();
  }
}
