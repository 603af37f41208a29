package dev.sequitur.ledger;

import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.LedgerReceipt.RevertReason;
import dev.sequitur.protocol.ledger.LedgerTransaction.Invoke;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What one contract should do, in the simplest words: sets and lists, everything looked at anew
 * each time. Its committee needs two endorsers.
 */
final class LedgerModel {
  private final Set<StateId> unspent = new HashSet<>();
  private final Set<StateId> spent = new HashSet<>();
  private final Set<TransactionId> intents = new HashSet<>();
  private final Map<LedgerAddress, Long> nonces = new HashMap<>();
  private final List<SignedLedgerTransaction> pool = new ArrayList<>();

  /** What a transaction came to; of each transition, no reason if it was fulfilled. */
  record Ran(SignedLedgerTransaction transaction, List<Optional<RevertReason>> reasons) {}

  String submit(SignedLedgerTransaction signed) {
    if (pool.contains(signed)) {
      return "Pooled";
    }
    if (signed.transaction().nonce() < nonce(signed)) {
      return "NonceTooLow";
    }
    var rival = pool.stream().filter(other -> sameNonce(other, signed)).findFirst();
    if (rival.isPresent()) {
      var offered = signed.transaction().fees();
      var before = rival.get().transaction().fees();
      if (10 * offered.max() < 11 * before.max()
          || 10 * offered.priority() < 11 * before.priority()) {
        return "Underpriced";
      }
      pool.remove(rival.get());
    }
    pool.add(signed);
    return "Pooled";
  }

  List<Ran> cut() {
    var ran = new ArrayList<Ran>();
    while (true) {
      var next =
          pool.stream()
              .filter(signed -> signed.transaction().nonce() == nonce(signed))
              .max(Comparator.comparingLong(signed -> signed.transaction().fees().priority()));
      // of equal prices max takes the last, the pool the first: the price decides alone here
      if (next.isEmpty()) {
        return ran;
      }
      pool.remove(next.get());
      nonces.merge(next.get().transaction().signer(), 1L, Long::sum);
      ran.add(
          new Ran(
              next.get(),
              ((Invoke) next.get().transaction().call())
                  .transitions().stream().map(this::run).toList()));
    }
  }

  private Optional<RevertReason> run(PreparedTransaction prepared) {
    if (intents.contains(prepared.transaction())) {
      return Optional.of(RevertReason.INTENT_FULFILLED);
    }
    for (var state : List.of(prepared.inputs(), prepared.reads())) {
      for (var id : state) {
        if (spent.contains(id)) {
          return Optional.of(RevertReason.STATE_SPENT);
        }
        if (!unspent.contains(id)) {
          return Optional.of(RevertReason.STATE_UNKNOWN);
        }
      }
    }
    for (var id : prepared.outputs()) {
      if (spent.contains(id) || unspent.contains(id)) {
        return Optional.of(RevertReason.STATE_EXISTS);
      }
    }
    if (prepared.proof().signatures().size() < 2) {
      return Optional.of(RevertReason.ENDORSEMENT_INVALID);
    }
    unspent.removeAll(prepared.inputs());
    spent.addAll(prepared.inputs());
    unspent.addAll(prepared.outputs());
    intents.add(prepared.transaction());
    return Optional.empty();
  }

  long nonce(SignedLedgerTransaction signed) {
    return nonces.getOrDefault(signed.transaction().signer(), 0L);
  }

  Set<StateId> unspent() {
    return unspent;
  }

  int poolSize() {
    return pool.stream().mapToInt(signed -> signed.transaction().weight()).sum();
  }

  private static boolean sameNonce(SignedLedgerTransaction one, SignedLedgerTransaction other) {
    return one.transaction().signer().equals(other.transaction().signer())
        && one.transaction().nonce() == other.transaction().nonce();
  }
}
