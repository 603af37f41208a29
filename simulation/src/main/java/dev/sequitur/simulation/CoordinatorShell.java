package dev.sequitur.simulation;

import dev.sequitur.protocol.coordinator.Coordinator;
import dev.sequitur.protocol.coordinator.CoordinatorEffect;
import dev.sequitur.protocol.coordinator.CoordinatorInput;
import dev.sequitur.protocol.coordinator.CoordinatorState;
import dev.sequitur.protocol.errand.CoordinatorErrands;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.submitter.SubmitterInput;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The other edge of what CoordinatorActor is one of. */
final class CoordinatorShell
    extends Shell<CoordinatorInput, CoordinatorState, Void, CoordinatorEffect>
    implements CoordinatorErrands.Edge {
  private static final Duration GATHERED = Duration.ofMillis(2);

  private final Coordinator coordinator;
  private final CoordinatorErrands errands;
  private final List<Received<? extends Message.ForCoordinator>> arrived = new ArrayList<>();

  CoordinatorShell(NodeLife node, Coordinator coordinator) {
    super(node, "coordinator", coordinator.machine(node.now(), node.height()), new ArrayList<>());
    this.coordinator = coordinator;
    this.errands = new CoordinatorErrands(node.surroundings(), this);
  }

  /** What comes within a moment is told in one go, as what one envelope brings is. */
  void receive(Received<? extends Message.ForCoordinator> received) {
    if (!node.isReached()) {
      node.hop(() -> receive(received));
      return;
    }
    if (arrived.isEmpty()) {
      node.later(
          GATHERED,
          () -> {
            var together = new CoordinatorInput.FromNode(arrived);
            arrived.clear();
            tell(together);
          });
    }
    arrived.add(received);
  }

  @Override
  ContractAddress contract() {
    return coordinator.setup().group().contract();
  }

  @Override
  void decided(
      CoordinatorState before, Decision<CoordinatorState, Void, CoordinatorEffect> decision) {
    node.simulation().coordinating().onDecided(node, contract(), before, decision);
  }

  @Override
  void perform(List<CoordinatorEffect> effects, Runnable whenDurable) {
    errands.run(effects);
    whenDurable.run();
  }

  @Override
  public void handToSubmitter(List<Dispatch> dispatches) {
    var received = new SubmitterInput.DispatchReceived(dispatches);
    node.tell(() -> submitter().tell(received));
  }

  @Override
  public void askForUnconfirmed() {
    node.tell(
        NodeLife.WORK,
        () -> {
          if (submitter().isHere()) {
            answer(submitter().state().unconfirmed(contract()));
          }
        });
  }

  private void answer(List<Dispatch> dispatches) {
    node.tell(() -> tell(new CoordinatorInput.UnconfirmedDispatches(dispatches)));
  }

  private SubmitterShell submitter() {
    return node.entities(contract()).submitter();
  }

  @Override
  public void invalid(Identity endorser) {
    node.trace("invalid", endorser);
  }
}
