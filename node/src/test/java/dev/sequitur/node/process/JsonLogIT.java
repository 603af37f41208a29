package dev.sequitur.node.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sequitur.fixture.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node whose standard output is its log, as in a container. */
@Tag("slow")
class JsonLogIT {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path directory;

  @Test
  void eachLineIsAnObjectAndThoseOfATransactionNameItAndItsContractAndNothingThatIsInIt()
      throws IOException {
    int port = FreePorts.inARow(1);
    var configuration =
        Files.writeString(
            directory.resolve("node1.conf"),
            """
            node { name = node1, data-directory = data }
            rpc.port = %d
            ledger.embedded.block-time = 100ms
            logging { format = json, to = stdout }
            """
                .formatted(port));
    try (var process =
        SequiturProcess.start(directory, "start", "--config", configuration.toString())) {
      process.awaitLine("health, metrics");
      var node = new JsonRpcCaller("http://127.0.0.1:" + port);
      node.result("log_setLevel", "['dev.sequitur.transaction','TRACE']");
      var contract = contract(node);
      var id =
          node.result(
                  "ptx_sendTransaction",
                  "[{'type':'private','domain':'record','function':'increment','from':'alice','to':'"
                      + contract
                      + "','data':{'key':'a-private-word','by':1}}]")
              .asText();
      node.awaitResult("ptx_getTransactionReceipt", "['" + id + "']");
      process.awaitLine("\"Confirmed\"");
      process.stop();

      var lines = lines(process);
      var own =
          lines.stream().filter(line -> line.path("transaction").asText().equals(id)).toList();
      assertThat(own)
          .extracting(line -> line.get("message").asText())
          .contains("Accepted", "Sent to node1", "Received from node1", "Confirmed");
      assertThat(own).extracting(line -> line.path("type").asText()).contains("AssembleRequest");
      assertThat(own)
          .allSatisfy(line -> assertThat(line.path("contract").asText()).isEqualTo(contract));
      assertThat(own).anySatisfy(line -> assertThat(line.path("block").isNumber()).isTrue());
      assertThat(lines)
          .allSatisfy(line -> assertThat(line.path("node").asText()).isEqualTo("node1"));
      assertThat(process.output()).doesNotContain("a-private-word");
    }
    assertThat(directory.resolve("data").resolve("log")).doesNotExist();
  }

  private static String contract(JsonRpcCaller node) {
    var group =
        node.result(
                "pgroup_createGroup",
                "[{'domain':'record','name':'alone','members':['alice@node1']}]")
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

  private static List<JsonNode> lines(SequiturProcess process) throws IOException {
    var lines = new ArrayList<JsonNode>();
    for (var line : process.output().split("\n")) {
      lines.add(JSON.readTree(line));
    }
    return lines;
  }
}
