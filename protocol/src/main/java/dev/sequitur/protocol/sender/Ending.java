package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.transaction.Receipt;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Failed attempts, parking, and how transactions end. */
final class Ending {
  private Ending() {}

  /** One try less; too many end it (SND-4). */
  static void failAttempt(SenderStep step, SenderTransaction failed, String reason) {
    if (OwnFirst.waits(step, failed)) {
      // It waits for others of its own, and has not failed.
      var cap = step.setup.settings().retries().attempt().cap();
      step.put(failed.retried(failed.attempts(), step.now().plus(cap)));
      return;
    }
    retry(step, failed, new Failed(1, step.setup.settings().retries().attempt(), reason));
  }

  /**
   * Endorsers refused it as often as a coordinator tries: that many tries less, and the sender's
   * wait goes on growing where the coordinator's ended (EDR-5). One that refuses for good must cost
   * little.
   */
  static void refused(SenderStep step, SenderTransaction refused, String reason) {
    var retries = step.setup.settings().retries();
    step.put(refused.withProgress(refused.progress().withRefusals(0)));
    retry(step, refused, new Failed(retries.maxRefusals(), retries.refusal(), reason));
  }

  private record Failed(int tries, Backoff backoff, String reason) {}

  private static void retry(SenderStep step, SenderTransaction transaction, Failed failed) {
    var id = transaction.id();
    int allowed = step.setup.settings().retries().maxAttempts();
    int most =
        transaction.transaction().maxAttempts().map(own -> Math.min(own, allowed)).orElse(allowed);
    int attempts = Math.min(most, transaction.attempts() + failed.tries());
    if (attempts >= most) {
      step.put(transaction.retried(attempts, step.now()));
      revert(
          step,
          id,
          "Given up after "
              + (attempts == 1 ? "1 attempt: " : attempts + " attempts; the last one: ")
              + failed.reason());
      return;
    }
    var earliest = step.now().plus(failed.backoff().wait(attempts, id.hashCode()));
    step.record(
        new SenderEvent.AttemptFailed(
            id,
            attempts,
            earliest,
            Optional.of(new Receipt.Happened(step.now(), failed.reason()))));
    step.put(step.get(id).retried(attempts, earliest));
  }

  static void park(SenderStep step, SenderTransaction parked, String reason) {
    var until = step.now().plus(step.setup.settings().retries().parkedFor());
    step.record(new SenderEvent.Parked(parked.id(), until, reason));
    step.put(parked.retried(parked.attempts(), until));
  }

  static void resume(SenderStep step, SenderTransaction resumed, String why) {
    step.record(new SenderEvent.Resumed(resumed.id()));
    step.put(resumed.retried(resumed.attempts(), step.now()));
  }

  /** Ends it without fulfilment, and with it what depends on it (SND-6). */
  static void revert(SenderStep step, TransactionId id, String reason) {
    if (step.move(id, TransactionEvent.REVERT, reason)) {
      Depending.onEnded(step, id, false);
    }
  }

  static void tellReverted(SenderStep step, SenderTransaction reverted, String reason) {
    var group = step.setup.group();
    step.effect(
        new SenderEffect.Complete(
            List.of(
                Receipt.reverted(
                        reverted.id(), group.contract(), group.domain(), reason, step.now())
                    .after(reverted.course()))));
    leave(step, reverted, TransactionState.REVERTED);
  }

  /** What a block has confirmed, of this sender and of others. */
  static void confirm(
      SenderStep step, Map<IntentKey, Receipt.OnLedger> confirmed, Instant indexed) {
    var receipts = new LinkedHashMap<IntentKey, Receipt>();
    var known = new HashSet<IntentKey>();
    confirmed.forEach(
        (intent, onLedger) -> {
          var receipt = confirmation(step, intent.transaction(), onLedger, indexed);
          var transaction = own(step, intent);
          if (transaction != null) {
            step.move(transaction.id(), TransactionEvent.CONFIRMED, "confirmed");
            step.effect(new SenderEffect.Fulfilled(transaction.id(), transaction.age(step.now())));
            receipts.put(intent, receipt.after(step.get(transaction.id()).course()));
            known.add(intent);
            leave(step, transaction, TransactionState.CONFIRMED);
            Depending.onEnded(step, transaction.id(), true);
          } else if (step.state().ended().isRevertedOwn(intent)) {
            receipts.put(intent, receipt);
            known.add(intent);
            remember(step, intent, TransactionState.CONFIRMED);
          } else if (!step.state().ended().knows(intent)) {
            // Another's, or one that had ended as reverted and is not remembered.
            receipts.put(intent, receipt);
            rememberUnknown(step, intent);
          }
        });
    LeftToCaller.onConfirmed(step, confirmed);
    if (known.size() < receipts.size()) {
      step.effect(new SenderEffect.Confirm(receipts, known));
    } else if (!receipts.isEmpty()) {
      step.effect(new SenderEffect.Complete(List.copyOf(receipts.values())));
    }
  }

  /**
   * This sender's, or null: that another member has fulfilled an id says nothing of its own
   * (CNF-4).
   */
  private static SenderTransaction own(SenderStep step, IntentKey intent) {
    var transaction = step.get(intent.transaction());
    return transaction != null && transaction.transaction().key().equals(intent)
        ? transaction
        : null;
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

  private static void leave(SenderStep step, SenderTransaction transaction, TransactionState how) {
    var id = transaction.id();
    var gone = step.get(id);
    var state = step.state();
    step.become(
        state
            .withLive(state.live().remove(gone))
            .withDependencies(state.dependencies().without(gone)));
    if (step.state().remembered().containsKey(id)) {
      step.record(new SenderEvent.Ended(id));
    }
    remember(step, transaction.transaction().key(), how);
    OwnFirst.onEnded(step, transaction);
  }

  private static void rememberUnknown(SenderStep step, IntentKey intent) {
    if (step.get(intent.transaction()) == null) {
      int limit = step.setup.endedRoom().getAsInt();
      step.become(step.state().withEnded(step.state().ended().plusConfirmed(intent, limit)));
    }
  }

  private static void remember(SenderStep step, IntentKey intent, TransactionState how) {
    int limit = step.setup.endedRoom().getAsInt();
    step.become(step.state().withEnded(step.state().ended().plusOwn(intent, how, limit)));
  }

  /** Others of this JVM may need the room. */
  static void onTick(SenderStep step) {
    step.become(
        step.state().withEnded(step.state().ended().within(step.setup.endedRoom().getAsInt())));
  }
}
