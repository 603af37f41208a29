package dev.sequitur.protocol.submitter;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.message.TransactionReverted;
import dev.sequitur.protocol.submitter.SubmitterEffect.Count;
import dev.sequitur.protocol.submitter.SubmitterEffect.Counted;
import dev.sequitur.protocol.submitter.SubmitterEffect.Item;
import dev.sequitur.protocol.submitter.SubmitterEvent.Abandoned;
import dev.sequitur.protocol.submitter.SubmitterEvent.Notifying;
import dev.sequitur.protocol.submitter.SubmitterEvent.Repriced;
import dev.sequitur.protocol.submitter.SubmitterEvent.Settled;
import dev.sequitur.protocol.submitter.SubmitterInput.BlockIndexed;
import dev.sequitur.protocol.submitter.SubmitterState.Live;
import dev.sequitur.protocol.submitter.SubmitterState.Owed;
import dev.sequitur.protocol.submitter.SubmitterState.Submitted;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;

/** Puts committed dispatches on the base ledger and follows them to their end. */
final class Submitting {
  private static final int BATCH = 500;
  private static final String NONCE_TAKEN = "Its nonce was used by another transaction.";

  private Submitting() {}

  /**
   * Hands the outputs of what is committed to the state store, and again until it has answered.
   * Nothing is submitted before: what stands on the ledger must not be lost with this process.
   *
   * @param among where to look; all that is live only at the pace of the node's settings
   */
  static void distributeDue(SubmitterStep step, Collection<Live> among) {
    var dispatches = new ArrayList<Dispatch>();
    for (var live : among) {
      if (dispatches.size() == BATCH) {
        break;
      }
      if (live.state() == SubmissionState.ACCEPTED && isDue(step, live)) {
        step.become(
            step.state().put(live.with(SubmissionState.ACCEPTED, step.now(), live.tries() + 1)));
        dispatches.add(live.dispatch());
      }
    }
    if (!dispatches.isEmpty()) {
      step.effect(new SubmitterEffect.Distribute(dispatches));
    }
  }

  static void onStored(SubmitterStep step, List<IntentKey> transactions) {
    var nonces = new TreeSet<Long>();
    for (var id : transactions) {
      var nonce = step.state().byTransaction().get(id);
      if (nonce != null) {
        step.move(step.state().live().get(nonce), SubmissionEvent.OUTPUTS_STORED, 0);
        nonces.add(nonce);
      }
    }
    submitDue(step, live(step, nonces));
  }

  static List<Live> live(SubmitterStep step, Collection<Long> nonces) {
    var live = step.state().live();
    return nonces.stream().map(live::get).filter(Objects::nonNull).toList();
  }

  /**
   * Submits what is stored and not underway.
   *
   * @param among where to look, in the order of nonces
   */
  static void submitDue(SubmitterStep step, Collection<Live> among) {
    if (!step.state().nonceKnown()) {
      return;
    }
    var items = new ArrayList<Item>();
    for (var live : among) {
      if (items.size() == BATCH) {
        break;
      }
      var next = overdue(step, live);
      if (isToBeSubmitted(next) && isDue(step, next)) {
        step.become(step.state().put(next.underway(step.now())));
        items.add(new Item(next.nonce(), next.gasPrice(), call(next)));
      }
    }
    if (!items.isEmpty()) {
      step.effect(new SubmitterEffect.Submit(items));
    }
  }

  private static boolean isToBeSubmitted(Live live) {
    boolean filler = live.state() == SubmissionState.FILLING && live.submissions().isEmpty();
    return !live.underway() && (filler || live.state() == SubmissionState.STORED);
  }

  private static LedgerTransaction.Call call(Live live) {
    return live.isHeld()
        ? new LedgerTransaction.Invoke(live.dispatch().prepared())
        : new LedgerTransaction.UseNonce();
  }

  private static boolean isDue(SubmitterStep step, Live live) {
    if (live.tries() == 0) {
      return true;
    }
    var wait = step.setup.settings().delivery().resend().wait(live.tries(), (int) live.nonce());
    return !live.triedAt().plus(wait).isAfter(step.now());
  }

