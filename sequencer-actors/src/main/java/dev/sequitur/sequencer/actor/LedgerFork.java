package dev.sequitur.sequencer.actor;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.port.NodeStore;
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

  private final BaseLedger ledger;
  private final NodeStore store;

  public LedgerFork(BaseLedger ledger, NodeStore store) {
    this.ledger = ledger;
    this.store = store;
  }

  /**
   * The newest block that both have. Fails as long as that can't be told.
   *
   * @param gone the block that the operator has seen this node name as read last, and knows to be
   *     gone: so one reorganisation is followed, and no later one that nobody has looked at
   * @return empty if nothing is to be done
   */
  public CompletionStage<Optional<IndexedTo>> find(Hash gone) {
    return store
        .readSoFar()
        .thenCompose(
            read ->
                read.filter(known -> known.height().value() > 0)
                    .map(known -> find(known, gone))
                    .orElseGet(() -> nothing("Nothing was read yet.")));
  }

  private CompletionStage<Optional<IndexedTo>> find(ReadSoFar read, Hash gone) {
    if (!read.hash().equals(gone)) {
      return nothing(
          "This node has read block %s, %s, last, and not the one that is named."
              .formatted(read.height(), read.hash()));
    }
    return block(read.height())
        .thenCompose(
            now ->
                now.hash().equals(read.hash())
                    ? nothing("The base ledger has that block.")
                    : fork(read.trail()).thenApply(Optional::of));
  }

  private static CompletionStage<Optional<IndexedTo>> nothing(String why) {
    LOG.warn(
        "--reindex has the base ledger not read again. {} Take it out of the command that starts"
            + " the node.",
        why);
    return CompletableFuture.completedStage(Optional.empty());
  }

  /** Done once the store knows of it. */
  public CompletionStage<Void> begin(IndexedTo from) {
    return store.beginReindex(from).thenAccept(LedgerFork::tell);
  }

  private static void tell(Reindex reindex) {
    LOG.warn(
        "The base ledger is read again from block {} on, since it has replaced some of the blocks above {} that this node had read up to {}",
        reindex.fork().value() + 1,
        reindex.fork(),
        reindex.upTo());
  }

  /** Where there is none, it is not known whether it is another one. */
  private CompletionStage<Block> block(BlockHeight height) {
    return ledger
        .blocks(height, 1)
        .thenApply(
            blocks ->
                blocks.stream()
                    .filter(block -> block.height().equals(height))
                    .findFirst()
                    .orElseThrow(
                        () ->
                            new IllegalStateException(
                                "The base ledger does not give block %s, which this node has read."
                                    .formatted(height))));
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
        : block(read.height()).thenApply(now -> now.hash().equals(read.hash()));
  }

  private CompletionStage<IndexedTo> beforeAll() {
    return ledger.tellsGenesis()
        ? CompletableFuture.completedStage(new IndexedTo(BlockHeight.ZERO, new Hash(0, 0, 0, 0)))
        : ledger
            .firstBlock()
            .thenCompose(this::block)
            .thenApply(first -> LedgerIndexer.before(List.of(first)));
  }
}
