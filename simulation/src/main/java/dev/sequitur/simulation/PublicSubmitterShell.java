package dev.sequitur.simulation;

import dev.sequitur.protocol.coordinator.CoordinatorInput;
import dev.sequitur.protocol.errand.SubmitterErrands;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.submitter.Submitter;
import dev.sequitur.protocol.submitter.SubmitterEffect;
import dev.sequitur.protocol.submitter.SubmitterEvent;
import dev.sequitur.protocol.submitter.SubmitterInput;
import dev.sequitur.protocol.submitter.SubmitterSetup;
import dev.sequitur.protocol.submitter.SubmitterState;
import java.time.Duration;
import java.util.List;

/** The submitter of the public transactions that a node's member sends. */
final class PublicSubmitterShell
    extends Shell<SubmitterInput, SubmitterState, SubmitterEvent, SubmitterEffect>
    implements SubmitterErrands.Edge {
  static final String NAME = "public submitter";

  private final SubmitterErrands errands;

  PublicSubmitterShell(NodeLife node, SimulationSetup setup) {
    super(node, NAME, rules(node, setup).machine(), node.disk().publicSubmitter);
    this.errands = new SubmitterErrands(node.surroundings(), Simulation.MEMBER, this);
  }

  private static Submitter rules(NodeLife node, SimulationSetup setup) {
    return new Submitter(
        new SubmitterSetup(node.name(), node::group, setup.settings(), setup.gas()));
  }

  LedgerAddress address() {
    return errands.address();
  }

  /** As the actor: looks for what was accepted as it begins. */
  void begin() {
    start();
    tell(new SubmitterInput.PublicsWaiting());
  }

  @Override
  ContractAddress contract() {
    return new ContractAddress(address().value());
  }

  @Override
  void committed(List<SubmitterEvent> events) {}

  @Override
  void perform(List<SubmitterEffect> effects, Runnable whenDurable) {
    effects.forEach(errands::run);
    whenDurable.run();
  }

  @Override
  public void answer(SubmitterInput input) {
    node.later(Duration.ZERO, () -> tell(input));
  }

  @Override
  public Identity sender() {
    return new Identity(Simulation.MEMBER, node.name());
  }

  @Override
  public void tellCoordinator(ContractAddress of, CoordinatorInput.Local told) {
    throw new IllegalStateException("No coordinator has to do with a public transaction.");
  }

  @Override
  public void distribute(List<Dispatch> dispatches) {
    if (!dispatches.isEmpty()) {
      throw new IllegalStateException("A public transaction makes no states.");
    }
  }
}