  private static Live overdue(SubmitterStep step, Live live) {
    boolean pooled = live.state() == SubmissionState.SUBMITTED || isPooledFiller(live);
    var after = step.setup.gas().overdueAfter();
    if (!pooled || live.triedAt().plus(after).isAfter(step.now())) {
      return live;
    }
    step.effect(new Count(Counted.RESUBMITTED));
    reprice(step, live, step.setup.gas().increased(live.gasPrice()));
    var repriced = step.state().live().get(live.nonce());
    if (isPooledFiller(live)) {
      step.become(step.state().put(repriced.abandoned()));
    } else {
      step.move(repriced, SubmissionEvent.OVERDUE, 0);
    }
    return step.state().live().get(live.nonce());
  }

  private static boolean isPooledFiller(Live live) {
    return live.state() == SubmissionState.FILLING && !live.submissions().isEmpty();
  }

  private static void reprice(SubmitterStep step, Live live, long price) {
    if (price != live.gasPrice()) {
      step.record(new Repriced(live.nonce(), price));
    }
  }

  static void onAnswered(SubmitterStep step, Map<Long, SubmitOutcome> outcomes) {
    for (var entry : outcomes.entrySet()) {
      var live = step.state().live().get(entry.getKey());
      if (live != null) {
        onOutcome(step, live, entry.getValue());
      }
    }
    // Of what waits, a full batch may have left something.
    submitDue(
        step,
        outcomes.size() == BATCH
            ? step.state().live().values()
            : live(step, new TreeSet<>(outcomes.keySet())));
  }

  private static void onOutcome(SubmitterStep step, Live live, SubmitOutcome outcome) {
    switch (outcome) {
      case SubmitOutcome.Pooled(var hash) -> {
        if (live.state() == SubmissionState.STORED) {
          step.effect(new Count(Counted.SUBMITTED));
        }
        var submission = new Submitted(step.now(), hash, live.gasPrice());
        step.move(live.pooled(submission), SubmissionEvent.POOLED, 0);
      }
      case SubmitOutcome.Underpriced underpriced -> {
        long price =
            Math.max(underpriced.gasPriceNeeded(), step.setup.gas().increased(live.gasPrice()));
        if (price <= step.setup.gas().maxPrice()) {
          reprice(step, live, price);
        }
        retry(step, live);
      }
      case SubmitOutcome.PoolFull ignored -> retry(step, live);
      // In a block already, ours or another's: the indexer tells which. If it never names ours,
      // the nonce was used by something else.
      case SubmitOutcome.NonceTooLow ignored -> giveUpIfNotOurs(step, live);
      case SubmitOutcome.Invalid invalid -> abandon(step, live, invalid);
    }
  }

  /** The ledger takes no later nonce of this key before this one is used. */
  private static void abandon(SubmitterStep step, Live live, SubmitOutcome.Invalid invalid) {
    if (!live.isHeld()) {
      step.move(live, SubmissionEvent.INVALID, live.tries() + 1);
    } else if (step.move(live, SubmissionEvent.INVALID, 0)) {
      step.effect(new Count(Counted.ABANDONED));
      step.record(new Abandoned(live.nonce()));
      String reason = "Refused by the pool: " + invalid.reason();
      tellReverted(step, live, Optional.of(invalid.hash()), reason, false);
    }
  }

  private static void retry(SubmitterStep step, Live live) {
    var current = step.state().live().get(live.nonce());
    step.move(current, SubmissionEvent.NOT_POOLED, current.tries() + 1);
  }

  private static void giveUpIfNotOurs(SubmitterStep step, Live live) {
    if (live.tries() < 10) {
      retry(step, live);
    } else {
      end(step, live, SubmissionEvent.NONCE_TAKEN);
      if (live.isHeld()) {
        tellReverted(step, live, Optional.empty(), NONCE_TAKEN, true);
      }
    }
  }

  static void onFailed(SubmitterStep step, List<Long> nonces) {
    for (long nonce : nonces) {
      var live = step.state().live().get(nonce);
      if (live != null) {
        retry(step, live);
      }
    }
  }

