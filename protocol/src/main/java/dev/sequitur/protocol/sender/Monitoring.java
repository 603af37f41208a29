package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification;
import dev.sequitur.protocol.message.Refusals;
import dev.sequitur.protocol.message.StartupNotification;
import dev.sequitur.protocol.message.StartupNotificationAcknowledgement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Watches over what is delegated (AVL-1). */
final class Monitoring {
  private Monitoring() {}

  static void onHeartbeat(SenderStep step, Received<CoordinatorHeartbeatNotification> received) {
    var heartbeat = received.message();
    var from = received.from();
    step.become(
        step.state()
            .withAvailability(
                step.state()
                    .availability()
                    .heard(from, step.now(), Optional.of(heartbeat.heartbeatId()))));
    var named = new HashSet<>(heartbeat.transactions());
    var waiting = waiting(received);
    for (var transaction : step.state().transactions().values()) {
      if (transaction.progress().delegate().filter(from::equals).isPresent()) {
        compare(step, transaction, received, named, waiting);
      }
    }
    heartbeat.refused().forEach(refused -> count(step, received, refused));
    Relinquishing.onHeartbeat(step, received);
    reevaluateIfPreferred(step, received.from());
    Delegating.delegatePending(step);
  }

  /** For what each waits. */
  private static Map<TransactionId, Awaited> waiting(
      Received<CoordinatorHeartbeatNotification> received) {
    var awaited = new HashMap<TransactionId, Awaited>();
    for (var each : received.message().waiting()) {
      var first = Awaited.told(received.from(), each);
      var transactions = each.transactions();
      for (int place = 0; place < transactions.size(); place++) {
        awaited.put(transactions.get(place), first.behind(place));
      }
    }
    return awaited;
  }

  /** A coordinator that does not name what it accepted has forgotten it (HBT-2). */
  private static void compare(
      SenderStep step,
      SenderTransaction transaction,
      Received<CoordinatorHeartbeatNotification> received,
      Set<TransactionId> named,
      Map<TransactionId, Awaited> waiting) {
    if (named.contains(transaction.id())) {
      var what = Optional.ofNullable(waiting.get(transaction.id()));
      var progress = transaction.progress();
      // Thousands may wait for nothing that is told, twice a second.
      var told =
          progress.waiting().isEmpty() && what.isEmpty()
              ? transaction
              : transaction.withProgress(progress.waits(what));
      step.put(told.named(step.now()));
      return;
    }
    boolean expected =
        switch (transaction.state()) {
          case DELEGATED, ASSEMBLING -> true;
          case PENDING, PARKED, DELEGATING -> false;
          case PREPARED, DISPATCHED, CONFIRMED, REVERTED -> false;
        };
    boolean later =
        transaction
            .progress()
            .acceptedAt()
            .filter(received.message().heartbeatId()::tellsOf)
            .isPresent();
    if (expected && later) {
      step.count(SenderEffect.Counted.COORDINATOR_FORGOT);
      step.move(
          transaction.id(),
          TransactionEvent.COORDINATOR_LOST,
          received.from() + " has forgotten it");
    }
  }

  /** Each coordinator that is told so counts on, and its ranges may be short (EDR-5). */
  private static void count(
      SenderStep step, Received<CoordinatorHeartbeatNotification> received, Refusals refused) {
    var transaction = step.get(refused.transaction());
    if (transaction == null) {
      return;
    }
    boolean coordinated =
        switch (transaction.state()) {
          case DELEGATED, ASSEMBLING -> true;
          case PENDING, PARKED, DELEGATING -> false;
          case PREPARED, DISPATCHED, CONFIRMED, REVERTED -> false;
        };
    var progress = transaction.progress();
    boolean ofThis =
        progress.delegate().equals(Optional.of(received.from()))
            && progress.acceptedAt().filter(received.message().heartbeatId()::tellsOf).isPresent();
    if (coordinated && ofThis && refused.times() > progress.refusals()) {
      step.put(transaction.withProgress(progress.withRefusals(refused.times())));
    }
  }

