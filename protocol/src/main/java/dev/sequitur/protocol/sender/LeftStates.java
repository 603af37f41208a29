package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.protocol.transaction.StateLocks;
import dev.sequitur.protocol.trie.HashTrie;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
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
 * @param all of them
 * @param told the coordinator that locks these states, too, but for those of {@code untold}
 * @param notBefore it is told of more
 */
@Copyable
public record LeftStates(
    PMap<StateId, PSet<TransactionId>> spending,
    PMap<StateId, PSet<TransactionId>> reading,
    PMap<StateId, PSet<TransactionId>> making,
    PSet<TransactionId> all,
    Optional<NodeName> told,
    PSet<TransactionId> untold,
    Instant notBefore)
    implements LeftStatesBuilder.With {
  public static final LeftStates NONE =
      new LeftStates(
          HashTrie.empty(),
          HashTrie.empty(),
          HashTrie.empty(),
          HashTrie.emptySet(),
          Optional.empty(),
          HashTrie.emptySet(),
          Instant.MIN);

  LeftStates plus(PreparedTransaction prepared) {
    var id = prepared.transaction();
    return with()
        .spending(plus(spending, prepared.inputs(), id))
        .reading(plus(reading, prepared.reads(), id))
        .making(plus(making, prepared.outputs(), id))
        .all(all.plus(id))
        .untold(untold.plus(id))
        .build();
  }

  LeftStates minus(PreparedTransaction prepared) {
    var id = prepared.transaction();
    return with()
        .spending(minus(spending, prepared.inputs(), id))
        .reading(minus(reading, prepared.reads(), id))
        .making(minus(making, prepared.outputs(), id))
        .all(all.minus(id))
        .untold(untold.minus(id))
        .build();
  }

  /** Another one has been told nothing. */
  LeftStates toTell(NodeName coordinator) {
    return told.equals(Optional.of(coordinator))
        ? this
        : with().told(Optional.of(coordinator)).untold(all).notBefore(Instant.MIN).build();
  }

  /** It knows nothing any more. */
  LeftStates forgottenBy(NodeName coordinator, Instant again) {
    return told.equals(Optional.of(coordinator)) ? untold(all, again) : this;
  }

  LeftStates told(Collection<TransactionId> some) {
    return withUntold(untold.minusAll(some));
  }

  /** The coordinator does not lock them. */
  LeftStates untold(Collection<TransactionId> some, Instant again) {
    var still = some.stream().filter(all::contains).toList();
    return with().untold(untold.plusAll(still)).notBefore(again).build();
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