  static void onBlock(SubmitterStep step, BlockIndexed block) {
    var settled = new ArrayList<Long>();
    var unfulfilled = new ArrayList<Runnable>();
    Map<ContractAddress, List<IntentKey>> fulfilled = new LinkedHashMap<>();
    for (var receipt : block.own()) {
      var live = step.state().live().get(receipt.nonce());
      if (live == null) {
        continue;
      }
      settled.add(live.nonce());
      var event = eventOf(live, receipt.result());
      step.move(live, event, live.tries());
      if (event == SubmissionEvent.FULFILLED) {
        fulfilled
            .computeIfAbsent(live.dispatch().contract(), contract -> new ArrayList<>())
            .add(live.dispatch().prepared().intent());
      } else if (live.isHeld()) {
        unfulfilled.add(() -> onUnfulfilled(step, live, receipt));
      }
    }
    if (!settled.isEmpty()) {
      step.record(new Settled(settled));
      step.effect(new SubmitterEffect.TellSettled(block.height(), fulfilled));
    }
    unfulfilled.forEach(Runnable::run);
    SubmitterHeartbeats.beatIfDone(step);
  }

  private static SubmissionEvent eventOf(Live live, LedgerReceipt.Result result) {
    var own = live.dispatch().prepared().intent();
    return switch (result) {
      case LedgerReceipt.Reverted ignored -> SubmissionEvent.REVERTED;
      case LedgerReceipt.Fulfilled done when done.intent().equals(own) -> SubmissionEvent.FULFILLED;
      case LedgerReceipt.Fulfilled ignored -> SubmissionEvent.NONCE_TAKEN;
      case LedgerReceipt.Deployed ignored -> SubmissionEvent.NONCE_TAKEN;
      case LedgerReceipt.NonceUsed ignored -> SubmissionEvent.NONCE_TAKEN;
    };
  }

  private static void onUnfulfilled(SubmitterStep step, Live live, LedgerReceipt receipt) {
    if (receipt.result() instanceof LedgerReceipt.Reverted result) {
      step.effect(new Count(Counted.LEDGER_REVERT));
      onReverted(step, live, receipt, result);
    } else {
      tellReverted(step, live, Optional.of(receipt.hash()), NONCE_TAKEN, true);
    }
  }

  private static void onReverted(
      SubmitterStep step, Live live, LedgerReceipt receipt, LedgerReceipt.Reverted result) {
    var contract = live.dispatch().contract();
    var transaction = live.dispatch().prepared().intent();
    step.effect(new SubmitterEffect.TellReverted(contract, transaction));
    if (result.reason() == LedgerReceipt.RevertReason.INTENT_FULFILLED) {
      // Another dispatch of the same intent came first: its sender sees the confirmation (SUB-4).
      return;
    }
    notifySender(
        step,
        live,
        Optional.of(receipt.hash()),
        new Verdict(
            "The base ledger refused it: " + result.reason() + ".", result.reason().retryable()));
  }

  private static void end(SubmitterStep step, Live live, SubmissionEvent event) {
    if (step.move(live, event, live.tries())) {
      step.record(new Settled(List.of(live.nonce())));
    }
  }

  private static void tellReverted(
      SubmitterStep step,
      Live live,
      Optional<TransactionHash> hash,
      String reason,
      boolean retryable) {
    step.effect(
        new SubmitterEffect.TellReverted(
            live.dispatch().contract(), live.dispatch().prepared().intent()));
    notifySender(step, live, hash, new Verdict(reason, retryable));
  }

  private record Verdict(String reason, boolean retryable) {}

  /** Owed until it is acknowledged, across restarts (SUB-5). */
  private static void notifySender(
      SubmitterStep step, Live live, Optional<TransactionHash> hash, Verdict verdict) {
    var dispatch = live.dispatch();
    var id = new RequestId(step.setup.self() + "-reverted-" + dispatch.dispatchId().value());
    var message =
        new TransactionReverted(
            id,
            dispatch.prepared().transaction(),
            dispatch.contract(),
            hash,
            verdict.reason(),
            verdict.retryable());
    step.record(new Notifying(dispatch.sender(), message));
    var exchange = Submitter.notification(step, new Owed(dispatch.sender(), message));
    step.become(step.state().withExchanges(step.state().exchanges().begin(id, exchange)));
    step.send(exchange);
  }
}
