package dev.sequitur.simulation;

import dev.sequitur.protocol.distribution.StateStore;
import dev.sequitur.protocol.distribution.StateStoreEvent;
import dev.sequitur.protocol.distribution.StateStoreState;
import dev.sequitur.protocol.errand.StateStoreErrands;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.indexing.BlockNotice;
import java.time.Duration;
import java.util.List;

/** The other edge of what StateStoreActor is one of. */
final class StateStoreShell
    extends Shell<StateStore.Input, StateStoreState, StateStoreEvent, StateStore.Counted> {
  private final PrivacyGroup group;
  private final StateStoreErrands errands;

  StateStoreShell(
      RunningNode node, StateStore store, PrivacyGroup group, List<StateStoreEvent> journal) {
    super(node, "states", store.machine(), journal);
    this.group = group;
    this.errands =
        new StateStoreErrands(node.surroundings(), store, group, node.domain(), new Edge());
    errands.blockSeen(BlockNotice.heightOnly(node.height(), node.now()));
  }

  @Override
  ContractAddress contract() {
    return group.contract();
  }

  StateStoreErrands errands() {
    return errands;
  }

  @Override
  void perform(List<StateStore.Counted> effects, Runnable whenDurable) {
    errands.run(effects);
    whenDurable.run();
  }

  void index(BlockNotice notice, BlockHeight after, Runnable whenDurable) {
    errands.block(notice, after).ifPresent(input -> tell(input, whenDurable));
  }

  /** As an actor's own messages they wait for their turn, and are never lost. */
  private final class Edge implements StateStoreErrands.Edge {
    @Override
    public StateStoreState state() {
      return StateStoreShell.this.state();
    }

    @Override
    public void answer(List<StateStore.Input> inputs, Runnable whenDurable) {
      node.later(Duration.ZERO, () -> tell(inputs, whenDurable));
    }

    @Override
    public void notKept(Throwable cause) {
      node.later(
          Duration.ZERO,
          () -> {
            throw new IllegalStateException("Contents are not kept, and no disk fails.", cause);
          });
    }
  }
}
