package dev.sequitur.node.process;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.transaction.PrivateState;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Several nodes in this process over one ledger. */
public interface RunningNetwork extends AutoCloseable {
  /** In order of their numbers. */
  List<RunningNode> nodes();

  /** The ledger itself and no node's view of it: what a double-check reads. */
  BaseLedger ledger();

  /** The contents of states, spent or not, as far as {@code node} has them stored. */
  CompletionStage<List<PrivateState>> states(
      NodeName node, ContractAddress contract, Collection<StateId> ids);

  /** Stops all nodes, then the ledger; returns when what they promised is on disk. */
  @Override
  void close();
}
