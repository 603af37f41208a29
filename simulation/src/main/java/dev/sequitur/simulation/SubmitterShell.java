package dev.sequitur.simulation;

import dev.sequitur.protocol.coordinator.CoordinatorInput;
import dev.sequitur.protocol.distribution.StateStore;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.ledger.LedgerAddress;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.submitter.Submitter;
import dev.sequitur.protocol.submitter.SubmitterEffect;
import dev.sequitur.protocol.submitter.SubmitterEvent;
import dev.sequitur.protocol.submitter.SubmitterInput;
import dev.sequitur.protocol.submitter.SubmitterState;
import java.util.HashMap;
import java.util.List;

/** What SubmitterActor does around a Submitter; one signing key for each contract. */
final class SubmitterShell
    extends Shell<SubmitterInput, SubmitterState, SubmitterEvent, SubmitterEffect> {
  private final ContractAddress contract;

  SubmitterShell(
      RunningNode node,
      Submitter submitter,
      ContractAddress contract,
      List<SubmitterEvent> journal) {
    super(node, "submitter", submitter.machine(), journal);
    this.contract = contract;
  }

  String key() {
    return "submitter/" + contract;
  }

  LedgerAddress address() {
    return SimulatedKeys.SIGNATURES.address(node.keys().verifier(key()));
  }

  @Override
  ContractAddress contract() {
    return contract;
  }

  @Override
  void perform(SubmitterEffect effect) {
    switch (effect) {
      case SubmitterEffect.Submit(var items) -> node.later(RunningNode.WORK, () -> submit(items));
      case SubmitterEffect.TellCommitted(var byContract) ->
          byContract.forEach(
              (of, ids) -> tellCoordinator(of, new CoordinatorInput.DispatchesCommitted(ids)));
      case SubmitterEffect.TellSettled(var height, var byContract) ->
          byContract.forEach(
              (of, ids) ->
                  tellCoordinator(of, new CoordinatorInput.DispatchesSettled(ids, height)));
      case SubmitterEffect.TellReverted(var of, var transaction) ->
          tellCoordinator(of, new CoordinatorInput.DispatchReverted(transaction));
      case SubmitterEffect.Distribute(var dispatches) -> {
        var input = new StateStore.Input.Distribute(dispatches);
        node.tell(() -> distribute(input));
      }
      case SubmitterEffect.QueryNonce ignored -> node.later(RunningNode.WORK, this::queryNonce);
      case SubmitterEffect.Count(var what) -> node.count("submitter " + what);
    }
  }

  private void tellCoordinator(ContractAddress of, CoordinatorInput input) {
    node.tell(() -> node.entities(of).coordinator().tell(input));
  }

  /** The state store answers when what it was given is stored. */
  private void distribute(StateStore.Input.Distribute input) {
    var ids = input.dispatches().stream().map(each -> each.prepared().intent()).toList();
    var stored = new SubmitterInput.OutputsStored(ids);
    node.entities(contract).states().tell(input, () -> node.tell(() -> tell(stored)));
  }

  private void queryNonce() {
    if (node.reachesLedger()) {
      long next = node.ledger().nonce(address());
      node.later(RunningNode.WORK, () -> tell(new SubmitterInput.NonceKnown(next)));
    }
  }

  private void submit(List<SubmitterEffect.Item> items) {
    if (!node.reachesLedger()) {
      var nonces = items.stream().map(SubmitterEffect.Item::nonce).toList();
      tell(new SubmitterInput.SubmitFailed(nonces));
      return;
    }
    var outcomes = new HashMap<Long, SubmitOutcome>();
    for (var item : items) {
      var transaction =
          new LedgerTransaction(address(), item.nonce(), item.gasPrice(), item.call());
      node.simulation().conduct().onSubmitting(node.name(), item.call());
      outcomes.put(item.nonce(), node.ledger().submit(node.sign(key(), transaction)));
    }
    node.reach(new Moment.Submitted(node.name(), List.copyOf(outcomes.keySet())));
    node.later(RunningNode.WORK, () -> tell(new SubmitterInput.SubmitAnswered(outcomes)));
  }
}
