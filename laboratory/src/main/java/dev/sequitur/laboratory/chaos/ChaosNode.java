package dev.sequitur.laboratory.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.sequitur.client.Credentials;
import dev.sequitur.client.NodeCalls;
import dev.sequitur.node.process.StartFailure;
import dev.sequitur.node.rehearsal.RehearsedFault;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.NodeName;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** One node as the command calls it. Blocks the caller; confined to one thread. */
final class ChaosNode {
  private static final Pattern COUNTER = Pattern.compile("sequitur_\\w+_total[{ ]");

  private final URI uri;
  private final NodeCalls calls;

  ChaosNode(URI uri, Credentials credentials) {
    this.uri = uri;
    this.calls = new NodeCalls(List.of(uri), credentials);
  }

  /**
   * Who it is; asks for its faults too, so that a node that allows none is known at once.
   *
   * @throws StartFailure with what the node says
   */
  ChaosPlan.Target target() {
    call("chaos_listFaults", none());
    var peers = new HashSet<NodeName>();
    call("transport_peers", none())
        .forEach(peer -> peers.add(new NodeName(peer.path("name").asText())));
    var name = new NodeName(call("transport_nodeName", none()).asText());
    var newest = none();
    newest.addObject().put("limit", 1);
    var contract = call("pgroup_queryGroups", newest).path(0).path("contractAddress");
    return new ChaosPlan.Target(
        name,
        peers,
        contract.isTextual()
            ? Optional.of(new ContractAddress(contract.asText()))
            : Optional.empty());
  }

  /**
   * @throws StartFailure with what the node says
   */
  void set(RehearsedFault fault, Duration lasts) {
    call("chaos_setFault", none().add(FaultJson.write(fault, lasts)));
  }

  /**
   * @throws StartFailure with what the node says
   */
  void clear() {
    call("chaos_clearFaults", none());
  }

  /**
   * The node's own counters and the messages that faults have concerned, by name.
   *
   * @throws StartFailure if it does not answer
   */
  Map<String, Double> figures() {
    var figures = new TreeMap<String, Double>();
    try {
      calls
          .get("/metrics")
          .text()
          .lines()
          .filter(line -> COUNTER.matcher(line).lookingAt())
          .map(line -> line.split(" "))
          .forEach(words -> figures.put(words[0], Double.parseDouble(words[1])));
    } catch (IOException e) {
      throw silent(e);
    }
    call("chaos_listFaults", none())
        .path("concerned")
        .fields()
        .forEachRemaining(
            entry ->
                figures.put("messages concerned: " + entry.getKey(), entry.getValue().asDouble()));
    return figures;
  }

  private ArrayNode none() {
    return NodeCalls.JSON.createArrayNode();
  }

  private JsonNode call(String method, JsonNode parameters) {
    try {
      var answer = calls.batch(method, List.of(parameters)).get(0);
      if (answer.has("result")) {
        return answer.get("result");
      }
      throw new StartFailure(uri + ": " + answer.path("error").path("message").asText());
    } catch (IOException e) {
      throw silent(e);
    }
  }

  private StartFailure silent(IOException e) {
    return new StartFailure("No node answers at " + uri + ": start it, or name another URL.", e);
  }
}
