package dev.sequitur.simulation;

import dev.sequitur.protocol.distribution.StateStore;
import dev.sequitur.protocol.distribution.StateStoreEvent;
import dev.sequitur.protocol.distribution.StateStoreState;
import dev.sequitur.protocol.errand.StateStoreErrands;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.indexing.BlockNotice;
import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.sender.SenderInput;
import dev.sequitur.protocol.transaction.PrivateState;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The other edge of what StateStoreActor is one of. */
final class StateStoreShell
    extends LoadedShell<StateStore.Input, StateStoreState, StateStoreEvent, StateStore.Effect> {
  private final PrivacyGroup group;
  private final StateStoreErrands errands;

  StateStoreShell(
      NodeLife node, StateStore store, PrivacyGroup group, List<StateStoreEvent> journal) {
    super(node, "states", store.machine(), journal);
    this.group = group;
    this.errands =
        new StateStoreErrands(
            node.surroundings(),
            store,
            node.selection(group.contract()),
            node.domain(),
            new Edge());
    errands.blockSeen(BlockNotice.heightOnly(node.height(), node.now()));
  }

  @Override
  ContractAddress contract() {
    return group.contract();
  }

  /** Has something done with the states; until they are loaded it waits. */
  void ask(Consumer<StateStoreErrands> errand) {
    onceLoaded(() -> errand.accept(errands));
  }

  /** What follows from it is stored. */
  void take(Function<StateStoreErrands, StateStoreErrands.Work> errand) {
    ask(
        mine -> {
          var work = errand.apply(mine);
          tell(work.inputs(), work.whenDurable());
        });
  }

  /** With the contents that are on the disk now. */
  @Override
  StateStoreState recovered() {
    var recovered = super.recovered();
    return recovered.found(
        recovered.wanted().stream()
            .flatMap(id -> node.disk().state(id).stream())
            .collect(Collectors.toMap(PrivateState::id, state -> state)));
  }

  /** What is owed no more is kept by whoever it was owed to (DST-1), or one of the two has left. */
  @Override
  void decided(
      StateStoreState before, Decision<StateStoreState, StateStoreEvent, StateStore.Effect> made) {
    for (var event : made.events()) {
      if (event instanceof StateStoreEvent.DistributionAcknowledged(var distribution)) {
        var owed = before.outbox().get(distribution);
        var kept = node.simulation().node(owed.to()).disk().contents.keySet();
        var restores = node.simulation().restores();
        Invariants.require(
            !isHeard(owed.to())
                || owed.items().stream()
                    .map(StateStoreEvent.Share::state)
                    .allMatch(id -> kept.contains(id) || restores.hasLost(owed.to(), id)),
            node.name() + " takes for acknowledged what " + owed.to() + " does not keep: " + owed);
      }
    }
  }

  /** As this node knows it (CMT-8). */
  private boolean isHeard(NodeName other) {
    return node.group(contract()).orElseThrow().areHeard(node.name(), other);
  }

  @Override
  CompletionStage<Void> alongside(List<StateStore.Effect> effects) {
    return errands.keep(effects);
  }

  @Override
  void perform(List<StateStore.Effect> effects, Runnable whenDurable) {
    errands.run(effects);
    whenDurable.run();
  }

  void index(BlockNotice notice, BlockHeight after, Runnable whenDurable) {
    ask(mine -> mine.block(notice, after).ifPresent(input -> tell(input, whenDurable)));
  }

  /** As an actor's own messages they wait for their turn, and are never lost. */
  private final class Edge implements StateStoreErrands.Edge {
    @Override
    public StateStoreState state() {
      return StateStoreShell.this.state();
    }

    @Override
    public void found(StateStore.Input.ContentsFound contents) {
      node.later(Duration.ZERO, () -> begin(contents));
    }

    @Override
    public void told(StateStore.Input answer) {
      node.later(Duration.ZERO, () -> tell(answer));
    }

    @Override
    public CompletionStage<Set<StateId>> underWay() {
      var submitter = node.entities(contract()).submitter();
      return submitter.isHere()
          ? CompletableFuture.completedFuture(
              Dispatch.outputs(submitter.state().unconfirmed(contract())))
          : CompletableFuture.failedFuture(new IllegalStateException("It is away."));
    }

    @Override
    public void resume(List<TransactionId> transactions) {
      transactions.forEach(
          id ->
              node.later(
                  Duration.ZERO,
                  () -> node.entities(contract()).sender().tell(new SenderInput.Resume(id))));
    }

    @Override
    public void failed(Throwable cause) {
      StateStoreShell.this.failed("Reading contents of states", cause);
    }
  }
}
