package dev.sequitur.node.rpc.method;

import dev.sequitur.node.rpc.method.EndorsementProofs.Shown;
import dev.sequitur.protocol.endorser.EndorsementProof;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.Receipt.OnLedger;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Proofs that transactions are endorsed, as the base ledger has them.
 *
 * @param groups finds the group of a contract, if this node knows it
 */
record ProofsOnLedger(
    BaseLedger ledger, Function<ContractAddress, CompletionStage<Optional<PrivacyGroup>>> groups) {
  /** One of the transitions of a base-ledger transaction, and where it is. */
  private record Placed(PreparedTransaction transition, OnLedger place) {}

  /**
   * Of one of the transitions of a base-ledger transaction.
   *
   * @param meant which
   */
  CompletionStage<Optional<Shown>> find(
      TransactionHash hash, Predicate<LedgerReceipt.Fulfilled> meant) {
    return ledger
        .receipt(hash)
        .thenCompose(
            receipt ->
                ledger
                    .transaction(hash)
                    .thenApply(
                        transaction ->
                            receipt.flatMap(
                                found ->
                                    transaction.flatMap(
                                        submitted -> fulfilled(meant, found, submitted)))))
        .thenCompose(
            found ->
                found
                    .map(it -> shown(it.transition(), Optional.of(it.place())))
                    .orElseGet(() -> CompletableFuture.completedFuture(Optional.empty())));
  }

  private static Optional<Placed> fulfilled(
      Predicate<LedgerReceipt.Fulfilled> meant,
      LedgerReceipt receipt,
      LedgerTransaction submitted) {
    if (!(submitted.call() instanceof LedgerTransaction.Invoke(var transitions))) {
      return Optional.empty();
    }
    for (int place = 0; place < transitions.size(); place++) {
      if (receipt.results().get(place) instanceof LedgerReceipt.Fulfilled fulfilled
          && meant.test(fulfilled)) {
        return Optional.of(new Placed(transitions.get(place), receipt.onLedger(fulfilled)));
      }
    }
    return Optional.empty();
  }

  /**
   * Of what is prepared, whether or not it is on the ledger.
   *
   * @param place where it is
   */
  CompletionStage<Optional<Shown>> shown(PreparedTransaction prepared, Optional<OnLedger> place) {
    return groups
        .apply(prepared.contract())
        .thenApply(
            known ->
                known.map(
                    group ->
                        new Shown(
                            group.domain(),
                            new EndorsementProof(
                                place
                                    .map(it -> group.asOf(it.block()))
                                    .orElse(group)
                                    .endorsementPolicy(),
                                prepared),
                            place)));
  }
}
