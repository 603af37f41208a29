package dev.sequitur.node.rpc.method;

import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.query.Scan.RowSource;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;

/** The store's rows page by page, in the orders it offers. */
final class StoredRows {
  /** Few: a row has a mebibyte at most, and what is read at once is in memory at once. */
  static final int PAGE = 32;

  /** All that is pending is looked at, before the query's limit. */
  private static final long MOST_PENDING_BYTES = 64L << 20;

  private StoredRows() {}

  /**
   * By order of acceptance, the last first.
   *
   * @param below of those that come before this order alone
   * @param likely how many will do, if all of them are wanted
   */
  static RowSource<Intent> newestIntents(NodeStore store, Optional<Long> below, int likely) {
    return RowSource.pages(
        below,
        before -> store.intents(before, before.equals(below) ? Math.min(likely, PAGE) : PAGE),
        page -> Optional.of(page.getLast().order()));
  }

  /** Public ones by order of acceptance, the last first. */
  static RowSource<Intent> newestPublics(NodeStore store) {
    return RowSource.pages(
        Optional.<Long>empty(),
        before -> store.publics(before, PAGE),
        page -> Optional.of(page.getLast().order()));
  }

  /**
   * Without a receipt, by order of acceptance, the last first; {@code below} an order, if given.
   */
  static CompletionStage<RowSource<Intent>> pendingIntents(
      NodeStore store, Optional<Comparable<?>> onlyContract, int max, Optional<Long> below) {
    var gathered = new Gathered(max);
    return contracts(store, onlyContract)
        .thenCompose(contracts -> pending(store, contracts, gathered))
        .thenCompose(nothing -> allPublicPending(store, gathered))
        .thenCompose(nothing -> gathered.pages(store::newGroupsPending))
        .thenApply(
            nothing -> {
              var rows = gathered.rows;
              below.ifPresent(order -> rows.removeIf(row -> row.order() >= order));
              rows.sort(Comparator.comparingLong(Intent::order).reversed());
              return RowSource.once(rows);
            });
  }

  private static CompletionStage<? extends Collection<ContractAddress>> contracts(
      NodeStore store, Optional<Comparable<?>> only) {
    if (only.isEmpty()) {
      return store.contractsWithPending();
    }
    try {
      return CompletableFuture.completedFuture(Set.of(new ContractAddress((String) only.get())));
    } catch (IllegalArgumentException e) {
      // What is no address is that of no contract.
      return CompletableFuture.completedFuture(Set.<ContractAddress>of());
    }
  }

  private static CompletionStage<Void> pending(
      NodeStore store, Collection<ContractAddress> contracts, Gathered gathered) {
    CompletionStage<Void> all = CompletableFuture.completedFuture(null);
    for (var contract : contracts) {
      all = all.thenCompose(done -> store.pending(contract).thenAccept(gathered::add));
    }
    return all;
  }

  /** Public ones without a receipt, by order of acceptance, the last first. */
  static CompletionStage<List<Intent>> publicPending(NodeStore store, int max) {
    var gathered = new Gathered(max);
    return allPublicPending(store, gathered)
        .thenApply(
            nothing -> {
              gathered.rows.sort(Comparator.comparingLong(Intent::order).reversed());
              return gathered.rows;
            });
  }

  private static CompletionStage<Void> allPublicPending(NodeStore store, Gathered gathered) {
    return store
        .sendersWithPublicPending()
        .thenCompose(
            senders -> {
              CompletionStage<Void> all = CompletableFuture.completedFuture(null);
              for (var sender : senders) {
                all =
                    all.thenCompose(
                        done ->
                            gathered.pages(
                                (after, most) -> store.publicPending(sender, after, most)));
              }
              return all;
            });
  }

  /** What is pending, as far as it may be in memory at once. Confined to one query. */
  private static final class Gathered {
    private final List<Intent> rows = new ArrayList<>();
    private final int max;
    private long bytes;

    private Gathered(int max) {
      this.max = max;
    }

    private void add(List<Intent> more) {
      bytes += more.stream().mapToLong(RowBytes::of).sum();
      if (rows.size() + more.size() > max || bytes > MOST_PENDING_BYTES) {
        throw new RpcFailure(
            ErrorCode.QUERY_TOO_BROAD,
            "More than %d transactions are pending, or they have more than %d bytes together. Ask for those of one contract: eq on the field to."
                .formatted(max, MOST_PENDING_BYTES));
      }
      rows.addAll(more);
    }

    /** All that is read page by page, by order of acceptance. */
    private CompletionStage<Void> pages(
        BiFunction<Long, Integer, CompletionStage<List<Intent>>> read) {
      var pages =
          RowSource.pages(0L, after -> read.apply(after, PAGE), page -> page.getLast().order());
      return rest(pages);
    }

    private CompletionStage<Void> rest(RowSource<Intent> pages) {
      return pages
          .next()
          .thenCompose(
              page -> {
                add(page);
                return page.isEmpty() ? CompletableFuture.completedFuture(null) : rest(pages);
              });
    }
  }

  /** Above a sequence number, ascending. */
  static RowSource<NumberedReceipt> receiptsAfter(NodeStore store, long after) {
    return RowSource.pages(
        after, position -> store.receipts(position, PAGE), page -> page.getLast().sequence());
  }

  /**
   * Above a sequence number, the last first. The store reads forwards only, so the last number is
   * found by galloping and halving. Numbers may be missing: a page has no more than its own.
   */
  static CompletionStage<RowSource<NumberedReceipt>> lastReceipts(NodeStore store, long after) {
    return gallop(store, after, 1)
        .thenApply(
            last ->
                RowSource.backwards(
                    after + 1,
                    last,
                    PAGE,
                    (from, count) ->
                        store
                            .receipts(from - 1, count)
                            .thenApply(
                                rows ->
                                    rows.stream()
                                        .filter(row -> row.sequence() < from + count)
                                        .toList())));
  }

  private static CompletionStage<Long> gallop(NodeStore store, long low, long step) {
    long high = low + step;
    return store
        .receipts(high, 1)
        .thenCompose(
            beyond -> beyond.isEmpty() ? halve(store, low, high) : gallop(store, high, step * 2));
  }

  /** The last number is between both, both included. */
  private static CompletionStage<Long> halve(NodeStore store, long low, long high) {
    if (low >= high) {
      return CompletableFuture.completedFuture(low);
    }
    long middle = low + (high - low) / 2;
    return store
        .receipts(middle, 1)
        .thenCompose(
            beyond ->
                beyond.isEmpty() ? halve(store, low, middle) : halve(store, middle + 1, high));
  }
}
