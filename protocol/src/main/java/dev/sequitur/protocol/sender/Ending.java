package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.transaction.Receipt;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

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
    var transaction = step.get(id);
    if (step.move(id, TransactionEvent.REVERT, reason)) {
      var group = step.setup.group();
      step.effect(
          new SenderEffect.Complete(
              List.of(Receipt.reverted(id, group.contract(), group.domain(), reason, step.now()))));
      leave(step, transaction, TransactionState.REVERTED);
    }
  }

  /** What a block has confirmed, of this sender and of others. */
  static void confirm(
      SenderStep step, Map<IntentKey, Receipt.OnLedger> confirmed, Instant indexed) {
    var receipts = new ArrayList<Receipt>();
    var group = step.setup.group();
    for (var entry : confirmed.entrySet()) {
      var id = entry.getKey().transaction();
      var transaction = own(step, entry.getKey());
      boolean lateConfirmation = step.state().ended().isRevertedOwn(entry.getKey());
      if (transaction != null || lateConfirmation) {
        receipts.add(
            new Receipt(
                id,
                group.contract(),
                group.domain(),
                true,
                java.util.Optional.of(entry.getValue()),
                java.util.Optional.empty(),
                indexed));
      }
      if (transaction != null) {
        step.move(id, TransactionEvent.CONFIRMED, "confirmed");
        leave(step, transaction, TransactionState.CONFIRMED);
      } else if (lateConfirmation) {
        remember(step, entry.getKey(), TransactionState.CONFIRMED);
      } else if (step.get(id) == null) {
        int limit = step.setup.settings().limits().confirmedRemembered();
        step.become(step.state().with(step.state().ended().plusConfirmed(entry.getKey(), limit)));
      }
    }
    if (!receipts.isEmpty()) {
      step.effect(new SenderEffect.Complete(receipts));
    }
  }

  /** This sender's, or null: that another member has fulfilled an id says nothing of its own. */
  private static SenderTransaction own(SenderStep step, IntentKey intent) {
    var transaction = step.get(intent.transaction());
    return transaction != null && transaction.transaction().key().equals(intent)
        ? transaction
        : null;
  }

  private static void leave(SenderStep step, SenderTransaction transaction, TransactionState how) {
    var id = transaction.id();
    step.become(step.state().remove(step.get(id)));
    if (step.state().remembered().containsKey(id)) {
      step.record(new SenderEvent.Ended(id));
    }
    remember(step, transaction.transaction().key(), how);
    dependencyEnded(step, id, how == TransactionState.CONFIRMED);
  }

  private static void remember(SenderStep step, IntentKey intent, TransactionState how) {
    int limit = step.setup.settings().limits().confirmedRemembered();
    step.become(step.state().with(step.state().ended().plusOwn(intent, how, limit)));
  }

  /** Releases what waited for {@code dependency}, or ends it too. */
  static void dependencyEnded(SenderStep step, TransactionId dependency, boolean success) {
    var dependants = step.state().dependants().get(dependency);
    if (dependants == null) {
      return;
    }
    step.become(step.state().withoutDependantsOf(dependency));
    for (var waiting : dependants) {
      var transaction = step.get(waiting);
      if (transaction != null && transaction.waitsFor().contains(dependency)) {
        if (success) {
          step.put(transaction.waitsFor(transaction.waitsFor().minus(dependency)));
        } else {
          revert(step, waiting, "It depends on " + dependency + ", which ended as reverted.");
        }
      }
    }
  }
}
