package dev.sequitur.simulation;

import dev.sequitur.protocol.distribution.StateStore;
import dev.sequitur.protocol.distribution.StateStoreEvent;
import dev.sequitur.protocol.distribution.StateStoreState;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.indexing.BlockNotice;
import dev.sequitur.protocol.sender.Assembler;
import dev.sequitur.protocol.sender.SenderEffect;
import java.util.List;

/** What StateStoreActor does around a StateStore. */
final class StateStoreShell
    extends Shell<StateStore.Input, StateStoreState, StateStoreEvent, StateStore.Counted> {
  private final StateStore store;
  private final PrivacyGroup group;
  private final Assembler assembler;

  StateStoreShell(
      RunningNode node, StateStore store, PrivacyGroup group, List<StateStoreEvent> journal) {
    super(node, "states", store.machine(), journal);
    this.store = store;
    this.group = group;
    this.assembler =
        new Assembler(
            group, node.domain(), node.keys(), (transaction, thrown) -> thrown.toString());
    assembler.blockSeen(node.height(), false, state());
  }

  @Override
  ContractAddress contract() {
    return group.contract();
  }

  @Override
  void perform(List<StateStore.Counted> effects, Runnable whenDurable) {
    effects.forEach(effect -> node.count("state store " + effect));
    assembler.stateChanged(state());
    whenDurable.run();
  }

  /** One after a gap is left alone: the one before it comes again, and so does this one. */
  void index(BlockNotice notice, BlockHeight after, Runnable whenDurable) {
    if (store.follows(state(), after)) {
      tell(notice.forStateStore(), whenDurable);
    }
  }

  void seen(BlockNotice notice) {
    assembler.blockSeen(notice.height(), notice.hasStates(), state());
  }

  void assemble(SenderEffect.Assemble work) {
    assembler.assemble(
        work,
        finished -> node.tell(() -> node.entities(contract()).sender().tell(finished)),
        state());
  }
}
