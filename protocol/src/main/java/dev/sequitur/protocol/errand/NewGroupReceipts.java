package dev.sequitur.protocol.errand;

import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.GroupStore;
import dev.sequitur.protocol.port.NodeStore.Deployment;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.transaction.NewGroup;
import dev.sequitur.protocol.transaction.Receipt;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;

/**
 * Ends what makes the groups of this node (SEL-8): the transactions that were accepted for it, and
 * the genesis of those that were asked for without one. To end one again changes nothing.
 * Thread-safe.
 */
public final class NewGroupReceipts {
  private final Surroundings node;
  private final GroupStore store;

  public NewGroupReceipts(Surroundings node, GroupStore store) {
    this.node = node;
    this.store = store;
  }

  /** For a group whose contract stands, and which is stored. */
  public CompletionStage<Void> made(PrivacyGroup group, Receipt.OnLedger at) {
    return end(
        group.id(), (stored, transaction) -> Receipt.made(transaction, group, at, node.now()));
  }

  /** For a stored group that is never made. */
  public CompletionStage<Void> notMade(GroupId group, String reason) {
    return end(
        group,
        (stored, transaction) ->
            Receipt.notMade(
                transaction,
                stored.deployment().map(Deployment::domain).orElse(""),
                reason,
                node.now()));
  }

  /** For a transaction whose group is not even stored. */
  public CompletionStage<Void> notMade(NewGroup asked, String reason) {
    return complete(Receipt.notMade(asked.id(), asked.request().domain(), reason, node.now()))
        .thenAccept(node::ended);
  }

  /** Of a group of this node's own, whether a transaction was accepted for it or not. */
  private CompletionStage<Void> end(
      GroupId id, BiFunction<StoredGroup, TransactionId, Receipt> receipt) {
    return store
        .group(id)
        .thenCompose(
            stored ->
                stored
                    .flatMap(
                        group ->
                            group
                                .genesisTransaction()
                                .map(
                                    transaction ->
                                        end(transaction, receipt.apply(group, transaction))))
                    .orElse(CompletableFuture.completedFuture(null)));
  }

  /** What nobody has accepted as a transaction is counted as none. */
  private CompletionStage<Void> end(TransactionId transaction, Receipt receipt) {
    return complete(receipt)
        .thenCombine(
            node.intents().intent(transaction),
            (stored, intent) -> {
              if (intent.isPresent()) {
                node.ended(stored);
              }
              return null;
            });
  }

  private CompletionStage<List<NumberedReceipt>> complete(Receipt receipt) {
    return node.intents().complete(List.of(receipt));
  }
}
