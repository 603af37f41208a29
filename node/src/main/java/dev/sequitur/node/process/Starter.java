package dev.sequitur.node.process;

import dev.sequitur.ledger.LedgerSettings;
import dev.sequitur.node.configuration.HostAndPort;
import dev.sequitur.node.configuration.LedgerAccess;
import dev.sequitur.node.configuration.LedgerConfiguration;
import dev.sequitur.node.configuration.NodeConfiguration;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** Starts what a process runs. Each call blocks until what it starts can be used. */
public interface Starter {

  /**
   * @throws StartFailure with a sentence that says what to do
   */
  RunningNode startNode(NodeConfiguration configuration);

  /**
   * @throws StartFailure with a sentence that says what to do
   */
  RunningLedger startLedger(LedgerConfiguration configuration);

  /**
   * @param started told of each node that is up
   * @throws StartFailure with a sentence that says what to do; nothing is left running
   */
  RunningNetwork startNetwork(NetworkPlan plan, Consumer<RunningNode> started);

  /**
   * Nodes in one process.
   *
   * @param nodes whose ledger and transport are the plan's
   */
  record NetworkPlan(NetworkLedger ledger, List<NodeConfiguration> nodes) {
    public NetworkPlan {
      nodes = List.copyOf(nodes);
    }

    /**
     * Over a ledger in the process.
     *
     * @param directory where its blocks live
     */
    public NetworkPlan(Path directory, LedgerSettings blocks, List<NodeConfiguration> nodes) {
      this(new NetworkLedger.InProcess(directory, blocks), nodes);
    }
  }

  /** The one ledger of a network in one process. */
  sealed interface NetworkLedger {
    /**
     * Is started and stopped with the network.
     *
     * @param directory where its blocks live
     */
    record InProcess(Path directory, LedgerSettings blocks) implements NetworkLedger {}

    /** Runs elsewhere. */
    record Chain(LedgerAccess.Ethereum access, long chainId) implements NetworkLedger {}
  }

  /**
   * A ledger process that serves.
   *
   * @param address where nodes reach it
   * @param stop ends it, and returns when its blocks are on disk; may be called twice
   */
  record RunningLedger(HostAndPort address, Runnable stop) implements AutoCloseable {
    @Override
    public void close() {
      stop.run();
    }
  }
}
