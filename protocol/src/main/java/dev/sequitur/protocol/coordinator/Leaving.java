package dev.sequitur.protocol.coordinator;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.trie.HashTrie;
import java.util.List;
import java.util.Set;

/** How transactions leave the graph, and what becomes of those that depend on them. */
final class Leaving {
  private Leaving() {}

  /**
   * What depends on {@code id} leaves the graph and is assembled anew, where that can help. What is
   * dispatched stays as a lock until the submitter tells its end: the ledger may have made what it
   * spends by another transaction, or by another dispatch of the same one (ASM-6).
   */
  private static void dependantsOf(CoordinatorStep step, IntentKey id) {
    var leaving = step.state().graph().withDependants(id);
    for (var dependant : leaving.subList(Math.min(1, leaving.size()), leaving.size())) {
      var transaction = step.get(dependant);
      if (transaction == null || transaction.state() == CoordinatedState.DISPATCHED) {
        step.withhold(dependant);
      } else {
        step.takeOut(dependant);
      }
      if (transaction == null) {
        continue;
      }
      if (transaction.granted() && !Ranges.mayGoOn(step, transaction)) {
        // Its sender waits for a submitter's heartbeat, and may as well delegate anew at once.
        Endorsing.tellSender(step, transaction, "What it depends on was not dispatched.");
      }
      step.move(dependant, CoordinatedEvent.DEPENDENCY_LEFT);
    }
  }

  /** What depended on another that has left is queued again, if it is assembled here. */
  static void assembleAnew(CoordinatorStep step, CoordinatedTransaction dependant) {
    if (Ranges.mayGoOn(step, dependant)) {
      Assembling.requeue(step, dependant);
    } else {
      step.move(dependant.key(), CoordinatedEvent.RANGE_LEFT);
    }
  }

  /** It leaves the graph, and nobody is asked about it any more. */
  static void abandon(CoordinatorStep step, CoordinatedTransaction abandoned) {
    step.endRequests(abandoned);
    step.takeOut(abandoned.key());
  }

  /** It leaves the graph, after what depends on it. */
  static void withDependants(CoordinatorStep step, CoordinatedTransaction leaving) {
    withDependants(step, leaving.key());
  }

  private static void withDependants(CoordinatorStep step, IntentKey leaving) {
    dependantsOf(step, leaving);
    step.takeOut(leaving);
  }

  /** The same, and nobody is asked about it any more. */
  static void abandonWithDependants(CoordinatorStep step, CoordinatedTransaction abandoned) {
    withDependants(step, abandoned);
    step.endRequests(abandoned);
  }

  /** Confirmed on the ledger, whoever dispatched them. */
  static void onConfirmed(CoordinatorStep step, List<IntentKey> confirmed, BlockHeight height) {
    for (var id : confirmed) {
      step.move(id, CoordinatedEvent.CONFIRMED);
      step.settle(id, height);
    }
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
    boolean unknown = step.get(id) == null;
    if (unknown) {
      withDependants(step, id);
    }
    if (unknown || step.move(id, CoordinatedEvent.REVERTED)) {
      Dispatching.taken(step, Set.of(id));
      Assembling.next(step);
      Ranges.endIfNothingLeft(step);
    }
  }

  /**
   * Asks the submitter about the dispatches that are known from it alone. Nobody delegates them
   * again, and their end may have been told in vain, or be that of another dispatch of the same
   * intent, which was confirmed before this one was known here.
   */
  static void doubtLoaded(CoordinatorStep step) {
    var doubted = step.state().doubted();
    for (var node : step.state().graph().nodes().values()) {
      if (node.settledAt().isEmpty() && step.get(node.transaction()) == null) {
        doubted = doubted.plus(node.transaction());
      }
    }
    if (!doubted.isEmpty()) {
      step.become(step.state().withDoubted(doubted));
      step.effect(new CoordinatorEffect.LoadUnconfirmedDispatches());
    }
  }

  /**
   * Doubts, now and then, what the submitter has held for long. A dispatch that the base ledger
   * refused since another had fulfilled its intent ends by one word of the submitter. When that is
   * lost, nobody else says so: its sender has its receipt, and delegates it no more.
   */
  static void doubtOld(CoordinatorStep step) {
    var longAgo = step.now().minus(step.setup.settings().heartbeats().maxHoldOff());
    if (step.state().doubts().looked().isAfter(longAgo)) {
      return;
    }
    var old = step.state().doubted();
    for (var transaction : step.state().transactions().values()) {
      if (transaction.state() == CoordinatedState.DISPATCHED
          && transaction.committed()
          && !transaction.since().isAfter(longAgo)) {
        old = old.plus(transaction.key());
      }
    }
    step.become(step.state().withDoubts(step.state().doubts().about(old).looked(step.now())));
    if (!old.isEmpty()) {
      step.loadDispatches();
    }
  }

  /**
   * What is doubted and what the submitter does not hold any more (RCV-4): it has ended, and the
   * submitter told so in vain. A sender that still waits for it delegates it anew.
   *
   * @param held what the submitter holds
   */
  static void judgeDoubted(CoordinatorStep step, List<Dispatch> held) {
    var ended = step.state().doubted();
    for (var dispatch : held) {
      ended = ended.minus(dispatch.prepared().intent());
    }
    step.become(step.state().withDoubted(HashTrie.emptySet()));
    ended.forEach(id -> onReverted(step, id));
  }
}
