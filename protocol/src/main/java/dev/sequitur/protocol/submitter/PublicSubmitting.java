package dev.sequitur.protocol.submitter;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerTransaction.PublicCall;
import dev.sequitur.protocol.submitter.SubmitterEffect.Count;
import dev.sequitur.protocol.submitter.SubmitterEffect.Counted;
import dev.sequitur.protocol.submitter.SubmitterEvent.Accepted;
import dev.sequitur.protocol.submitter.SubmitterEvent.PublicEnded;
import dev.sequitur.protocol.submitter.SubmitterEvent.PublicNonceLost;
import dev.sequitur.protocol.submitter.SubmitterEvent.PublicsTaken;
import dev.sequitur.protocol.submitter.SubmitterEvent.ReceiptsStored;
import dev.sequitur.protocol.submitter.SubmitterState.Carrier;
import dev.sequitur.protocol.submitter.SubmitterState.Public;
import dev.sequitur.protocol.submitter.SubmitterStep.Outcome;
import dev.sequitur.protocol.submitter.SubmitterTable.CarrierEvent;
import dev.sequitur.protocol.submitter.SubmitterTable.PublicEvent;
import dev.sequitur.protocol.submitter.SubmitterTable.PublicState;
import dev.sequitur.protocol.transaction.Receipt;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Public transactions of the key: taken from the node store in order of acceptance, each carried by
 * a base-ledger transaction of its own, and ended by what a block has of its nonce.
 */
final class PublicSubmitting {
  /** Taken and not ended, or on their way to the node store; the others wait there. */
  static final int MOST = 256;

  private static final ContractAddress NOBODY = new ContractAddress("0x" + "0".repeat(40));

  private PublicSubmitting() {}

  static void onWaiting(SubmitterStep step) {
    step.become(step.state().withUnread(true));
    read(step);
  }

  /**
   * One look at a time. What is accepted meanwhile is told while the answer is on its way, and asks
   * for another one.
   */
  static void read(SubmitterStep step) {
    var state = step.state();
    int room = MOST - state.publics().size();
    if (state.unread() && !state.reading() && room > 0) {
      step.become(state.with().unread(false).reading(true).build());
      step.effect(new SubmitterEffect.ReadPublics(state.taken(), room));
    }
  }

  static void onNotRead(SubmitterStep step) {
    step.become(step.state().with().unread(true).reading(false).build());
  }

  /**
   * What is not above the last that was taken was taken before, even if it is pending still: its
   * receipt may be on its way (PUB-2).
   */
  static void onRead(SubmitterStep step, List<Accepted> read) {
    step.become(step.state().withReading(false));
    var fresh = read.stream().filter(each -> each.order() > step.state().taken()).toList();
    if (!fresh.isEmpty()) {
      // Others may have used the key while nothing of it was on its way.
      boolean resumes = step.state().carriers().isEmpty();
      step.record(new PublicsTaken(fresh));
      if (resumes) {
        step.become(step.state().withNonceKnown(false));
        step.effect(new SubmitterEffect.QueryNonce());
      }
      // There may be more: whoever comes to the end is told nothing.
      step.become(step.state().withUnread(true));
    }
    read(step);
    Submitting.handIn(step);
  }

  /** The public transaction that a base-ledger transaction is. */
  static Optional<Public> carriedBy(SubmitterState state, Carrier carrier) {
    return carrier.orders().stream()
        .map(state.publics()::get)
        .filter(found -> found != null)
        .findFirst();
  }

  static void packed(SubmitterStep step, Public before) {
    step.move(before, PublicEvent.PACKED, Outcome.NONE);
  }

  static void onInvalid(SubmitterStep step, Public refused, String reason) {
    step.move(refused, PublicEvent.INVALID, new Outcome(Optional.empty(), reason));
  }

  static void refuse(SubmitterStep step, Public refused, Outcome outcome) {
    Submitting.refuse(step, refused.nonce().orElseThrow(), outcome.reason());
  }

