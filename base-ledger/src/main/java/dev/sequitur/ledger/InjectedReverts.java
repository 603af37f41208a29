package dev.sequitur.ledger;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.LedgerTransaction.Invoke;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import dev.sequitur.protocol.limited.LimitedMap;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Which transitions of a view's transactions shall revert. Thread-safe. */
final class InjectedReverts {
  private static final int REMEMBERED = 10_000;

  private final Map<ContractAddress, Integer> remaining = new HashMap<>();
  // a transaction that is submitted again is the same one and must not use up another revert
  private final Map<TransactionHash, Decided> decided = LimitedMap.ofNewest(REMEMBERED);

  /**
   * @param places of the transitions that revert; may be none
   */
  private record Decided(ContractAddress contract, Set<Integer> places) {}

  synchronized void next(ContractAddress contract, int count) {
    if (count < 0) {
      throw new IllegalArgumentException("The number of reverts is not negative: " + count);
    }
    remaining.put(contract, count);
    if (count == 0) {
      remaining.remove(contract);
      // A ledger that takes no reverts has refused these, and would do so for ever.
      decided
          .values()
          .removeIf(each -> each.contract().equals(contract) && !each.places().isEmpty());
    }
  }

  synchronized int left(ContractAddress contract) {
    return remaining.getOrDefault(contract, 0);
  }

  /** The places of the transitions that shall revert, of each transaction that has one. */
  synchronized Map<TransactionHash, Set<Integer>> among(
      List<SignedLedgerTransaction> transactions) {
    if (remaining.isEmpty() && decided.isEmpty()) {
      return Map.of();
    }
    var doomed = new HashMap<TransactionHash, Set<Integer>>();
    for (var signed : transactions) {
      if (signed.transaction().call() instanceof Invoke(var transitions)
          && !transitions.isEmpty()) {
        var places = decided.computeIfAbsent(signed.hash(), hash -> take(transitions)).places();
        if (!places.isEmpty()) {
          doomed.put(signed.hash(), places);
        }
      }
    }
    return doomed;
  }

  /** The first ones of a transaction, as far as the number goes. */
  private Decided take(List<PreparedTransaction> transitions) {
    var contract = transitions.get(0).contract();
    int left = remaining.getOrDefault(contract, 0);
    int taken = Math.min(left, transitions.size());
    if (left > taken) {
      remaining.put(contract, left - taken);
    } else {
      remaining.remove(contract);
    }
    return new Decided(
        contract, IntStream.range(0, taken).boxed().collect(Collectors.toUnmodifiableSet()));
  }
}
