package dev.sequitur.protocol.coordinator;

import dev.sequitur.protocol.attestation.SharedPaths;
import dev.sequitur.protocol.group.Quorum;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.message.DelegationCommand;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.SubmitMode;
import java.util.List;

/**
 * What another coordinator has prepared for callers is locked here too, as its senders tell
 * (EXT-3). It counts only with the endorsements that the base ledger would ask for, now or when it
 * was prepared: so nobody can lock what is not endorsed.
 */
final class LeftToCallers {
  private LeftToCallers() {}

  /**
   * @return whether its sender need not tell it again
   */
  static boolean accept(
      CoordinatorStep step,
      DelegationCommand command,
      PrivateTransaction transaction,
      DelegationCommand.Left left) {
    var prepared = left.prepared();
    if (transaction.submitMode() != SubmitMode.EXTERNAL
        || !prepared.intent().equals(transaction.key())
        || !isEndorsed(step, prepared)) {
      return false;
    }
    var known = step.get(transaction.key());
    if (known == null && step.state().graph().node(transaction.key()).isEmpty()) {
      lock(step, command, transaction, left);
    }
    // What is queued here was delegated before: it ends when its sender denies to assemble it.
    return known == null || known.state() == CoordinatedState.DISTRIBUTED;
  }

  private static boolean isEndorsed(CoordinatorStep step, PreparedTransaction prepared) {
    var group = step.group();
    // It is on its way, and so of the committee that it was prepared under.
    var quorums = group.committees().all();
    if (!prepared.contract().equals(group.contract())
        || prepared.proof().signatures().size() > most(quorums)) {
      return false;
    }
    var endorsers =
        prepared.endorsers(
            group.chainId(),
            new SharedPaths(),
            (digest, endorsement) ->
                step.setup
                    .signatures()
                    .verify(endorsement.verifier(), digest, endorsement.value()));
    return quorums.stream().anyMatch(quorum -> quorum.isMetBy(endorsers));
  }

  /** More signatures than a committee has members are not looked at. */
  private static int most(List<Quorum> quorums) {
    return quorums.stream().mapToInt(it -> it.committee().members().size()).max().orElseThrow();
  }

  /**
   * What needs a state that a block has taken can be carried out no more, and its sender has ended
   * it by the same block: its other states are not kept from others until its time is over.
   */
  static void onTaken(CoordinatorStep step, List<StateId> spent, List<StateId> created) {
    for (var id : step.state().graph().needing(spent, created)) {
      var transaction = step.get(id);
      if (transaction != null && transaction.state() == CoordinatedState.DISTRIBUTED) {
        step.move(id, CoordinatedEvent.REVERTED);
      }
    }
  }

  private static void lock(
      CoordinatorStep step,
      DelegationCommand command,
      PrivateTransaction transaction,
      DelegationCommand.Left left) {
    var everybody = step.group().committee().identities();
    var assembly = Coordinator.ofLeft(left.prepared(), everybody);
    if (!makeRoom(step, assembly)) {
      // Whichever of the two the base ledger takes ends the other.
      return;
    }
    var since = left.since().isNegative() ? step.now() : step.now().minus(left.since());
    var queued =
        CoordinatedTransaction.queued(
            transaction, command.delegationId(), command.blockHeight(), step.now());
    step.put(queued.in(CoordinatedState.DISTRIBUTED, since).fullyEndorsed(left.prepared().proof()));
    step.become(
        step.state().withGraph(step.state().graph().add(transaction.key(), assembly, false)));
  }

  /**
   * What was assembled here before that was known, and is not dispatched, is assembled anew: it
   * would only make what a caller has had for longer fail.
   */
  private static boolean makeRoom(CoordinatorStep step, PostAssembly assembly) {
    for (var next = conflict(step, assembly); next != null; next = conflict(step, assembly)) {
      var other = step.get(next);
      boolean mayLeave =
          other != null
              && !other.granted()
              && (other.state() == CoordinatedState.ATTESTATION
                  || other.state() == CoordinatedState.CONFIRMATION);
      if (!mayLeave) {
        return false;
      }
      Leaving.withDependants(step, other);
      step.move(next, CoordinatedEvent.DEPENDENCY_LEFT);
    }
    return true;
  }

  private static IntentKey conflict(CoordinatorStep step, PostAssembly assembly) {
    return step.state().graph().conflict(assembly).orElse(null);
  }
}
