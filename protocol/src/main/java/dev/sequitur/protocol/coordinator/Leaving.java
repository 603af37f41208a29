package dev.sequitur.protocol.coordinator;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.message.Dispatch;
import java.util.List;
import java.util.Set;
import org.pcollections.HashTreePSet;

/** How transactions leave the graph, and what becomes of those that depend on them. */
final class Leaving {
  private Leaving() {}

  /** What depends on {@code id} leaves the graph and is assembled anew, where that can help. */
  static void dependantsOf(CoordinatorStep step, IntentKey id) {
    var leaving = step.state().graph().withDependants(id);
    for (var dependant : leaving.subList(Math.min(1, leaving.size()), leaving.size())) {
      var transaction = step.get(dependant);
      // Of what is dispatched too: nobody may build upon outputs that will never be.
      step.takeOut(dependant);
      if (transaction == null) {
        continue;
      }
      if (transaction.granted() && step.state().mode() == ContractMode.DRAINING) {
        // Its sender waits for a submitter's heartbeat, and may as well delegate anew at once.
        Endorsing.tellSender(step, transaction, "What it depends on was not dispatched.");
      }
      step.move(dependant, CoordinatedEvent.DEPENDENCY_LEFT);
      if (step.get(dependant) == null || transaction.state() == CoordinatedState.DISPATCHED) {
        continue;
      }
      if (step.state().mode() == ContractMode.DRAINING) {
        forget(step, dependant);
      } else {
        Assembling.requeue(step, dependant);
      }
    }
  }

  /** Takes a transaction out with all requests about it. */
  static void forget(CoordinatorStep step, IntentKey id) {
    var transaction = step.get(id);
    if (transaction != null) {
      transaction.requests().values().forEach(step::end);
      transaction.confirmation().ifPresent(step::end);
      step.put(transaction.in(CoordinatedState.GONE, step.now()));
    }
  }

  /** Confirmed on the ledger, whoever dispatched them. */
  static void onConfirmed(CoordinatorStep step, List<IntentKey> confirmed, BlockHeight height) {
    for (var id : confirmed) {
      var transaction = step.get(id);
      if (transaction != null) {
        boolean inGraph = step.state().graph().node(id).isPresent();
        transaction.requests().values().forEach(step::end);
        transaction.confirmation().ifPresent(step::end);
        step.move(id, CoordinatedEvent.CONFIRMED);
        if (inGraph && !wasDispatched(transaction)) {
          // Another dispatch of the same intent was fulfilled: this assembly never will be.
          dependantsOf(step, id);
          step.takeOut(id);
        }
      }
      step.settle(id, height);
    }
  }

  private static boolean wasDispatched(CoordinatedTransaction transaction) {
    return transaction.state() == CoordinatedState.DISPATCHED
        || transaction.state() == CoordinatedState.DISTRIBUTED;
  }

  /**
   * This node's own dispatches whose end the submitter knows. Those that were loaded, or delegated
   * again meanwhile, may have been confirmed by a block that this coordinator saw before it knew of
   * them.
   */
  static void onSettled(CoordinatorStep step, List<IntentKey> settled, BlockHeight height) {
    Dispatching.taken(step, Set.copyOf(settled));
    onConfirmed(step, settled, height);
    Ranges.endIfNothingLeft(step);
  }

  /** The submitter gave up on a dispatch, or the base ledger refused it. */
  static void onReverted(CoordinatorStep step, IntentKey id) {
    var transaction = step.get(id);
    if (transaction == null || wasDispatched(transaction)) {
      Dispatching.taken(step, Set.of(id));
      dependantsOf(step, id);
      step.takeOut(id);
      step.move(id, CoordinatedEvent.REVERTED);
      Assembling.next(step);
      Ranges.endIfNothingLeft(step);
    }
  }

  /**
   * What was delegated again though this node had dispatched it, and what the submitter does not
   * hold any more (RCV-4): it has ended, and the submitter told so in vain. Its sender delegates it anew.
   *
   * @param held what the submitter holds
   */
  static void judgeDoubted(CoordinatorStep step, List<Dispatch> held) {
    var ended = step.state().doubted();
    for (var dispatch : held) {
      ended = ended.minus(dispatch.prepared().intent());
    }
    step.become(step.state().withDoubted(HashTreePSet.empty()));
    ended.forEach(id -> onReverted(step, id));
  }
}
