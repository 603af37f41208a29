package dev.sequitur.protocol.errand;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.port.BlocksDroppedException;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.transaction.Receipt;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * Looks for what fulfilled a contract's intents, backwards from the newest final block until before
 * the oldest of them was accepted. Blocks no thread; one page of blocks in memory at a time.
 */
final class ConfirmationSearch {
  private static final int PAGE = 32;

  /** How far the ledger's clock may be behind this node's. */
  private static final Duration CLOCKS = Duration.ofMinutes(5);

  private final BaseLedger ledger;
  private final Function<TransactionId, CompletionStage<Optional<NodeStore.Intent>>> intents;
  private final Executor computing;
  private final ContractAddress contract;

  /**
   * @param intents of the node store
   * @param computing where it goes on from page to page
   */
  ConfirmationSearch(
      BaseLedger ledger,
      Function<TransactionId, CompletionStage<Optional<NodeStore.Intent>>> intents,
      Executor computing,
      ContractAddress contract) {
    this.ledger = ledger;
    this.intents = intents;
    this.computing = computing;
    this.contract = contract;
  }

  /**
   * @param newest the newest final block
   * @return what was found of {@code wanted}; fails if the ledger cannot be reached
   */
  CompletionStage<Map<IntentKey, Receipt.OnLedger>> find(
      Set<IntentKey> wanted, BlockHeight newest) {
    return Answers.all(wanted.stream().map(intent -> intents.apply(intent.transaction())).toList())
        .thenCompose(
            stored ->
                stored.stream()
                    .flatMap(Optional::stream)
                    .map(NodeStore.Intent::created)
                    .min(Comparator.naturalOrder())
                    .map(oldest -> new Walk(wanted, oldest.minus(CLOCKS)).pageUpTo(newest.value()))
                    .orElseGet(() -> CompletableFuture.completedFuture(Map.of())));
  }

  private final class Walk {
    private final Set<IntentKey> wanted;
    private final Instant since;
    private final Map<IntentKey, Receipt.OnLedger> found = new HashMap<>();

    private Walk(Set<IntentKey> wanted, Instant since) {
      this.wanted = wanted;
      this.since = since;
    }

    private CompletionStage<Map<IntentKey, Receipt.OnLedger>> pageUpTo(long newest) {
      if (newest < 1 || found.size() == wanted.size()) {
        return CompletableFuture.completedFuture(Map.copyOf(found));
      }
      long oldest = Math.max(1, newest - PAGE + 1);
      // Asynchronous, so that a ledger that answers at once builds up no stack.
      return read(oldest, newest)
          .thenComposeAsync(
              reachesBack ->
                  reachesBack
                      ? CompletableFuture.completedFuture(Map.copyOf(found))
                      : pageUpTo(oldest - 1),
              computing);
    }

    /** Whether the page begins before all that is sought; a ledger may give it in parts. */
    private CompletionStage<Boolean> read(long from, long to) {
      return ledger
          .blocks(new BlockHeight(from), (int) (to - from + 1))
          .handle(
              (blocks, failure) ->
                  failure == null ? looked(from, to, blocks) : upper(from, to, failure))
          .thenCompose(reachesBack -> reachesBack);
    }

    private CompletionStage<Boolean> looked(long from, long to, List<Block> blocks) {
      blocks.stream().filter(block -> block.height().value() <= to).forEach(this::look);
      return rest(from, to, blocks);
    }

    /** Of a page whose first blocks the ledger has dropped, what is still there; then no more. */
    private CompletionStage<Boolean> upper(long from, long to, Throwable failure) {
      if (!(Answers.cause(failure) instanceof BlocksDroppedException)) {
        return CompletableFuture.failedFuture(failure);
      }
      long middle = from + (to - from) / 2;
      return from == to
          ? CompletableFuture.completedFuture(true)
          : read(middle + 1, to)
              .thenCompose(
                  ends -> ends ? CompletableFuture.completedFuture(true) : read(from, middle));
    }

    private CompletionStage<Boolean> rest(long from, long to, List<Block> blocks) {
      if (blocks.isEmpty()) {
        return CompletableFuture.completedFuture(false);
      }
      boolean reachesBack = blocks.get(0).timestamp().isBefore(since);
      long last = blocks.get(blocks.size() - 1).height().value();
      return last >= to || last < from
          ? CompletableFuture.completedFuture(reachesBack)
          : read(last + 1, to).thenApply(later -> reachesBack);
    }

    private void look(Block block) {
      for (var receipt : block.receipts()) {
        for (var result : receipt.results()) {
          if (result instanceof LedgerReceipt.Fulfilled fulfilled
              && fulfilled.contract().equals(contract)
              && wanted.contains(fulfilled.intent())) {
            found.put(fulfilled.intent(), receipt.onLedger(fulfilled));
          }
        }
      }
    }
  }
}
