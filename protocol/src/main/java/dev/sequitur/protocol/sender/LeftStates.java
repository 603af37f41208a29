package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.protocol.transaction.StateLocks;
import dev.sequitur.protocol.trie.HashTrie;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.pcollections.PMap;
import org.pcollections.PSet;

/**
 * The states of what is prepared and left to its callers, by state, so that neither an assembly nor
 * a block goes through all transactions (EXT-3).
 *
 * @param spending who is to spend a state
 * @param reading who needs a state unspent
 * @param making who is to make a state
 */
public record LeftStates(
    PMap<StateId, PSet<TransactionId>> spending,
    PMap<StateId, PSet<TransactionId>> reading,
    PMap<StateId, PSet<TransactionId>> making) {
  public static final LeftStates NONE =
      new LeftStates(HashTrie.empty(), HashTrie.empty(), HashTrie.empty());

  LeftStates plus(PreparedTransaction prepared) {
    var id = prepared.transaction();
    return new LeftStates(
        plus(spending, prepared.inputs(), id),
        plus(reading, prepared.reads(), id),
        plus(making, prepared.outputs(), id));
  }

  LeftStates minus(PreparedTransaction prepared) {
    var id = prepared.transaction();
    return new LeftStates(
        minus(spending, prepared.inputs(), id),
        minus(reading, prepared.reads(), id),
        minus(making, prepared.outputs(), id));
  }

  /** What an assembly may spend besides them. */
  StateLocks and(StateLocks locks) {
    return spending.isEmpty() ? locks : locks.withoutOutputs(spending.keySet());
  }

  /** Whose transition the ledger takes no more, since it has taken that one; in their order. */
  Set<TransactionId> hinderedBy(Receipt.OnLedger other) {
    var hindered = new TreeSet<TransactionId>();
    for (var state : other.spent()) {
      hindered.addAll(spending.getOrDefault(state, HashTrie.emptySet()));
      hindered.addAll(reading.getOrDefault(state, HashTrie.emptySet()));
    }
    for (var state : other.confirmed()) {
      hindered.addAll(making.getOrDefault(state, HashTrie.emptySet()));
    }
    return hindered;
  }

  private static PMap<StateId, PSet<TransactionId>> plus(
      PMap<StateId, PSet<TransactionId>> all, List<StateId> states, TransactionId id) {
    var next = all;
    for (var state : states) {
      next = next.plus(state, next.getOrDefault(state, HashTrie.emptySet()).plus(id));
    }
    return next;
  }

  private static PMap<StateId, PSet<TransactionId>> minus(
      PMap<StateId, PSet<TransactionId>> all, List<StateId> states, TransactionId id) {
    var next = all;
    for (var state : states) {
      var rest = next.getOrDefault(state, HashTrie.emptySet()).minus(id);
      next = rest.isEmpty() ? next.minus(state) : next.plus(state, rest);
    }
    return next;
  }
}
