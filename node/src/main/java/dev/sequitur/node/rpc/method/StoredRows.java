package dev.sequitur.node.rpc.method;

import dev.sequitur.node.rpc.query.Query;
import dev.sequitur.node.rpc.query.Scan.RowSource;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import dev.sequitur.protocol.room.Room.Kept;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The store's rows page by page, in the orders it offers. */
final class StoredRows {
  /** Few: a row has a mebibyte at most, and what is read at once is in memory at once. */
  static final int PAGE = 32;

  private StoredRows() {}

  /**
   * Ends where the time of acceptance of none that comes is what a query wants: it does not go back
   * from one to the next. After a row that is dated ahead of the clock it may.
   *
   * @param newestFirst in which order of acceptance the rows are
   */
  static RowSource<Intent> within(
      RowSource<Intent> rows, Query<Intent> query, boolean newestFirst, Instant now) {
    var bound = newestFirst ? query.since("created") : query.until("created");
    return bound
        .map(
            time ->
                rows.takeWhile(
                    row ->
                        newestFirst
                            ? !row.created().isBefore(time)
                            : !row.created().isAfter(time) || row.created().isAfter(now)))
        .orElse(rows);
  }

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

  /** What has no receipt, by order of acceptance. */
  record Open(NodeStore store, boolean newestFirst, Optional<Long> beyond) {
    /**
     * @param to of those that are sent to an address alone; others may be among them
     */
    RowSource<Intent> transactions(Optional<Comparable<?>> to) {
      return to.map(this::sentTo).orElseGet(() -> rows(new NodeStore.Open.All()));
    }

    RowSource<Intent> publics() {
      return rows(new NodeStore.Open.Publics());
    }

    private RowSource<Intent> sentTo(Comparable<?> address) {
      ContractAddress contract;
      try {
        contract = new ContractAddress((String) address);
      } catch (IllegalArgumentException e) {
        // What is no address is that of no contract.
        return publics();
      }
      var ascending = Comparator.comparing(Intent::order);
      return RowSource.merged(
          rows(new NodeStore.Open.Of(contract)),
          publics(),
          newestFirst ? ascending.reversed() : ascending);
    }

    private RowSource<Intent> rows(NodeStore.Open which) {
      return RowSource.pages(
          beyond,
          at ->
              store.open(
                  which,
                  newestFirst
                      ? NodeStore.Page.newest(at, PAGE)
                      : NodeStore.Page.oldest(at.orElse(0L), PAGE)),
          page -> Optional.of(page.getLast().order()));
    }
  }

  /** Above a sequence number, ascending. */
  static RowSource<NumberedReceipt> receiptsAfter(NodeStore store, long after) {
    return RowSource.pages(
        after, position -> store.receipts(position, PAGE), page -> page.getLast().sequence());
  }

  /**
   * Above a sequence number, the last first. The store reads forwards only, so the last number is
   * found by galloping and halving. Numbers may be missing: a page has no more than its own. Those
   * that are forgotten are not looked at.
   */
  static CompletionStage<RowSource<NumberedReceipt>> lastReceipts(NodeStore store, long after) {
    return store
        .forgottenUpTo(Kept.CONTENTS)
        .thenCompose(
            bound ->
                lastOfKept(store, Math.max(after, bound.map(it -> it.before() - 1).orElse(0L))));
  }

  private static CompletionStage<RowSource<NumberedReceipt>> lastOfKept(
      NodeStore store, long after) {
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
