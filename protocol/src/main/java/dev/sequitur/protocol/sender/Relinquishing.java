package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification;
import dev.sequitur.protocol.message.DispatchConfirmationResponse;
import dev.sequitur.protocol.message.DispatchConfirmationResponse.Denied;
import dev.sequitur.protocol.message.DispatchConfirmationResponse.Reason;
import dev.sequitur.protocol.sender.SenderState.LettingGo;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;

/**
 * What has ended at its sender, its coordinator is to let go: it would keep its locks for as long
 * as an endorser is silent (SND-9).
 */
final class Relinquishing {
  private Relinquishing() {}

  /**
   * Called when a transaction is about to end: its coordinator may have locked states for it. One
   * that does not hear this node any more has ended all with a range (CMT-8, SWO-1).
   */
  static void begin(SenderStep step, SenderTransaction ending) {
    var now = step.setup.selection().group();
    var coordinator =
        ending.progress().delegate().filter(it -> now.areHeard(step.setup.self(), it));
    if (coordinator.isEmpty()) {
      return;
    }
    var what = new LettingGo(ending.transaction().from(), coordinator.get(), doneAt(step));
    step.become(step.state().withLettingGo(step.state().lettingGo().plus(ending.id(), what)));
    tell(
        step,
        coordinator.get(),
        List.of(new Denied(ending.id(), newest(step), Reason.ALREADY_FINAL)));
  }

  static boolean isUnderWay(SenderStep step, TransactionId id) {
    return step.state().lettingGo().byId().containsKey(id);
  }

  static boolean isUnderWay(SenderStep step, Identity from) {
    return step.state().lettingGo().number().of(from) > 0;
  }

  /**
   * Tells a coordinator once more what has ended of all that its heartbeat names, as much as one
   * command may have.
   */
  static void onHeartbeat(SenderStep step, Received<CoordinatorHeartbeatNotification> received) {
    var from = received.from();
    var named = received.message().transactions();
    int most = step.setup.settings().limits().delegationBatch();
    var denied = named.stream().flatMap(id -> denial(step, id).stream()).limit(most).toList();
    if (!denied.isEmpty()) {
      tell(step, from, denied);
    }
    var still = new HashSet<>(named);
    var all = step.state().lettingGo();
    for (var each : step.state().lettingGo().byId().entrySet()) {
      if (each.getValue().coordinator().equals(from) && still.contains(each.getKey())) {
        var later = new LettingGo(each.getValue().from(), from, doneAt(step));
        all = all.plus(each.getKey(), later);
      }
    }
    step.become(step.state().withLettingGo(all));
    end(step, (id, what) -> what.coordinator().equals(from) && !still.contains(id));
  }

  /** A coordinator that is silent is another's matter: what is tried next may go to another one. */
  static void onTick(SenderStep step) {
    end(step, (id, what) -> !what.until().isAfter(step.now()));
  }

  /**
   * What was confirmed the coordinator learns from the ledger, with what stays locked for a while.
   */
  private static Optional<Denied> denial(SenderStep step, TransactionId id) {
    if (step.get(id) != null) {
      return Optional.empty();
    }
    return switch (step.state().ended().own(id).orElse(null)) {
      case CONFIRMED -> Optional.empty();
      case null -> Optional.of(new Denied(id, newest(step), Reason.UNKNOWN_TRANSACTION));
      case REVERTED, PENDING, PARKED, DELEGATING, DELEGATED, ASSEMBLING, PREPARED, DISPATCHED ->
          Optional.of(new Denied(id, newest(step), Reason.ALREADY_FINAL));
    };
  }

  private static void tell(SenderStep step, NodeName coordinator, List<Denied> denied) {
    step.send(
        coordinator,
        new DispatchConfirmationResponse(
            DispatchConfirmationResponse.UNASKED,
            step.setup.group().contract(),
            List.of(),
            denied));
  }

  private static void end(SenderStep step, BiPredicate<TransactionId, LettingGo> done) {
    var over = new ArrayList<LettingGo>();
    var rest = step.state().lettingGo();
    for (var each : step.state().lettingGo().byId().entrySet()) {
      if (done.test(each.getKey(), each.getValue())) {
        over.add(each.getValue());
        rest = rest.minus(each.getKey());
      }
    }
    step.become(step.state().withLettingGo(rest));
    over.stream().map(LettingGo::from).distinct().forEach(from -> OwnFirst.hasten(step, from));
  }

  private static DelegationId newest(SenderStep step) {
    return new DelegationId(step.setup.self(), step.state().epoch(), step.state().counter());
  }

  private static Instant doneAt(SenderStep step) {
    return step.now().plus(step.setup.settings().heartbeats().coordinatorFailureThreshold());
  }
}
