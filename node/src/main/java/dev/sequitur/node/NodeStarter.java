package dev.sequitur.node;

import dev.sequitur.node.configuration.LedgerConfiguration;
import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.node.process.RunningLedger;
import dev.sequitur.node.process.RunningNetwork;
import dev.sequitur.node.process.RunningNode;
import dev.sequitur.node.process.StartFailure;
import dev.sequitur.node.process.Starter;
import java.util.function.Consumer;

/** Puts the parts together: ledger, transport, sequencer, JSON-RPC. */
final class NodeStarter implements Starter {
  private static final String NOT_YET = "This build has no sequencer yet: build a later one.";

  @Override
  public RunningNode startNode(NodeConfiguration configuration) {
    throw new StartFailure(NOT_YET);
  }

  @Override
  public RunningLedger startLedger(LedgerConfiguration configuration) {
    throw new StartFailure(NOT_YET);
  }

  @Override
  public RunningNetwork startNetwork(NetworkPlan plan, Consumer<RunningNode> started) {
    throw new StartFailure(NOT_YET);
  }
}
