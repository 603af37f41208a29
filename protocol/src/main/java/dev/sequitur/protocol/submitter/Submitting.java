package dev.sequitur.protocol.submitter;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.RequestId;
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
import dev.sequitur.protocol.submitter.SubmitterStep.Answer;
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
  private static final Answer NONCE_TAKEN =
      new Answer(Optional.empty(), "Its nonce was used by another transaction.", true);

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
        step.put(live.again(step.now()));
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
        step.move(step.get(nonce), SubmissionEvent.OUTPUTS_STORED);
        nonces.add(nonce);
      }
    }
    submitDue(step, live(step, nonces));
  }

  static void resetTries(SubmitterStep step, Live stored, Answer answer) {
    step.put(stored.withTries(0));
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
        step.put(next.underway(step.now()));
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
    var after = step.setup.gas().overdueAfter();
    if (live.submissions().isEmpty() || live.triedAt().plus(after).isAfter(step.now())) {
      return live;
    }
    step.move(live, SubmissionEvent.OVERDUE);
    return step.get(live.nonce());
  }

  static void raise(SubmitterStep step, Live overdue, Answer answer) {
    step.effect(new Count(Counted.RESUBMITTED));
    step.put(overdue.withTries(0));
    reprice(step, overdue, step.setup.gas().increased(overdue.gasPrice()));
  }

  static void raiseFiller(SubmitterStep step, Live overdue, Answer answer) {
    raise(step, overdue.abandoned(), answer);
  }

  private static void reprice(SubmitterStep step, Live live, long price) {
    if (price != live.gasPrice()) {
      step.record(new Repriced(live.nonce(), price));
    }
  }

  static void onAnswered(SubmitterStep step, Map<Long, SubmitOutcome> outcomes) {
    for (var entry : outcomes.entrySet()) {
      var live = step.get(entry.getKey());
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
      case SubmitOutcome.Pooled(var hash) ->
          step.move(live, SubmissionEvent.POOLED, new Answer(Optional.of(hash), "", false));
      case SubmitOutcome.Underpriced underpriced -> {
        long price =
            Math.max(underpriced.gasPriceNeeded(), step.setup.gas().increased(live.gasPrice()));
        if (price <= step.setup.gas().maxPrice()) {
          reprice(step, live, price);
        }
        notPooled(step, live);
      }
      case SubmitOutcome.PoolFull ignored -> notPooled(step, live);
      // In a block already, ours or another's: the indexer tells which. If it never names ours,
      // the nonce was used by something else.
      case SubmitOutcome.NonceTooLow ignored -> giveUpIfNotOurs(step, live);
      case SubmitOutcome.Invalid(var hash, var reason) ->
          step.move(
              live,
              SubmissionEvent.INVALID,
              new Answer(Optional.of(hash), "Refused by the pool: " + reason, false));
    }
  }

  static void onFirstPooled(SubmitterStep step, Live pooled, Answer answer) {
    step.effect(new Count(Counted.SUBMITTED));
    onPooled(step, pooled, answer);
  }

  static void onPooled(SubmitterStep step, Live pooled, Answer answer) {
    var hash = answer.hash().orElseThrow();
    step.put(pooled.pooled(new Submitted(step.now(), hash, pooled.gasPrice())));
  }

  private static void notPooled(SubmitterStep step, Live live) {
    step.move(step.get(live.nonce()), SubmissionEvent.NOT_POOLED);
  }

  static void tryLater(SubmitterStep step, Live notPooled, Answer answer) {
    step.put(notPooled.again(step.now()));
  }

  /** The ledger takes no later nonce of this key before this one is used. */
  static void abandon(SubmitterStep step, Live invalid, Answer answer) {
    step.effect(new Count(Counted.ABANDONED));
    step.record(new Abandoned(invalid.nonce()));
    tellReverted(step, invalid, answer);
  }

  private static void giveUpIfNotOurs(SubmitterStep step, Live live) {
    if (live.tries() < 10) {
      notPooled(step, live);
    } else {
      step.record(new Settled(List.of(live.nonce())));
      step.move(live, SubmissionEvent.NONCE_TAKEN, NONCE_TAKEN);
    }
  }

  static void onFailed(SubmitterStep step, List<Long> nonces) {
    for (long nonce : nonces) {
      var live = step.get(nonce);
      if (live != null) {
        notPooled(step, live);
      }
    }
  }

  static void onBlock(SubmitterStep step, BlockIndexed block) {
    var ended = new ArrayList<Ended>();
    for (var receipt : block.own()) {
      var live = step.get(receipt.nonce());
      if (live != null) {
        ended.add(new Ended(live, eventOf(live, receipt.result()), answerOf(receipt)));
      }
    }
    if (!ended.isEmpty()) {
      step.record(new Settled(ended.stream().map(of -> of.live().nonce()).toList()));
      step.effect(new SubmitterEffect.TellSettled(block.height(), fulfilled(ended)));
    }
    ended.forEach(of -> step.move(of.live(), of.event(), of.answer()));
    SubmitterHeartbeats.beatIfDone(step);
  }

  private record Ended(Live live, SubmissionEvent event, Answer answer) {}

  private static Map<ContractAddress, List<IntentKey>> fulfilled(List<Ended> ended) {
    Map<ContractAddress, List<IntentKey>> fulfilled = new LinkedHashMap<>();
    for (var of : ended) {
      if (of.event() == SubmissionEvent.FULFILLED) {
        fulfilled
            .computeIfAbsent(of.live().dispatch().contract(), contract -> new ArrayList<>())
            .add(of.live().dispatch().prepared().intent());
      }
    }
    return fulfilled;
  }

  private static SubmissionEvent eventOf(Live live, LedgerReceipt.Result result) {
    var own = live.dispatch().prepared().intent();
    return switch (result) {
      case LedgerReceipt.Reverted reverted
          when reverted.reason() == LedgerReceipt.RevertReason.INTENT_FULFILLED ->
          SubmissionEvent.OVERTAKEN;
      case LedgerReceipt.Reverted ignored -> SubmissionEvent.REVERTED;
      case LedgerReceipt.Fulfilled done when done.intent().equals(own) -> SubmissionEvent.FULFILLED;
      case LedgerReceipt.Fulfilled ignored -> SubmissionEvent.NONCE_TAKEN;
      case LedgerReceipt.Deployed ignored -> SubmissionEvent.NONCE_TAKEN;
      case LedgerReceipt.NonceUsed ignored -> SubmissionEvent.NONCE_TAKEN;
    };
  }

  private static Answer answerOf(LedgerReceipt receipt) {
    var hash = Optional.of(receipt.hash());
    if (receipt.result() instanceof LedgerReceipt.Reverted reverted) {
      var reason = reverted.reason();
      return new Answer(hash, "The base ledger refused it: " + reason + ".", reason.retryable());
    }
    return new Answer(hash, NONCE_TAKEN.reason(), NONCE_TAKEN.retryable());
  }

  static void onReverted(SubmitterStep step, Live reverted, Answer answer) {
    step.effect(new Count(Counted.LEDGER_REVERT));
    tellReverted(step, reverted, answer);
  }

  static void onOvertaken(SubmitterStep step, Live overtaken, Answer answer) {
    step.effect(new Count(Counted.LEDGER_REVERT));
    tellCoordinator(step, overtaken);
  }

  static void tellReverted(SubmitterStep step, Live reverted, Answer answer) {
    tellCoordinator(step, reverted);
    notifySender(step, reverted.dispatch(), answer);
  }

  private static void tellCoordinator(SubmitterStep step, Live reverted) {
    var dispatch = reverted.dispatch();
    step.effect(
        new SubmitterEffect.TellReverted(dispatch.contract(), dispatch.prepared().intent()));
  }

  /** Owed until it is acknowledged, across restarts (A27). */
  private static void notifySender(SubmitterStep step, Dispatch dispatch, Answer answer) {
    var id = new RequestId(step.setup.self() + "-reverted-" + dispatch.dispatchId().value());
    var message =
        new TransactionReverted(
            id,
            dispatch.prepared().transaction(),
            dispatch.contract(),
            answer.hash(),
            answer.reason(),
            answer.retryable());
    step.record(new Notifying(dispatch.sender(), message));
    var exchange = Submitter.notification(step, new Owed(dispatch.sender(), message));
    step.become(step.state().withExchanges(step.state().exchanges().begin(id, exchange)));
    step.send(exchange);
  }
}
