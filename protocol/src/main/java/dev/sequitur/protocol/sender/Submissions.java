package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.DispatchConfirmationResponse;
import dev.sequitur.protocol.message.DispatchConfirmationResponse.Denied;
import dev.sequitur.protocol.message.DispatchConfirmationResponse.Granted;
import dev.sequitur.protocol.message.DispatchConfirmationResponse.Reason;
import dev.sequitur.protocol.message.Dispatched;
import dev.sequitur.protocol.message.RequestDispatchConfirmation;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification.CannotSubmit;
import dev.sequitur.protocol.message.TransactionReverted;
import dev.sequitur.protocol.message.TransactionRevertedAcknowledgement;
import dev.sequitur.protocol.sender.SenderEffect.Counted;
import dev.sequitur.protocol.sender.SenderState.SubmitterSeen;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/** From leave to dispatch to the base ledger's answer (DSP-2). */
final class Submissions {
  private Submissions() {}

  /** Each is answered for itself; what can't be told yet is left out of the answer. */
  static void onRequest(SenderStep step, Received<RequestDispatchConfirmation> received) {
    var request = received.message();
    var granted = new ArrayList<Granted>();
    var denied = new ArrayList<Denied>();
    for (var item : request.items()) {
      var transaction = step.get(item.transaction());
      if (transaction != null && transaction.progress().delegation().isEmpty()) {
        // After a restart: deferred until it is delegated; the coordinator asks again (DSP-4).
        continue;
      }
      var reason = denial(step, received.from(), item, transaction);
      if (reason.isPresent()) {
        step.count(Counted.DISPATCH_DENIED);
        denied.add(new Denied(item.transaction(), item.delegationId(), reason.get()));
      } else {
        step.move(transaction.id(), TransactionEvent.DISPATCH_GRANTED, "dispatch granted");
        var moved = step.get(transaction.id());
        step.put(moved.withProgress(moved.progress().grantedNow()));
        granted.add(new Granted(item.transaction(), item.delegationId()));
      }
    }
    if (!granted.isEmpty() || !denied.isEmpty()) {
      step.reply(
          received.from(),
          received.id(),
          new DispatchConfirmationResponse(
              request.requestId(), request.contract(), granted, denied));
    }
  }

  /**
   * @param transaction that it is about, or null
   */
  private static Optional<Reason> denial(
      SenderStep step,
      NodeName coordinator,
      RequestDispatchConfirmation.Item item,
      SenderTransaction transaction) {
    if (transaction == null) {
      return Optional.of(
          step.state().ended().own(item.transaction()).isPresent()
              ? Reason.ALREADY_FINAL
              : Reason.UNKNOWN_TRANSACTION);
    } else if (!transaction.isDelegatedTo(coordinator, item.delegationId())
        || isPending(transaction)) {
      return Optional.of(Reason.NOT_ACTIVE_DELEGATE);
    }
    return matches(transaction, item) ? Optional.empty() : Optional.of(Reason.HASH_MISMATCH);
  }

  private static boolean isPending(SenderTransaction transaction) {
    return switch (transaction.state()) {
      case PENDING, PARKED, ASSEMBLING, CONFIRMED, REVERTED -> true;
      case DELEGATING, DELEGATED, PREPARED, DISPATCHED -> false;
    };
  }

  /**
   * Without the assembly in memory there is nothing to compare with (DSP-4), unless it was given up
   * for another one that was not made: whatever its coordinator has is older.
   */
  private static boolean matches(
      SenderTransaction transaction, RequestDispatchConfirmation.Item item) {
    return transaction
        .progress()
        .assembly()
        .map(assembly -> assembly.confirmationHash(transaction.id(), item.delegationId()))
        .map(item.assemblyHash()::equals)
        .orElse(!transaction.progress().outdated());
  }

  static void onDispatched(SenderStep step, Received<Dispatched> received) {
    // A submitter is of its coordinator's node (DSP-7).
    if (received.message().submitter().equals(received.from())) {
      for (var id : received.message().transactions()) {
        held(step, id, received.from());
      }
    }
  }

  /** A submitter holds it, whatever this node thought (HBT-3). */
  private static void held(SenderStep step, TransactionId id, NodeName submitter) {
    var transaction = step.get(id);
    if (transaction == null || transaction.isExternal()) {
      // What its caller submits, no submitter of the network holds.
      return;
    }
    if (!transaction.progress().holders().includes(submitter, step.now())) {
      step.count(Counted.STRANGE_SUBMITTER);
      return;
    }
    if (transaction.state() == TransactionState.DISPATCHED) {
      step.put(
          transaction
              .withProgress(transaction.progress().heldBy(submitter).withStuck(Optional.empty()))
              .named(step.now()));
    } else if (step.move(
        id, TransactionEvent.DISPATCHED, "held by the submitter of " + submitter)) {
      var moved = step.get(id);
      step.put(moved.withProgress(moved.progress().heldBy(submitter)));
    }
  }

