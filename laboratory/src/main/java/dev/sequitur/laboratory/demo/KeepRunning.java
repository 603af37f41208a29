package dev.sequitur.laboratory.demo;

import dev.sequitur.node.process.RunningNetwork;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a person can try while the nodes stay up. */
public final class KeepRunning {
  private KeepRunning() {}

  /** Where the nodes answer. */
  public static List<String> addresses(RunningNetwork network) {
    var lines = new ArrayList<String>();
    lines.add("");
    lines.add("The nodes stay up until Ctrl-C. JSON-RPC:");
    network.nodes().forEach(node -> lines.add("  " + node.sequencer().name() + "  " + node.url()));
    lines.add("");
    lines.add("What happens, to be seen in a browser (each node has such a page):");
    lines.add("  " + network.nodes().get(0).url() + "/page/");
    return lines;
  }

  static List<String> lines(RunningNetwork network, GroupPlan group) {
    var lines = addresses(network);
    var first = network.nodes().get(0);
    var contract =
        Await.answer(
                first.sequencer().store().groups(Optional.empty(), 1_000),
                "the groups of " + first.sequencer().name())
            .stream()
            .flatMap(stored -> stored.group().stream())
            .filter(known -> known.name().equals(group.name()))
            .findFirst()
            .map(known -> known.contract().value())
            .orElse("0x");
    var from = group.members().get(0);
    var to = group.members().get(group.members().size() - 1);
    lines.add("");
    lines.add("Who coordinates " + group.name() + " now, and why:");
    lines.add(curl(first.url(), "\"sequencer_getCoordinator\",\"params\":[\"" + contract + "\"]"));
    lines.add("");
    lines.add(from + " pays " + to + ":");
    lines.add(
        curl(
            first.url(),
            "\"ptx_sendTransaction\",\"params\":[{\"type\":\"private\",\"domain\":\"token\","
                + "\"function\":\"transfer\",\"from\":\""
                + from
                + "\",\"to\":\""
                + contract
                + "\",\"data\":{\"to\":\""
                + to
                + "\",\"amount\":\"5\"}}]"));
    return lines;
  }

  /** A call to copy. */
  public static String curl(String url, String methodAndParams) {
    return "  curl -s "
        + url
        + " -H 'content-type: application/json' -d '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":"
        + methodAndParams
        + "}'";
  }
}
