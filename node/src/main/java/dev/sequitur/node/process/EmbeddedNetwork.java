package dev.sequitur.node.process;

import dev.sequitur.ledger.EmbeddedLedger;
import dev.sequitur.ledger.LedgerRuntime;
import dev.sequitur.ledger.LedgerSettings;
import dev.sequitur.ledger.LedgerStorage;
import dev.sequitur.ledger.LedgerView;
import dev.sequitur.node.configuration.BlockConfiguration;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.sequencer.crypto.Secp256k1Signatures;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** A ledger in this process, and the nodes that were started over it. */
final class EmbeddedNetwork implements RunningNetwork {
  private final EmbeddedLedger ledger;
  private final ExecutorService threads = Executors.newFixedThreadPool(3);
  private final ScheduledExecutorService scheduler = Executors.newScheduledThreadPool(1);
  private final List<RunningNode> nodes = new ArrayList<>();

  EmbeddedNetwork(Path directory, BlockConfiguration blocks) {
    ledger =
        EmbeddedLedger.open(
            LedgerFiles.open(directory),
            settings(blocks),
            new LedgerRuntime(
                new Secp256k1Signatures(), InstantSource.system(), scheduler, threads));
    ledger.start();
  }

  static LedgerSettings settings(BlockConfiguration blocks) {
    return LedgerSettings.DEFAULT
        .withBlockTime(blocks.blockTime())
        .withBlockLimit(blocks.blockLimit())
        .withPoolCapacity(blocks.poolCapacity())
        .withFinalityDepth(blocks.finalityDepth())
        .withEmptyBlocks(blocks.emptyBlocks());
  }

  /** A view of the ledger for one node. */
  LedgerView view(NodeName node) {
    return new LedgerView(ledger, InstantSource.system(), scheduler, node.hashCode());
  }

  EmbeddedLedger embedded() {
    return ledger;
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
  public CompletionStage<List<PrivateState>> states(
      NodeName node, ContractAddress contract, Collection<StateId> ids) {
    return nodes.stream()
        .filter(running -> running.sequencer().name().equals(node))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("No node " + node + " runs here."))
        .sequencer()
        .store()
        .states(contract, ids);
  }

  @Override
  public void close() {
    for (int i = nodes.size() - 1; i >= 0; i--) {
      nodes.get(i).close();
    }
    ledger.close();
    scheduler.shutdownNow();
    threads.shutdown();
  }
}