  /** A block holds its nonce: the very call, or something else that the key has signed (PUB-5). */
  static void onReceipt(SubmitterStep step, Carrier carrier, Public live, LedgerReceipt receipt) {
    var call = PublicCall.of(live.transaction()).hash();
    boolean executed =
        receipt.called().map(LedgerReceipt.Called::call).filter(call::equals).isPresent();
    var outcome = new Outcome(Optional.of(receipt), live.refusal().orElse(""));
    step.move(live, executed ? PublicEvent.EXECUTED : PublicEvent.NONCE_TAKEN, outcome);
    step.move(carrier, CarrierEvent.USED);
  }

  /** No final block whose receipts were told has it, and one has used its nonce (PUB-3). */
  static void onNonceTaken(SubmitterStep step, Carrier carrier, Public lost) {
    var outcome = new Outcome(Optional.empty(), lost.refusal().orElse(""));
    step.move(lost, PublicEvent.NONCE_TAKEN, outcome);
    step.move(carrier, CarrierEvent.USED);
  }

  static void execute(SubmitterStep step, Public executed, Outcome outcome) {
    var block = outcome.receipt().orElseThrow();
    var called = block.called().orElseThrow();
    if (!called.success()) {
      step.effect(new Count(Counted.LEDGER_REVERT));
    }
    var place =
        new Receipt.OnLedger(
            block.hash(), block.block(), block.index(), List.of(), List.of(), List.of());
    end(
        step,
        executed,
        outcome,
        receipt(
            step,
            executed,
            Optional.of(place),
            called.failure(),
            new Receipt.Called(called.created(), called.revertData(), nonce(outcome))));
  }

  /** What the pool refused never came into a block. */
  static void endRefused(SubmitterStep step, Public refused, Outcome outcome) {
    var failure = Optional.of(outcome.reason());
    var nothing = new Receipt.Called(Optional.empty(), Bytes.EMPTY, nonce(outcome));
    end(step, refused, outcome, receipt(step, refused, Optional.empty(), failure, nothing));
  }

  private static Optional<Receipt.Nonce> nonce(Outcome outcome) {
    return outcome.receipt().map(used -> new Receipt.Nonce(used.signer(), used.nonce()));
  }

  static void carryAnew(SubmitterStep step, Public lost, Outcome outcome) {
    step.record(new PublicNonceLost(lost.nonce().orElseThrow()));
  }

  private static Receipt receipt(
      SubmitterStep step,
      Public ended,
      Optional<Receipt.OnLedger> place,
      Optional<String> failure,
      Receipt.Called called) {
    var transaction = ended.transaction();
    return new Receipt(
        transaction.id(),
        transaction.to().or(called::created).orElse(NOBODY),
        "",
        failure.isEmpty(),
        place,
        failure,
        step.now(),
        Optional.empty(),
        Optional.of(called));
  }

  /** What has used the nonce is ours to account for, if it was nothing but the nonce's use too. */
  private static void end(SubmitterStep step, Public ended, Outcome used, Receipt receipt) {
    var paid = used.receipt().map(GasPaid::by).orElse(GasPaid.NONE);
    step.record(new PublicEnded(ended.nonce().orElseThrow(), receipt, paid));
    Submitting.count(step, paid);
  }

  /** Hands ended ones to the node store, and again until it has answered. */
  static void storeDue(SubmitterStep step) {
    var due = new ArrayList<Receipt>();
    for (var each : step.state().publics().values()) {
      if (each.receipt().isPresent()
          && Submitting.isDue(step, each.tries(), each.triedAt(), each.order())) {
        due.add(each.receipt().get());
        step.become(step.state().put(each.again(step.now())));
      }
    }
    if (!due.isEmpty()) {
      step.effect(new SubmitterEffect.StoreReceipts(due));
    }
  }

  static void onStored(SubmitterStep step, List<TransactionId> stored) {
    var told =
        step.state().publics().values().stream()
            .filter(each -> stored.contains(each.transaction().id()))
            .filter(each -> each.state() == PublicState.ENDED)
            .toList();
    if (!told.isEmpty()) {
      step.record(new ReceiptsStored(told.stream().map(each -> each.transaction().id()).toList()));
      told.forEach(each -> step.move(each, PublicEvent.RECEIPT_STORED, Outcome.NONE));
      read(step);
    }
  }
}
