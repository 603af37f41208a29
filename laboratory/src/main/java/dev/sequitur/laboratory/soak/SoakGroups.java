package dev.sequitur.laboratory.soak;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.client.NodeCalls;
import dev.sequitur.console.StopSignal;
import dev.sequitur.laboratory.demo.GroupPlan;
import dev.sequitur.laboratory.load.RemoteEntrance;
import dev.sequitur.node.process.StartFailure;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.NodeName;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes privacy groups, before anything is killed or measured. Blocks; confined to one thread. */
public record SoakGroups(Map<NodeName, NodeCalls> nodes, StopSignal stop) {
  private static final Duration LOOK = Duration.ofMillis(200);
  private static final int LOOKS = 900;

  /**
   * Returns when every node knows every contract.
   *
   * @throws StartFailure with what a node says, if it refuses; or after three minutes
   */
  public Map<GroupPlan, ContractAddress> create(List<GroupPlan> plans) {
    var ids = new LinkedHashMap<GroupPlan, String>();
    var contracts = new LinkedHashMap<GroupPlan, ContractAddress>();
    try {
      for (var plan : plans) {
        ids.put(plan, ask(plan));
      }
      for (var plan : plans) {
        contracts.put(plan, await(plan, ids.get(plan)));
      }
    } catch (IOException e) {
      throw new StartFailure("A node does not answer (" + e.getMessage() + "): see its log.", e);
    }
    return contracts;
  }

  private String ask(GroupPlan plan) throws IOException {
    var creator = nodes.get(plan.creator().node());
    var parameters = NodeCalls.JSON.createArrayNode().add(RemoteEntrance.json(plan.request()));
    return result(creator, "pgroup_createGroup", parameters).path("id").asText();
  }

  private ContractAddress await(GroupPlan plan, String id) throws IOException {
    var question = NodeCalls.JSON.createArrayNode().add(plan.domain()).add(id);
    var contract = "";
    for (var node : nodes.values()) {
      contract = awaitContract(node, question, plan);
    }
    return new ContractAddress(contract);
  }

  private String awaitContract(NodeCalls node, JsonNode question, GroupPlan plan)
      throws IOException {
    for (int look = 0; look < LOOKS; look++) {
      var contract = result(node, "pgroup_getGroupById", question).path("contractAddress");
      if (contract.isTextual()) {
        return contract.asText();
      }
      if (stop.await(LOOK)) {
        throw new StartFailure("Stopped while the privacy groups were made.");
      }
    }
    throw new StartFailure(
        "The group "
            + plan.name()
            + " is not known to all nodes after three minutes: see the logs.");
  }

  private static JsonNode result(NodeCalls node, String method, JsonNode parameters)
      throws IOException {
    var answer = node.batch(method, List.of(parameters)).get(0);
    if (!answer.has("result")) {
      throw new StartFailure(
          method + " is refused: " + answer.path("error").path("message").asText());
    }
    return answer.get("result");
  }
}
