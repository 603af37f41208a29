package dev.sequitur.node.rpc.method;

import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.query.Scan.RowSource;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import dev.sequitur.protocol.transaction.Receipt;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Receipts, as those see them to whom not everything is granted. */
public final class SeenReceipts {
  /** How many groups that have used an id are looked at at once. */
  private static final int PAGE = 32;

  private SeenReceipts() {}

  /**
   * The one that an id means to the caller of a call, who may see an own transaction of that id:
   * this node's own if there is such a transaction; else, of the group that the caller may see, the
   * first on the ledger (CNF-9).
   *
   * @return fails with {@link RpcFailure} if members of several such groups have used the id
   */
  static CompletionStage<Optional<NumberedReceipt>> find(
      NodeStore store, Call call, TransactionId id) {
    return store
        .receipt(id)
        .thenCompose(
            own ->
                own.isPresent()
                    ? CompletableFuture.completedFuture(own)
                    : store
                        .intent(id)
                        .thenCompose(
                            intent ->
                                intent.isPresent()
                                    ? CompletableFuture.completedFuture(Optional.empty())
                                    : ofOthers(store, id, call::sees, 2)
                                        .thenApply(SeenReceipts::theOne)));
  }

  /**
   * Those of some that the caller of a call may see: of a private transaction whoever has its
   * group, of a public one whoever has its sender.
   */
  static CompletionStage<List<NumberedReceipt>> among(
      NodeStore store, Call call, List<NumberedReceipt> some) {
    if (SeenIntents.seesAll(call)) {
      return CompletableFuture.completedFuture(some);
    }
    return Answers.inTurn(some, receipt -> sees(store, call, receipt))
        .thenApply(
            seen -> IntStream.range(0, some.size()).filter(seen::get).mapToObj(some::get).toList());
  }

  private static CompletionStage<Boolean> sees(
      NodeStore store, Call call, NumberedReceipt receipt) {
    var ended = receipt.receipt();
    return ended.isPublic() || ended.contract().equals(Receipt.NO_CONTRACT)
        ? store
            .intent(ended.transaction())
            .thenApply(intent -> intent.filter(it -> SeenIntents.sees(call, it)).isPresent())
        : CompletableFuture.completedFuture(call.sees(ended.contract()));
  }

  /** Rows of which a query is told those alone that its caller may see; all are looked at. */
  static final class Rows implements RowSource<NumberedReceipt> {
    private final NodeStore store;
    private final Call call;
    private final RowSource<NumberedReceipt> all;
    private Set<Long> seen = Set.of();

    Rows(NodeStore store, Call call, RowSource<NumberedReceipt> all) {
      this.store = store;
      this.call = call;
      this.all = all;
    }

    @Override
    public CompletionStage<List<NumberedReceipt>> next() {
      return all.next()
          .thenCompose(
              page ->
                  among(store, call, page)
                      .thenApply(
                          some -> {
                            seen =
                                some.stream()
                                    .map(NumberedReceipt::sequence)
                                    .collect(Collectors.toSet());
                            return page;
                          }));
    }

    /** Of the page that was read last. */
    boolean isSeen(NumberedReceipt receipt) {
      return seen.contains(receipt.sequence());
    }
  }

  private static Optional<NumberedReceipt> theOne(List<NumberedReceipt> ofGroups) {
    if (ofGroups.size() > 1) {
      throw new RpcFailure(
          ErrorCode.SEVERAL_GROUPS,
          "Members of several groups have used this id. Ask ptx_queryTransactionReceipts for it with the"
              + " contractAddress of the group that you mean.");
    }
    return ofGroups.stream().findFirst();
  }

  /**
   * What other nodes have sent under an id: of each group that is seen the first.
   *
   * @param most of more it does not matter which are missing
   */
  public static CompletionStage<List<NumberedReceipt>> ofOthers(
      NodeStore store, TransactionId id, Predicate<ContractAddress> sees, int most) {
    return more(store, id, sees, most, Optional.empty(), new ArrayList<>());
  }

  private static CompletionStage<List<NumberedReceipt>> more(
      NodeStore store,
      TransactionId id,
      Predicate<ContractAddress> sees,
      int most,
      Optional<ContractAddress> after,
      List<NumberedReceipt> found) {
    return store
        .firstOfOthers(id, after, PAGE)
        .thenCompose(
            page -> {
              page.stream()
                  .filter(other -> sees.test(other.receipt().contract()))
                  .limit(most - found.size())
                  .forEach(found::add);
              return page.size() < PAGE || found.size() == most
                  ? CompletableFuture.completedFuture(List.copyOf(found))
                  : more(
                      store,
                      id,
                      sees,
                      most,
                      Optional.of(page.getLast().receipt().contract()),
                      found);
            });
  }
}
