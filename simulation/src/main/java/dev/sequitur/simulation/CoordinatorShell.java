package dev.sequitur.simulation;

import dev.sequitur.protocol.coordinator.Coordinator;
import dev.sequitur.protocol.coordinator.CoordinatorEffect;
import dev.sequitur.protocol.coordinator.CoordinatorInput;
import dev.sequitur.protocol.coordinator.CoordinatorState;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.submitter.SubmitterInput;
import dev.sequitur.protocol.submitter.SubmitterState;
import java.util.ArrayList;
import java.util.List;

/** What CoordinatorActor does around a Coordinator. */
final class CoordinatorShell
    extends Shell<CoordinatorInput, CoordinatorState, Void, CoordinatorEffect> {
  private final Coordinator coordinator;

  CoordinatorShell(RunningNode node, Coordinator coordinator) {
    super(node, "coordinator", coordinator.machine(node.now(), node.height()), new ArrayList<>());
    this.coordinator = coordinator;
  }

  @Override
  ContractAddress contract() {
    return coordinator.setup().group().contract();
  }

  @Override
  void perform(List<CoordinatorEffect> effects, Runnable whenDurable) {
    effects.forEach(this::perform);
    whenDurable.run();
  }

  private void perform(CoordinatorEffect effect) {
    var entities = node.entities(contract());
    switch (effect) {
      case CoordinatorEffect.HandToSubmitter(var dispatches) -> {
        var received = new SubmitterInput.DispatchReceived(dispatches);
        node.tell(() -> entities.submitter().tell(received));
      }
      case CoordinatorEffect.LoadUnconfirmedDispatches ignored ->
          node.tell(RunningNode.WORK, () -> loadFrom(entities.submitter()));
      case CoordinatorEffect.Count(var what) -> node.count("coordinator " + what);
    }
  }

  private void loadFrom(SubmitterShell submitter) {
    var live = submitter.state().live().values();
    var dispatches =
        live.stream()
            .map(SubmitterState.Live::dispatch)
            .toList();
    tell(new CoordinatorInput.UnconfirmedDispatches(dispatches));
  }
}
