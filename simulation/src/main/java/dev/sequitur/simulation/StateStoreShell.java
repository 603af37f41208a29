package dev.sequitur.simulation;

import dev.sequitur.protocol.distribution.SpendableStates;
import dev.sequitur.protocol.distribution.StateStore;
import dev.sequitur.protocol.distribution.StateStoreEvent;
import dev.sequitur.protocol.distribution.StateStoreState;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.indexing.BlockNotice;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.sender.SenderEffect;
import dev.sequitur.protocol.sender.SenderInput;
import java.util.LinkedHashMap;
import java.util.List;

/** What StateStoreActor does around a StateStore. */
final class StateStoreShell
    extends Shell<StateStore.Input, StateStoreState, StateStoreEvent, StateStore.Counted> {
  private final StateStore store;
  private final PrivacyGroup group;

  StateStoreShell(
      RunningNode node, StateStore store, PrivacyGroup group, List<StateStoreEvent> journal) {
    super(node, "states", store.machine(), journal);
    this.store = store;
    this.group = group;
  }

  @Override
  ContractAddress contract() {
    return group.contract();
  }

  @Override
  void perform(StateStore.Counted effect) {
    node.count("state store " + effect);
  }

  /** One after a gap is left alone: the one before it comes again, and so does this one. */
  void index(BlockNotice notice, BlockHeight after, Runnable whenDurable) {
    if (store.follows(state(), after)) {
      tell(notice.forStateStore(), whenDurable);
    }
  }

  /** One after another, each upon what those before it have used (A25). */
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
