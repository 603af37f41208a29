package dev.sequitur.node.process;

import dev.sequitur.protocol.port.BaseLedger;
import java.util.ArrayList;
import java.util.List;

/** The nodes that were started in this process over one ledger. */
final class NodesInProcess implements RunningNetwork {
  private final BaseLedger ledger;
  private final Runnable afterwards;
  private final List<RunningNode> nodes = new ArrayList<>();

  /**
   * @param afterwards stops what the ledger needs, once the nodes are stopped
   */
  NodesInProcess(BaseLedger ledger, Runnable afterwards) {
    this.ledger = ledger;
    this.afterwards = afterwards;
  }

  void add(RunningNode node) {
    nodes.add(node);
  }

  @Override
  public List<RunningNode> nodes() {
    return List.copyOf(nodes);
  }

  @Override
  public BaseLedger ledger() {
    return ledger;
  }

  @Override
  public void close() {
    for (int i = nodes.size() - 1; i >= 0; i--) {
      nodes.get(i).close();
    }
    afterwards.run();
  }
}
