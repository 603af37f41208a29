package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.id.BlockRange;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.sender.SenderEffect.Counted;
import dev.sequitur.protocol.sender.SenderState.SubmitterSeen;
import java.util.Map;

/**
 * While a submitter still holds transactions of an earlier range, nothing of the contract goes to
 * the new range's coordinator, for a bounded time (A11).
 */
final class HoldOff {
  private HoldOff() {}

  static boolean holds(SenderStep step) {
    boolean held =
        step.state().submitters().entrySet().stream().anyMatch(entry -> holds(step, entry));
    var choice = step.state().choice();
    if (!held) {
      if (choice.heldOffSince().isPresent()) {
        step.become(step.state().with(choice.notHeldOff()));
      }
      return false;
    }
    if (choice.heldOffSince().isEmpty()) {
      step.count(Counted.HOLD_OFF);
      step.become(step.state().with(choice.heldOff(step.now())));
      return true;
    }
    var max = step.setup.settings().heartbeats().maxHoldOff();
    return choice.heldOffSince().get().plus(max).isAfter(step.now());
  }

  private static boolean holds(SenderStep step, Map.Entry<NodeName, SubmitterSeen> entry) {
    var preferred = step.ranking().preferred();
    if (entry.getKey().equals(preferred)) {
      // The coordinator is the same node: it knows what it has dispatched.
      return false;
    }
    var threshold = step.setup.settings().heartbeats().coordinatorFailureThreshold();
    if (!entry.getValue().at().plus(threshold).isAfter(step.now())) {
      return false;
    }
    BlockRange range = step.setup.selection().range(step.state().height());
    if (entry.getValue().oldest().filter(oldest -> oldest.isBefore(range)).isEmpty()) {
      return false;
    }
    return entry.getValue().pending().stream()
        .anyMatch(
            pending ->
                pending.range().isBefore(range)
                    && !step.state().ended().contains(pending.transaction()));
  }
}
