package dev.sequitur.laboratory.demo;

import dev.sequitur.ledger.Conservation;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.ledger.LedgerReceipt.Fulfilled;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Follows an audit through the blocks and keeps what the double-check needs of them: which intent
 * was fulfilled when, and which states stand. Confined to one thread.
 */
final class LedgerContents implements Conservation {
  private final Map<IntentKey, Long> positions = new HashMap<>();
  private final Map<ContractAddress, Set<StateId>> standing = new HashMap<>();

  /** Has no complaint of its own: contents are compared at the end. */
  @Override
  public Optional<String> complaint(Fulfilled fulfilled) {
    positions.putIfAbsent(fulfilled.intent(), (long) positions.size());
    var states = standing.computeIfAbsent(fulfilled.contract(), any -> new LinkedHashSet<>());
    fulfilled.spent().forEach(states::remove);
    states.addAll(fulfilled.created());
    return Optional.empty();
  }

  /** The place of an intent in the ledger's order; empty if it was not fulfilled. */
  OptionalLong position(IntentKey intent) {
    var position = positions.get(intent);
    return position == null ? OptionalLong.empty() : OptionalLong.of(position);
  }

  /** States of a contract that are made and not spent. */
  Set<StateId> standing(ContractAddress contract) {
    return standing.getOrDefault(contract, Set.of());
  }
}
