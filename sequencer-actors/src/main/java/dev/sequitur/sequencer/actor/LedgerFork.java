package dev.sequitur.sequencer.actor;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.port.NodeStore.IndexedTo;
import dev.sequitur.protocol.port.ReadSoFar;
import dev.sequitur.protocol.port.ReadSoFar.Reindex;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Begins to read the ledger again from where it has parted from what this node had read (CNF-10).
 * An operator asks for it, at a start: nobody in this node knows yet of a block, and nobody can
 * tell of one that is gone. To do it again changes nothing.
 */
public final class LedgerFork {
  private static final Logger LOG = LoggerFactory.getLogger(LedgerFork.class);

  private final NodeServices services;

  public LedgerFork(NodeServices services) {
    this.services = services;
  }

  /**
   * Done once the store knows of it, if there is a fork. Fails with a sentence for the operator if
   * the ledger does not have a block at the height that was read last.
   */
  public CompletionStage<Void> begin() {
    return services
        .store()
        .readSoFar()
        .thenCompose(
            read ->
                read.filter(known -> known.height().value() > 0)
                    .map(this::begin)
                    .orElseGet(LedgerFork::nothingToDo));
  }

  private CompletionStage<Void> begin(ReadSoFar read) {
    return blockAt(read.height())
        .thenCompose(
            now -> {
              if (now.isEmpty()) {
                return CompletableFuture.failedFuture(
                    new IllegalStateException(
                        "The base ledger has no block %s, which this node has read last: whether it has parted from what was read can't be told before it has. Start the node again with --reindex when it has."
                            .formatted(read.height())));
              }
              return now.get().hash().equals(read.hash())
                  ? nothingToDo()
                  : fork(read.trail()).thenCompose(this::begin);
            });
  }

  private CompletionStage<Void> begin(IndexedTo from) {
    return services.store().beginReindex(from).thenAccept(LedgerFork::tell);
  }

  private static void tell(Reindex reindex) {
    LOG.warn(
        "The base ledger is read again from block {} on, since it has replaced some of the blocks above {} that this node had read up to {}",
        reindex.fork().value() + 1,
        reindex.fork(),
        reindex.upTo());
  }

  private static CompletionStage<Void> nothingToDo() {
    LOG.info("The base ledger has what this node has read last: it is not read again");
    return CompletableFuture.completedStage(null);
  }

  private CompletionStage<Optional<Block>> blockAt(BlockHeight height) {
    return services.ledger().blocks(height, 1).thenApply(blocks -> blocks.stream().findFirst());
  }

  /** The newest of these that the ledger has; before all, if it has none. */
  private CompletionStage<IndexedTo> fork(List<IndexedTo> oldestFirst) {
    if (oldestFirst.isEmpty()) {
      return beforeAll();
    }
    var newest = oldestFirst.getLast();
    return isThere(newest)
        .thenCompose(
            is ->
                is
                    ? CompletableFuture.completedStage(newest)
                    : fork(oldestFirst.subList(0, oldestFirst.size() - 1)));
  }

  private CompletionStage<Boolean> isThere(IndexedTo read) {
    return read.height().value() == 0
        ? CompletableFuture.completedStage(true)
        : blockAt(read.height())
            .thenApply(now -> now.filter(it -> it.hash().equals(read.hash())).isPresent());
  }

  private CompletionStage<IndexedTo> beforeAll() {
    var ledger = services.ledger();
    return ledger.tellsGenesis()
        ? CompletableFuture.completedStage(new IndexedTo(BlockHeight.ZERO, new Hash(0, 0, 0, 0)))
        : ledger
            .firstBlock()
            .thenCompose(first -> ledger.blocks(first, 1))
            .thenApply(LedgerIndexer::before);
  }
}
