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
  private final long pendingAtStart;
  private boolean hasPacked;

  SubmitterShell(
      NodeLife node, Submitter submitter, ContractAddress contract, List<SubmitterEvent> journal) {
    super(node, "submitter", submitter.machine(), journal);
    this.contract = contract;
    this.errands = new SubmitterErrands(node.surroundings(), "submitter/" + contract, this);
    this.pendingAtStart = node.ledger().pendingNonce(address());
  }

  LedgerAddress address() {
    return errands.address();
  }

  @Override
  ContractAddress contract() {
    return contract;
  }

  /**
   * What the ledger has under a nonce may be of a life that the records know nothing of (RCV-8).
   * What its pool has behind a gap nobody can tell, and what the records have on its way may fill
   * that gap: whichever a block takes decides (SUB-3).
   */
  @Override
  void committed(List<SubmitterEvent> events) {
    super.committed(events);
    for (var event : events) {
      if (!hasPacked && event instanceof SubmitterEvent.Packed(var loads, var ignored)) {
        hasPacked = true;
        long pending = Math.min(pendingAtStart, node.ledger().pendingNonce(address()));
        Invariants.require(
            loads.getFirst().nonce() >= pending,
            node.name() + " gives again a nonce that the ledger has: " + loads.getFirst());
      }
    }
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
