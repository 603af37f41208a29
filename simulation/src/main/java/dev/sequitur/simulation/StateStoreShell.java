package dev.sequitur.simulation;

import dev.sequitur.protocol.distribution.SpendableStates;
import dev.sequitur.protocol.distribution.StateStore;
import dev.sequitur.protocol.distribution.StateStoreEvent;
import dev.sequitur.protocol.distribution.StateStoreState;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.sender.SenderEffect;
import dev.sequitur.protocol.sender.SenderInput;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;

/** What StateStoreActor does around a StateStore. */
final class StateStoreShell
    extends Shell<StateStore.Input, StateStoreState, StateStoreEvent, StateStore.Counted> {
  private final StateStore store;
  private final PrivacyGroup group;

  StateStoreShell(
      RunningNode node, StateStore store, PrivacyGroup group, List<StateStoreEvent> journal) {
    super(node, "states", recover(store, journal), journal);
    this.store = store;
    this.group = group;
  }

  static StateStoreState recover(StateStore store, List<StateStoreEvent> journal) {
    var state = StateStoreState.initial();
    for (var event : journal) {
      state = store.evolve(state, event);
    }
    return state;
  }

  @Override
  ContractAddress contract() {
    return group.contract();
  }

  StateStore rules() {
    return store;
  }

  @Override
  Decision<StateStoreState, StateStoreEvent, StateStore.Counted> decide(
      StateStoreState before, StateStore.Input input, Instant now) {
    return store.decide(before, input, now);
  }

  @Override
  void perform(StateStore.Counted effect) {
    node.count("state store " + effect);
  }

  /** One after another, each upon what those before it have used (ASM-1). */
  void assemble(SenderEffect.Assemble work) {
    var spendable = new SpendableStates(state(), work.locks());
    var results = new LinkedHashMap<TransactionId, Domain.Assembly>();
    for (var transaction : work.transactions()) {
      var result = node.domain().assemble(group, transaction, spendable, node.keys());
      if (result instanceof Domain.Assembly.Assembled assembled) {
        spendable.use(assembled.postAssembly());
      }
      results.put(transaction.id(), result);
    }
    var finished = new SenderInput.AssemblyFinished(work.request(), work.inReplyTo(), results);
    node.tell(() -> node.entities(group.contract()).sender().tell(finished));
  }
}