  static void onHeartbeat(SenderStep step, Received<SubmitterHeartbeatNotification> received) {
    var heartbeat = received.message();
    if (heartbeat.cannotSubmit().isPresent()) {
      onStuck(step, received.from(), heartbeat, heartbeat.cannotSubmit().get());
    } else {
      step.become(
          step.state()
              .seen(
                  received.from(),
                  SubmitterSeen.of(step.now(), heartbeat.pending(), heartbeat.settledIn())));
      for (var pending : heartbeat.pending()) {
        held(step, pending.transaction(), received.from());
      }
    }
    Delegating.delegatePending(step);
  }

  /**
   * A submitter that cannot submit holds back nothing. What it names counts as named no more,
   * unless a pool has it, and is delegated anew after a while (SUB-11). The ledger takes an intent
   * once, so it does no harm if the former dispatch gets there after all.
   */
  private static void onStuck(
      SenderStep step,
      NodeName submitter,
      SubmitterHeartbeatNotification heartbeat,
      CannotSubmit stuck) {
    step.become(
        step.state()
            .seen(submitter, SubmitterSeen.of(step.now(), List.of(), heartbeat.settledIn())));
    var pooled = new HashSet<TransactionId>();
    for (var detail : heartbeat.details()) {
      if (!detail.submissions().isEmpty()) {
        pooled.add(detail.transaction());
      }
    }
    for (var pending : heartbeat.pending()) {
      var transaction = step.get(pending.transaction());
      if (pooled.contains(pending.transaction())) {
        held(step, pending.transaction(), submitter);
      } else if (transaction != null && concerns(transaction, submitter)) {
        step.put(
            transaction.withProgress(transaction.progress().withStuck(Optional.of(stuck.why()))));
      }
    }
  }

  static void onReverted(SenderStep step, Received<TransactionReverted> received) {
    var reverted = received.message();
    step.reply(
        received.from(),
        received.id(),
        new TransactionRevertedAcknowledgement(reverted.notificationId(), reverted.contract()));
    var transaction = step.get(reverted.transaction());
    if (transaction == null || !concerns(transaction, received.from())) {
      return;
    }
    if (!isDelegate(transaction, received.from())) {
      // No delegate: it has said that it holds it, which every member can. Nothing is ended.
      step.move(transaction.id(), TransactionEvent.SUBMITTER_LOST, reverted.reason());
    } else if (reverted.retryable()) {
      step.move(transaction.id(), TransactionEvent.SUBMISSION_REVERTED, reverted.reason());
    } else {
      Ending.revert(step, transaction.id(), reverted.reason());
    }
  }

  /** Word of an earlier dispatch by another node says nothing about the present one. */
  private static boolean concerns(SenderTransaction transaction, NodeName from) {
    return expectedSubmitter(transaction).equals(Optional.of(from));
  }

  private static Optional<NodeName> expectedSubmitter(SenderTransaction transaction) {
    return transaction.progress().submitter().or(() -> transaction.progress().delegate());
  }

  private static boolean isDelegate(SenderTransaction transaction, NodeName from) {
    return transaction.progress().delegate().equals(Optional.of(from));
  }

  private static String whyLost(SenderTransaction transaction) {
    var submitter =
        expectedSubmitter(transaction)
            .map(node -> "the submitter of " + node)
            .orElse("its submitter");
    return submitter
        + transaction.progress().stuck().map(why -> " cannot submit: " + why).orElse(" is silent");
  }

  /** Nobody names a dispatched transaction any more (SUB-6). */
  static void onTick(SenderStep step) {
    var heardAfter =
        step.now().minus(step.setup.settings().heartbeats().submitterFailureThreshold());
    var lost = new ArrayList<IntentKey>();
    var unable = new HashSet<NodeName>();
    for (var transaction : step.state().transactions().values()) {
      boolean expected =
          switch (transaction.state()) {
            case PREPARED, DISPATCHED -> !transaction.isExternal();
            case PENDING, PARKED, DELEGATING, DELEGATED, ASSEMBLING -> false;
            case CONFIRMED, REVERTED -> false;
          };
      if (expected && !transaction.lastSign().isAfter(heardAfter)) {
        var stuck = transaction.progress().stuck();
        step.count(Counted.SUBMITTER_LOST);
        step.move(transaction.id(), TransactionEvent.SUBMITTER_LOST, whyLost(transaction));
        if (stuck.isPresent()) {
          expectedSubmitter(transaction).ifPresent(unable::add);
        }
        lost.add(transaction.transaction().key());
      }
    }
    unable.forEach(node -> Delegating.passOver(step, node));
    if (!lost.isEmpty()) {
      step.effect(new SenderEffect.SeekConfirmation(lost));
    }
  }
}
