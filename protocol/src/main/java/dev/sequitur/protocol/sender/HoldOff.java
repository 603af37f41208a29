package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.id.BlockRange;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.sender.SenderEffect.Counted;
import dev.sequitur.protocol.sender.SenderState.SubmitterSeen;
import java.time.Instant;
import java.util.Optional;

/**
 * While a submitter still holds transactions of an earlier range, nothing of the contract goes to
 * the new range's coordinator, for a bounded time (SWO-2).
 */
final class HoldOff {
  private HoldOff() {}

  /**
   * Whoever is told that nothing holds chooses a coordinator, and with it this hold-off ends.
   *
   * @param chosen to whom it would be delegated now
   */
  static boolean holds(SenderStep step, NodeName chosen) {
    var choice = step.state().choice();
    boolean switched = choice.coordinator().equals(Optional.of(chosen));
    boolean held =
        !switched
            && step.state().submitters().entrySet().stream()
                .anyMatch(entry -> holds(step, chosen, entry.getKey(), entry.getValue()));
    if (!held) {
      return false;
    }
    if (choice.heldOffSince().isEmpty()) {
      step.count(Counted.HOLD_OFF);
      step.become(step.state().withChoice(choice.heldOff(step.now())));
      return true;
    }
    var max = step.setup.settings().heartbeats().maxHoldOff();
    return choice.heldOffSince().get().plus(max).isAfter(step.now());
  }

  private static boolean holds(
      SenderStep step, NodeName chosen, NodeName submitter, SubmitterSeen seen) {
    var heartbeats = step.setup.settings().heartbeats();
    // If the coordinator is the submitter's node, it knows what it has dispatched.
    if (submitter.equals(chosen)) {
      return false;
    }
    if (isUnread(step, seen)) {
      return true;
    }
    boolean recent = seen.at().plus(heartbeats.coordinatorFailureThreshold()).isAfter(step.now());
    return recent && (isSettling(step) || isBusy(step, seen));
  }

  /**
   * It has read further than this node: upon what this node knows, it would be assembled upon what
   * is spent by now (SWO-3). That it is silent since then is no answer to that.
   */
  private static boolean isUnread(SenderStep step, SubmitterSeen seen) {
    return seen.settledIn().filter(in -> in.compareTo(step.state().height()) > 0).isPresent();
  }

  /**
   * What was granted before the range ended may still be on its way to the submitter (SWO-4): for
   * one interval no heartbeat tells that nothing is left, not even an empty one.
   */
  private static boolean isSettling(SenderStep step) {
    return settled(step).isAfter(step.now());
  }

  private static Instant settled(SenderStep step) {
    var interval = step.setup.settings().heartbeats().submitterInterval();
    return step.state().choice().rangeSince().plus(interval);
  }

  private static boolean isBusy(SenderStep step, SubmitterSeen seen) {
    BlockRange range = step.setup.selection().range(step.state().height());
    if (seen.oldest().filter(oldest -> oldest.isBefore(range)).isEmpty()) {
      return false;
    }
    return seen.at().isBefore(settled(step))
        || seen.pending().stream()
            .anyMatch(
                pending ->
                    pending.range().isBefore(range)
                        && !step.state().ended().contains(pending.transaction()));
  }
}
