package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.transaction.Receipt;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Failed attempts, parking, and how transactions end. */
final class Ending {
  private Ending() {}

  /** One try less; too many end it (A12, A17). */
  static void failAttempt(
      SenderStep step, TransactionId id, TransactionEvent event, String reason) {
    if (!step.move(id, event, reason)) {
      return;
    }
    var retries = step.setup.settings().retries();
    int attempts = step.get(id).attempts() + 1;
    if (attempts >= retries.maxAttempts()) {
      revert(step, id, "Given up after " + attempts + " attempts; the last one: " + reason);
      return;
    }
    var earliest = step.now().plus(retries.attempt().wait(attempts, id.hashCode()));
    step.record(new SenderEvent.AttemptFailed(id, attempts, earliest));
    step.put(step.get(id).retried(attempts, earliest));
  }

  static void park(SenderStep step, TransactionId id, String reason) {
    if (step.move(id, TransactionEvent.PARK, reason)) {
      var until = step.now().plus(step.setup.settings().retries().parkedFor());
      step.record(new SenderEvent.Parked(id, until, reason));
      var transaction = step.get(id);
      step.put(transaction.retried(transaction.attempts(), until));
    }
  }

  static void resume(SenderStep step, TransactionId id) {
    if (step.move(id, TransactionEvent.RESUME, "resumed")) {
      step.record(new SenderEvent.Resumed(id));
      var transaction = step.get(id);
      step.put(transaction.retried(transaction.attempts(), step.now()));
    }
  }

  /** Ends it without fulfilment, and with it what depends on it (A30). */
  static void revert(SenderStep step, TransactionId id, String reason) {
    if (end(step, id, reason)) {
      Depending.onEnded(step, id, false);
    }
  }

  /** Ends it alone. */
  static boolean end(SenderStep step, TransactionId id, String reason) {
    if (!step.move(id, TransactionEvent.REVERT, reason)) {
      return false;
    }
    var group = step.setup.group();
    step.effect(
        new SenderEffect.Complete(
            List.of(Receipt.reverted(id, group.contract(), group.domain(), reason, step.now()))));
    leave(step, id, TransactionState.REVERTED);
    return true;
  }

  /** What a block has confirmed, of this sender and of others. */
  static void confirm(
      SenderStep step, Map<TransactionId, Receipt.OnLedger> confirmed, Instant indexed) {
    var receipts = new ArrayList<Receipt>();
    var unknown = new ArrayList<Receipt>();
    confirmed.forEach(
        (id, onLedger) -> {
          var receipt = confirmation(step, id, onLedger, indexed);
          var ended = step.state().ended().states().get(id);
          if (step.move(id, TransactionEvent.CONFIRMED, "confirmed")) {
            receipts.add(receipt);
            leave(step, id, TransactionState.CONFIRMED);
            Depending.onEnded(step, id, true);
          } else if (ended == TransactionState.REVERTED) {
            receipts.add(receipt);
            remember(step, id, TransactionState.CONFIRMED);
          } else if (ended == null) {
            // Another node's, or one of before a restart that had ended as reverted.
            unknown.add(receipt);
            remember(step, id, TransactionState.CONFIRMED);
          }
        });
    if (!receipts.isEmpty()) {
      step.effect(new SenderEffect.Complete(receipts));
    }
    if (!unknown.isEmpty()) {
      step.effect(new SenderEffect.ConfirmReverted(unknown));
    }
  }

  private static Receipt confirmation(
      SenderStep step, TransactionId id, Receipt.OnLedger onLedger, Instant indexed) {
    var group = step.setup.group();
    return new Receipt(
        id,
        group.contract(),
        group.domain(),
        true,
        Optional.of(onLedger),
        Optional.empty(),
        indexed);
  }

  private static void leave(SenderStep step, TransactionId id, TransactionState how) {
    var transaction = step.get(id);
    var state = step.state();
    step.become(
        state
            .with(state.live().remove(transaction))
            .with(state.dependencies().without(transaction)));
    if (step.state().remembered().containsKey(id)) {
      step.record(new SenderEvent.Ended(id));
    }
    remember(step, id, how);
  }

  private static void remember(SenderStep step, TransactionId id, TransactionState how) {
    int limit = step.setup.settings().limits().confirmedRemembered();
    step.become(step.state().with(step.state().ended().plus(id, how, limit)));
  }
}
