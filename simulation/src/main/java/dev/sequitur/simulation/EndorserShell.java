package dev.sequitur.simulation;

import dev.sequitur.protocol.coordinator.CoordinatorInput;
import dev.sequitur.protocol.endorser.Endorser;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.machine.Decision;
import java.util.ArrayList;
import java.util.List;

/** What EndorserActor does around an Endorser. */
final class EndorserShell extends Shell<Endorser.Input, Endorser.State, Void, Endorser.Effect> {
  private final ContractAddress contract;

  EndorserShell(NodeLife node, Endorser endorser) {
    super(node, "endorser", endorser.machine(node.height()), new ArrayList<>());
    this.contract = endorser.setup().group().contract();
  }

  @Override
  ContractAddress contract() {
    return contract;
  }

  @Override
  void decided(Endorser.State before, Decision<Endorser.State, Void, Endorser.Effect> decision) {
    node.simulation().coordinating().onDecided(node, contract, before, decision.messages());
  }

  /** Whether anything may be done upon what this node holds of the group (DST-10). */
  void askStore() {
    node.entities(contract)
        .states()
        .ask(mine -> tell(new Endorser.Input.StoreTold(mine.stopped())));
  }

  @Override
  void perform(List<Endorser.Effect> effects, Runnable whenDurable) {
    effects.forEach(this::perform);
    whenDurable.run();
  }

  private void perform(Endorser.Effect effect) {
    switch (effect) {
      case Endorser.Effect.TellActivity ignored ->
          node.entities(contract).coordinator().tell(new CoordinatorInput.ActivitySeen());
      case Endorser.Effect.LookUp(var received, var states) ->
          node.entities(contract)
              .states()
              .ask(
                  mine ->
                      tell(
                          new Endorser.Input.LookedUp(
                              received, mine.standing(states).confirmed())));
      case Endorser.Effect.Sign sign ->
          throw new IllegalStateException("Every simulated node has its keys: " + sign);
    }
  }
}
