package dev.sequitur.simulation;

import dev.sequitur.protocol.coordinator.CoordinatorEffect;
import dev.sequitur.protocol.distribution.StateStore;
import dev.sequitur.protocol.errand.Surroundings;
import dev.sequitur.protocol.funding.KeyUse;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.port.IntentStore;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.Signatures;
import dev.sequitur.protocol.port.StateContents;
import dev.sequitur.protocol.sender.SenderEffect;
import dev.sequitur.protocol.submitter.SubmitterEffect;
import dev.sequitur.protocol.transaction.PrivateState;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * What surrounds the machines of a running node. All of it takes a moment, so that nothing happens
 * within a future: there a crash, and a check that fails, would be lost.
 */
record SimulatedSurroundings(
    NodeLife node,
    BaseLedger ledger,
    IntentStore intents,
    StateContents contents,
    Executor computing)
    implements Surroundings {

  static SimulatedSurroundings of(NodeLife node) {
    return new SimulatedSurroundings(
        node,
        new LedgerLink(
            node,
            call -> {
              node.simulation().conduct().onSubmitting(node.name(), node.disk(), call);
              node.simulation().foundings().onSubmitting(node.name(), call);
            }),
        new SimulatedIntents(node),
        new SimulatedContents(node),
        task -> node.later(NodeLife.WORK, task));
  }

  /** What {@code what} comes to after a while, unless the node crashes before. */
  static <T> CompletionStage<T> answer(NodeLife node, Duration wait, Supplier<T> what) {
    var answer = new CompletableFuture<T>();
    node.later(
        wait,
        () -> {
          var result = what.get();
          answer.complete(result);
        });
    return answer;
  }

  /** The same of a write to the node store, which a JVM that is left out may not do any more. */
  static <T> CompletionStage<T> write(NodeLife node, Duration wait, Supplier<T> what) {
    return answer(
        node,
        wait,
        () -> {
          node.requireMayWrite();
          return what.get();
        });
  }

  @Override
  public Instant now() {
    return node.now();
  }

  @Override
  public BlockHeight height() {
    return node.height();
  }

  @Override
  public CompletionStage<Optional<BlockHeight>> acknowledged() {
    return answer(node, NodeLife.WORK, () -> Optional.of(node.disk().indexedTo.height()));
  }

  @Override
  public Keys keys() {
    return node.keys();
  }

  @Override
  public Signatures signatures() {
    return SimulatedKeys.SIGNATURES;
  }

  @Override
  public void count(CoordinatorEffect.Counted what) {
    node.count("coordinator " + what);
  }

  @Override
  public void count(SenderEffect.Counted what) {
    node.count("sender " + what);
  }

  @Override
  public void count(SubmitterEffect.Counted what) {
    node.count("submitter " + what);
  }

  @Override
  public void count(StateStore.Counted what) {
    node.count("state store " + what);
  }

  @Override
  public void use(KeyUse use) {
    node.keeper().ifPresent(one -> one.use(use));
  }

  @Override
  public void fault(Domain domain, String what, RuntimeException thrown) {
    throw new AssertionError("The domain cannot " + what, thrown);
  }

  /** The invariants look at each receipt. */
  @Override
  public void ended(List<NodeStore.NumberedReceipt> stored) {}

  /** A running node's way to the contents of states on its disk. */
  private record SimulatedContents(NodeLife node) implements StateContents {

    @Override
    public CompletionStage<Void> putStates(List<PrivateState> states) {
      return SimulatedSurroundings.write(
          node,
          NodeLife.writeBeside(states),
          () -> {
            node.simulation().conduct().onKept(node, states);
            states.forEach(node.disk()::put);
            return null;
          });
    }

    @Override
    public CompletionStage<Void> eraseStates(ContractAddress contract, Collection<StateId> ids) {
      return SimulatedSurroundings.write(
          node,
          NodeLife.WRITE,
          () -> {
            node.disk().contents.keySet().removeAll(Set.copyOf(ids));
            return null;
          });
    }

    @Override
    public CompletionStage<List<PrivateState>> states(
        ContractAddress contract, Collection<StateId> ids) {
      return SimulatedSurroundings.answer(
          node,
          NodeLife.WORK,
          () ->
              ids.stream()
                  .flatMap(id -> node.disk().state(id).stream())
                  .filter(state -> state.contract().equals(contract))
                  .toList());
    }
  }
}
