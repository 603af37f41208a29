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
import dev.sequitur.protocol.submitter.SubmitterState;
import java.time.Duration;
import java.util.List;

/** The other edge of what SubmitterActor is one of; one signing key for each contract. */
final class SubmitterShell
    extends Shell<SubmitterInput, SubmitterState, SubmitterEvent, SubmitterEffect>
    implements SubmitterErrands.Edge {
  private final ContractAddress contract;
  private final SubmitterErrands errands;

  SubmitterShell(
      NodeLife node, Submitter submitter, ContractAddress contract, List<SubmitterEvent> journal) {
    super(node, "submitter", submitter.machine(), journal);
    this.contract = contract;
    this.errands = new SubmitterErrands(node.surroundings(), "submitter/" + contract, this);
  }

  LedgerAddress address() {
    return errands.address();
  }

  @Override
  ContractAddress contract() {
    return contract;
  }

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
    throw new IllegalStateException("Nobody sends public transactions with this key.");
  }

  @Override
  public void tellCoordinator(ContractAddress of, CoordinatorInput.Local told) {
    node.tell(() -> node.entities(of).coordinator().tell(told));
  }

  /** The state store answers when what it was given is stored. */
  @Override
  public void distribute(List<Dispatch> dispatches) {
    node.tell(
        () ->
            node.entities(contract)
                .states()
                .take(
                    errands ->
                        errands.distribute(dispatches, stored -> node.tell(() -> tell(stored)))));
  }
}