  static void onStartup(SenderStep step, Received<StartupNotification> received) {
    step.reply(
        received.from(),
        received.id(),
        new StartupNotificationAcknowledgement(
            received.message().startupId(), received.message().contract()));
    step.become(
        step.state()
            .withAvailability(
                step.state().availability().heard(received.from(), step.now(), Optional.empty())));
    LeftToCaller.forgottenBy(step, received.from());
    reevaluateIfPreferred(step, received.from());
    Delegating.delegatePending(step);
  }

  /**
   * Re-evaluate active delegations: a more preferred member than the present choice lives (HBT-5).
   */
  private static void reevaluateIfPreferred(SenderStep step, NodeName revived) {
    var present = step.state().choice().coordinator();
    boolean better =
        present.isPresent()
            && !present.get().equals(revived)
            && step.ranking().prefers(revived, present.get())
            && step.state().availability().presumedAvailable(revived);
    if (better && !HoldOff.holds(step, revived)) {
      Delegating.redelegateIfMismatched(step, revived);
    }
  }

  /** A new range may mean another coordinator. */
  static void onHeight(SenderStep step, BlockHeight height) {
    var selection = step.setup.selection();
    var before = selection.range(step.state().height());
    step.become(step.state().withHeight(height));
    var now = selection.range(height);
    boolean rangeChanged = !now.equals(before);
    boolean committeeChanged = !selection.haveOneQuorum(before, now);
    if (rangeChanged) {
      step.become(step.state().withChoice(step.state().choice().inRangeSince(step.now())));
    }
    var present = step.state().choice().coordinator();
    if (rangeChanged && !present.equals(Optional.of(step.ranking().preferred()))) {
      // One node's word holds for asking that node, not for asking another.
      step.become(step.state().withChoice(step.state().choice().accepted()));
      endRange(step, present);
    }
    if (committeeChanged) {
      // Whoever coordinates, it ends there too: its plan names parties of before.
      Delegating.rescindAll(step, "another committee");
    }
    if (rangeChanged
        && present.isPresent()
        && !selection.ranking(before).preferred().equals(present.get())) {
      // Chosen before the range that ended: it says nothing of who dispatched in that range.
      step.become(step.state().withChoice(step.state().choice().forgotten()));
    }
    if (rangeChanged && !step.state().hasDelegable(step.now())) {
      // It holds nothing back: what comes is held back by this switchover, and not for the rest of
      // another.
      step.become(step.state().withChoice(step.state().choice().notHeldOff()));
    }
  }

  /** Nobody may be chosen, and still be asked what was asked in the range before. */
  private static void endRange(SenderStep step, Optional<NodeName> present) {
    if (present.isPresent()) {
      Delegating.rescindAll(step, "end of range");
    } else {
      Delegating.rescindBut(step, step.ranking().preferred(), "end of range");
    }
  }

  /**
   * Silence of the coordinator is answered by delegating to it again (AVL-1, HBT-2): only that
   * tells.
   */
  static void onTick(SenderStep step) {
    // Thousands may wait, ten times a second.
    var heardAfter =
        step.now().minus(step.setup.settings().heartbeats().coordinatorFailureThreshold());
    for (var transaction : step.state().transactions().values()) {
      boolean expected =
          switch (transaction.state()) {
            case DELEGATED, ASSEMBLING -> true;
            case PENDING, PARKED, DELEGATING -> false;
            case PREPARED, DISPATCHED, CONFIRMED, REVERTED -> false;
          };
      if (expected && !transaction.lastSign().isAfter(heardAfter)) {
        step.count(SenderEffect.Counted.COORDINATOR_SILENT);
        step.move(
            transaction.id(),
            TransactionEvent.COORDINATOR_LOST,
            transaction.progress().delegate().map(Object::toString).orElse("it") + " is silent");
      }
    }
    for (var transaction : step.state().transactions().values()) {
      if (transaction.state() == TransactionState.PARKED
          && !transaction.notBefore().isAfter(step.now())) {
        step.move(transaction.id(), TransactionEvent.RESUME, "resumed");
      }
    }
  }
}
