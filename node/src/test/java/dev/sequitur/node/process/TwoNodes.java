package dev.sequitur.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.ethereum.Anvil;
import dev.sequitur.fixture.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The configurations of examples/two-nodes in a directory of a test, on other ports and with blocks
 * each 200 ms: two nodes and their ledger, each to be a process of its own, by mutual TLS.
 */
final class TwoNodes {
  private static final String GROUP =
      "[{'domain':'record','name':'shared','members':['alice@node1','bob@node2']}]";

  private static final Path EXAMPLES = Path.of("..", "examples", "two-nodes").toAbsolutePath();
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Path directory;
  private final int ports;

  /**
   * A group of both nodes.
   *
   * @param contract its address
   */
  record Group(String id, String contract) {}

  private TwoNodes(Path directory, int ports) {
    this.directory = directory;
    this.ports = ports;
  }

  /** With certificates for all three. */
  static TwoNodes in(Path directory) {
    var nodes = new TwoNodes(directory, FreePorts.inARow(6));
    try (var command =
        nodes.start("certificates", "--directory", "certificates", "node1", "node2", "ledger")) {
      assertThat(command.awaitExit()).as(command.output()).isZero();
    }
    return nodes;
  }

  /** By its number: JSON-RPC of both nodes, their peers' ports, the ledger's, and a free one. */
  int port(int number) {
    return ports + number;
  }

  SequiturProcess start(String... commandLine) {
    return SequiturProcess.start(directory, commandLine);
  }

  SequiturProcess startLedger() throws IOException {
    return start("ledger", "--config", configured("ledger.conf", ""));
  }

  /**
   * @param number of the node
   * @param more lines behind those of the example
   */
  SequiturProcess startNode(int number, String more) throws IOException {
    return start("start", "--config", configured("node" + number + ".conf", more));
  }

  SequiturProcess startNode(int number) throws IOException {
    return startNode(number, "");
  }

  /** Lines of a node whose base ledger is a chain of its own, which gets the contracts first. */
  String on(Anvil chain) {
    var rpc = chain.address().toString();
    try (var command = start("deploy-factory", "--rpc", rpc)) {
      var factory = command.awaitLine("The factory is (0x[0-9a-f]{40})").group(1);
      assertThat(command.awaitExit()).as(command.output()).isZero();
      return """

      ledger {
        mode = ethereum
        chain-id = 1337
        ethereum { rpc = ["%s"], factory = "%s" }
        gas { initial-fee = 0, initial-priority-fee = 0, max-fee = 0, max-priority-fee = 0 }
      }
      """
          .formatted(rpc, factory);
    }
  }

  /** Where JSON-RPC is answered, once the node is up. */
  static String address(SequiturProcess node) {
    return node.awaitLine("JSON-RPC +(http://\\S+)").group(1);
  }

  static JsonRpcCaller caller(SequiturProcess node) {
    return new JsonRpcCaller(address(node));
  }

  /** Makes one of the domain record; returns once both know its contract. */
  static Group group(JsonRpcCaller node1, JsonRpcCaller node2) {
    var id = node1.result("pgroup_createGroup", GROUP).get("id").asText();
    await()
        .atMost(PATIENCE)
        .until(() -> contract(node1, id).isTextual() && contract(node2, id).isTextual());
    return new Group(id, contract(node1, id).asText());
  }

  private static JsonNode contract(JsonRpcCaller node, String id) {
    return node.result("pgroup_getGroupById", "['record','" + id + "']").path("contractAddress");
  }

  private String configured(String name, String more) throws IOException {
    var content =
        Files.readString(EXAMPLES.resolve(name))
            .replace("8545", "" + ports)
            .replace("8546", "" + (ports + 1))
            .replace("9001", "" + (ports + 2))
            .replace("9002", "" + (ports + 3))
            .replace("8600", "" + (ports + 4))
            .replace("block-time = 1s", "block-time = 200ms");
    return Files.writeString(directory.resolve(name), content + more).toString();
  }
}
