package dev.sequitur.protocol.coordinator;

import dev.sequitur.protocol.coordinator.CoordinatorEffect.Counted;
import dev.sequitur.protocol.coordinator.CoordinatorTables.ContractEvent;
import dev.sequitur.protocol.coordinator.CoordinatorTables.ContractMode;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.trie.HashTrie;
import java.util.ArrayList;

/** When a node stops coordinating a contract (SWO-1). */
final class Ranges {
  private Ranges() {}

  static void onHeight(CoordinatorStep step, BlockHeight height) {
    var selection = step.setup.selection();
    var before = selection.range(step.state().height());
    step.become(step.state().withHeight(height));
    int retention = step.setup.settings().limits().lockRetentionBlocks();
    if (height.value() > retention) {
      var upTo = new BlockHeight(height.value() - retention);
      step.become(step.state().withGraph(step.state().graph().forgetSettled(upTo)));
    }
    var now = selection.range(height);
    boolean rangeEnded = !now.equals(before);
    if (rangeEnded) {
      step.become(step.state().withPassedOver(HashTrie.emptySet()));
    }
    boolean goesOn =
        step.ranking().preferred().equals(step.setup.self())
            && selection.haveOneQuorum(before, now);
    if (rangeEnded && !goesOn) {
      step.move(ContractEvent.RANGE_LEFT);
    }
    endIfNothingLeft(step);
  }

  /** Ceases to coordinate when a more preferred member shows that it lives. */
  static void leaveIfBetterAlive(CoordinatorStep step) {
    if (step.betterAlive().isPresent()) {
      step.move(ContractEvent.RANGE_LEFT);
      endIfNothingLeft(step);
    }
  }

  /** Abandons what no sender was asked about; finishes the rest (SWO-1). */
  static void abandon(CoordinatorStep step) {
    step.count(Counted.RANGE_LEFT);
    Assembling.cancel(step);
    step.become(step.state().withWaiting(step.state().waiting().cleared()));
    for (var transaction : new ArrayList<>(step.state().transactions().values())) {
      step.move(transaction.key(), CoordinatedEvent.RANGE_LEFT);
    }
  }

  /**
   * Whether what has to be assembled anew is, here. What senders were asked about before a range
   * ended is finished and no more, also if this node coordinates again meanwhile for want of a
   * better one.
   */
  static boolean mayGoOn(CoordinatorStep step, CoordinatedTransaction transaction) {
    var selection = step.setup.selection();
    return step.state().mode() != ContractMode.DRAINING
        && (step.ranking().preferred().equals(step.setup.self())
            || selection
                .range(transaction.delegatedAt())
                .equals(selection.range(step.state().height())));
  }

  /** Only locks are left, or not even those. */
  static void endIfNothingLeft(CoordinatorStep step) {
    var state = step.state();
    if (state.mode() != ContractMode.INACTIVE
        && state.mode() != ContractMode.LOADING
        && state.transactions().isEmpty()
        && state.graph().nodes().isEmpty()) {
      // What was confirmed by another's dispatch may stand in the line still.
      step.become(
          step.state()
              .withPassedOver(HashTrie.emptySet())
              .withWaiting(step.state().waiting().cleared()));
      step.move(ContractEvent.NOTHING_LEFT);
    }
  }
}
