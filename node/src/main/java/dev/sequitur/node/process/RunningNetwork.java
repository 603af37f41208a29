package dev.sequitur.node.process;

import dev.sequitur.protocol.port.BaseLedger;
import java.util.List;

/** Several nodes in this process over one ledger. */
public interface RunningNetwork extends AutoCloseable {
  /** In order of their numbers. */
  List<RunningNode> nodes();

  /** The ledger itself and no node's view of it: what a double-check reads. */
  BaseLedger ledger();

  /** Stops all nodes, then the ledger; returns when what they promised is on disk. */
  @Override
  void close();
}
