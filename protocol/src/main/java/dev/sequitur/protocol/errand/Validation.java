package dev.sequitur.protocol.errand;

import dev.sequitur.protocol.distribution.SpendableStates;
import dev.sequitur.protocol.distribution.StateStoreState;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.port.Domain.Objection;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.StateLocks;
import dev.sequitur.protocol.trie.HashTrie;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Has a domain check intents upon the states of a node: those that are confirmed and, if that is
 * not enough, those that others have made and that are on their way too.
 *
 * @param faults what a caller is told of a domain that throws
 */
record Validation(
    PrivacyGroup group,
    Domain domain,
    StateStoreState store,
    Function<RuntimeException, String> faults) {
  /**
   * @param isComplete whether the store has every state that is on the ledger
   * @return for each, in order, what is wrong with it
   */
  List<Optional<Objection>> of(List<PrivateTransaction> transactions, boolean isComplete) {
    var objections = checkAll(transactions, new SpendableStates(store, StateLocks.NONE));
    boolean mayPass = objections.stream().flatMap(Optional::stream).anyMatch(Objection::mayPass);
    if (!mayPass) {
      return objections;
    }
    if (!isComplete) {
      return objections.stream().map(found -> found.filter(o -> !o.mayPass())).toList();
    }
    return checkAll(transactions, new SpendableStates(store, onTheirWay()));
  }

  private StateLocks onTheirWay() {
    return new StateLocks(HashTrie.emptySet(), HashTrie.from(store.onTheirWay()));
  }

  private List<Optional<Objection>> checkAll(
      List<PrivateTransaction> transactions, Domain.States states) {
    return transactions.stream().map(transaction -> check(transaction, states)).toList();
  }

  /** A fault of the domain must not take the state store, and every other intent, with it. */
  private Optional<Objection> check(PrivateTransaction transaction, Domain.States states) {
    try {
      return domain.validate(group, transaction, states);
    } catch (RuntimeException e) {
      return Optional.of(new Objection(faults.apply(e), false));
    }
  }
}
