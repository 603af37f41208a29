package dev.sequitur.ledger;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.LedgerTransaction.Invoke;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Which of a view's transactions shall revert. Thread-safe. */
final class InjectedReverts {
  private static final int REMEMBERED = 10_000;

  private final Map<ContractAddress, Integer> remaining = new HashMap<>();
  // a transaction that is submitted again is the same one and must not use up another revert
  private final Map<TransactionHash, Optional<ContractAddress>> decided =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(
            Map.Entry<TransactionHash, Optional<ContractAddress>> eldest) {
          return size() > REMEMBERED;
        }
      };

  synchronized void next(ContractAddress contract, int count) {
    if (count < 0) {
      throw new IllegalArgumentException("The number of reverts is not negative: " + count);
    }
    remaining.put(contract, count);
    if (count == 0) {
      remaining.remove(contract);
      // A ledger that takes no reverts has refused these, and would do so for ever.
      decided.values().removeIf(Optional.of(contract)::equals);
    }
  }

  synchronized int left(ContractAddress contract) {
    return remaining.getOrDefault(contract, 0);
  }

  synchronized Set<TransactionHash> among(List<SignedLedgerTransaction> transactions) {
    if (remaining.isEmpty() && decided.isEmpty()) {
      return Set.of();
    }
    var doomed = new HashSet<TransactionHash>();
    for (var signed : transactions) {
      if (signed.transaction().call() instanceof Invoke invoke
          && decided
              .computeIfAbsent(signed.hash(), hash -> take(invoke.prepared().contract()))
              .isPresent()) {
        doomed.add(signed.hash());
      }
    }
    return doomed;
  }

  private Optional<ContractAddress> take(ContractAddress contract) {
    int left = remaining.getOrDefault(contract, 0);
    if (left > 1) {
      remaining.put(contract, left - 1);
    } else {
      remaining.remove(contract);
    }
    return left > 0 ? Optional.of(contract) : Optional.empty();
  }
}
