package dev.sequitur.protocol.port;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.room.Room.Forgotten;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The part of the {@link NodeStore} that a node's intents are in, from acceptance to receipt. Every
 * write is durable when its future completes, and all or nothing. Thread-safe.
 */
public interface IntentStore {
  /**
   * Accepts a batch, or nothing of it. A repeated idempotency key of the same owner with the same
   * body is answered with the original id (SND-3).
   */
  CompletionStage<NodeStore.Acceptance> accept(List<NodeStore.Intent> batch);

  /** Keeps a public transaction as its caller has changed it; its key and its order stay. */
  CompletionStage<Void> change(PublicTransaction changed);

  CompletionStage<Optional<NodeStore.Intent>> intent(TransactionId id);

  CompletionStage<Optional<TransactionId>> intentByIdempotencyKey(IdempotencyKey key);

  /**
   * Private intents without a receipt, in order of acceptance.
   *
   * @param after their order is above it
   */
  CompletionStage<List<NodeStore.Intent>> pending(ContractAddress contract, long after, int limit);

  /**
   * Public transactions of a sender without a receipt, in order of acceptance. Once one is told,
   * none is ever accepted with a lower order (PUB-2).
   *
   * @param after their order is above it
   */
  CompletionStage<List<NodeStore.Intent>> publicPending(Identity from, long after, int limit);

  /**
   * Ends intents; each gets the next sequence number. One that has a receipt already keeps it,
   * unless the new one is a success on the ledger and the old one is not (CNF-2: a late
   * confirmation wins), or is one at another place there (CNF-11). Then it has two: the old one
   * stays under its number, since listeners may have seen it, and whoever reads on comes to the new
   * one, which holds.
   *
   * @return what was stored, in the order given; of what has a receipt that it keeps, nothing
   */
  CompletionStage<List<NodeStore.NumberedReceipt>> complete(List<Receipt> receipts);

  /**
   * Keeps what a block confirms. Each of these receipts is a success on the ledger. What its sender
   * knows is stored as by {@link #complete}. Of the others an intent of this node's own that has a
   * receipt which is no success, or is one at another place, gets this one (CNF-2, CNF-11),
   * whenever that was; one that has none yet, or this very success, is left out. What is another's,
   * be it of the same id, gets a receipt of its own, once for each place (CNF-9). In their order,
   * each under the next sequence number. Not to be called while a {@link #complete} of the same
   * intent is under way.
   *
   * @param confirmations in the ledger's order
   * @param known those of this node's own that their sender knows
   * @return what was stored of this node's own
   */
  CompletionStage<List<NodeStore.NumberedReceipt>> confirm(
      Map<IntentKey, Receipt> confirmations, Set<IntentKey> known);

  /** The one that holds, of an intent of this node's own: of two, the later. */
  CompletionStage<Optional<NodeStore.NumberedReceipt>> receipt(TransactionId id);

  /**
   * Of a transaction whose contents are forgotten and whose id is not: of an own one, or else of
   * another's that has the id.
   */
  default CompletionStage<Optional<Forgotten>> forgotten(TransactionId id) {
    return CompletableFuture.completedFuture(Optional.empty());
  }

  /** Keeps what was prepared. The first for a transaction stays: its caller may have read it. */
  CompletionStage<Void> putPrepared(NodeStore.Prepared prepared);

  CompletionStage<Optional<NodeStore.Prepared>> prepared(TransactionId id);
}
