package dev.sequitur.protocol.submitter;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerTransaction.PublicCall;
import dev.sequitur.protocol.submitter.Submitter.ChangeRefusal;
import dev.sequitur.protocol.submitter.SubmitterEffect.Count;
import dev.sequitur.protocol.submitter.SubmitterEffect.Counted;
import dev.sequitur.protocol.submitter.SubmitterEvent.Accepted;
import dev.sequitur.protocol.submitter.SubmitterEvent.CallShown;
import dev.sequitur.protocol.submitter.SubmitterEvent.PublicChanged;
import dev.sequitur.protocol.submitter.SubmitterEvent.PublicDropped;
import dev.sequitur.protocol.submitter.SubmitterEvent.PublicEnded;
import dev.sequitur.protocol.submitter.SubmitterEvent.PublicFound;
import dev.sequitur.protocol.submitter.SubmitterEvent.PublicNonceLost;
import dev.sequitur.protocol.submitter.SubmitterEvent.PublicsTaken;
import dev.sequitur.protocol.submitter.SubmitterEvent.ReceiptsStored;
import dev.sequitur.protocol.submitter.SubmitterEvent.ShownForgotten;
import dev.sequitur.protocol.submitter.SubmitterInput.BalanceKnown;
import dev.sequitur.protocol.submitter.SubmitterSetup.Gas;
import dev.sequitur.protocol.submitter.SubmitterState.Carrier;
import dev.sequitur.protocol.submitter.SubmitterState.Means;
import dev.sequitur.protocol.submitter.SubmitterState.Public;
import dev.sequitur.protocol.submitter.SubmitterStep.Answer;
import dev.sequitur.protocol.submitter.SubmitterStep.Outcome;
import dev.sequitur.protocol.submitter.SubmitterTable.CarrierEvent;
import dev.sequitur.protocol.submitter.SubmitterTable.CarrierState;
import dev.sequitur.protocol.submitter.SubmitterTable.PublicEvent;
import dev.sequitur.protocol.submitter.SubmitterTable.PublicState;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.protocol.trie.HashTrie;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.pcollections.PMap;

/**
 * Public transactions of the key: taken from the node store in order of acceptance, each carried by
 * a base-ledger transaction of its own, and ended by what a block has of its nonce.
 */
final class PublicSubmitting {
  /** Taken and not ended, or on their way to the node store; the others wait there. */
  static final int MOST = 256;

  /**
   * Of them, those that wait for what they send along: beyond, the last ones end, so that the
   * others of the key find room.
   */
  static final int MOST_LACKING = 64;

  /** Calls that may be public transactions which were not taken. Those of lower nonces count. */
  static final int MOST_SHOWN = 10_000;

  /** Between two questions what the key has. */
  static final Duration BALANCE_INTERVAL = Duration.ofSeconds(5);

  /** Of one public transaction, by its caller. */
  static final int MOST_CHANGES = 16;

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
      step.become(step.state().withBalanceAsked(Optional.empty()));
      askForBalance(step);
      // There may be more: whoever comes to the end is told nothing.
      step.become(step.state().withUnread(true));
      List.copyOf(step.state().shown().values()).forEach(each -> find(step, each));
      storeDue(step);
    } else if (!step.state().unread() && step.state().before().isEmpty()) {
      step.become(step.state().withBefore(Optional.of(step.state().taken())));
      if (!step.state().shown().isEmpty()) {
        step.record(new ShownForgotten());
      }
    }
    read(step);
    Submitting.handIn(step);
  }

  /**
   * A life of this node that had newer records may have given nonces to what waits here. So all
   * that the ledger and its pool have of the key as this life begins is told of by blocks first, or
   * the pool loses it: what they have of it has ended (PUB-9).
   *
   * @param most the ledger and its pool have the nonces below it
   */
  static boolean waitsForBlocks(SubmitterStep step, long most) {
    var state = step.state();
    boolean knowsAll = most <= state.nextNonce() || state.isCaughtUp();
    if (!knowsAll && !state.hasOfBefore()) {
      return false;
    }
    // What others do with the key from then on holds nothing up.
    step.become(
        state.withBlocksFirst(Optional.of(knowsAll ? 0 : state.blocksFirst().orElse(most))));
    return !step.state().isCaughtUp();
  }

  /**
   * A block has used a nonce that these records have not given to anything: the call may be here.
   */
  static void onUnknown(SubmitterStep step, LedgerReceipt receipt) {
    var state = step.state();
    if (receipt.nonce() >= state.nextNonce()
        && receipt.called().isPresent()
        && !find(step, receipt)
        && state.before().isEmpty()
        && state.shown().size() < MOST_SHOWN) {
      step.record(new CallShown(receipt));
    }
  }

  /** One block is the end of one of those that are the same call. */
  private static boolean find(SubmitterStep step, LedgerReceipt receipt) {
    var found =
        step.state().publics().values().stream()
            .filter(each -> each.state() == PublicState.WAITING)
            .filter(step.state()::isOfBefore)
            .filter(each -> isIt(each, receipt))
            .findFirst();
    found.ifPresent(
        each -> step.move(each, PublicEvent.EXECUTED, new Outcome(Optional.of(receipt), "")));
    return found.isPresent();
  }

  private static boolean isIt(Public each, LedgerReceipt receipt) {
    return receipt
        .called()
        .filter(it -> isNow(each, it) || each.former().contains(it.call()))
        .isPresent();
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
    boolean executed = isIt(live, receipt);
    var outcome = new Outcome(Optional.of(receipt), live.refusal().orElse(""));
    step.move(live, executed ? PublicEvent.EXECUTED : PublicEvent.NONCE_TAKEN, outcome);
    step.move(carrier, CarrierEvent.USED);
    if (!executed) {
      find(step, receipt);
    }
  }

  /** Not what it was before its caller changed it. */
  private static boolean isNow(Public live, LedgerReceipt.Called called) {
    return called.call().equals(PublicCall.of(live.transaction()).hash());
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
            isNow(executed, called) ? called.failure() : Optional.of(Receipt.CHANGED_TOO_LATE),
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
    var paid =
        outcome
            .receipt()
            .filter(used -> used.results().contains(new LedgerReceipt.NonceUsed()))
            .map(GasPaid::by)
            .orElse(GasPaid.NONE);
    step.record(new PublicNonceLost(lost.nonce().orElseThrow(), paid));
    Submitting.count(step, paid);
  }

  /**
   * While something is to send along what the key is not known to have, or the pool found that it
   * has not (PUB-7).
   */
  static void askForBalance(SubmitterStep step) {
    var state = step.state();
    boolean soon =
        state
            .balanceAsked()
            .filter(at -> at.plus(BALANCE_INTERVAL).isAfter(step.now()))
            .isPresent();
    if (!soon
        && (state.publics().values().stream().anyMatch(state::waitsForMeans)
            || state.carriers().values().stream().anyMatch(each -> isUnpaid(state, each)))) {
      step.become(state.withBalanceAsked(Optional.of(step.now())));
      step.effect(new SubmitterEffect.QueryBalance());
    }
  }

  private static boolean isUnpaid(SubmitterState state, Carrier carrier) {
    return carrier.state() == CarrierState.UNFUNDED
        && !carrier.underway()
        && carriedBy(state, carrier)
            .filter(it -> it.transaction().value().signum() > 0)
            .isPresent();
  }

  /**
   * What has a nonce comes first, then what waits for one, in its order; what the key has not
   * enough for is passed over (PUB-7).
   */
  static void onBalanceKnown(SubmitterStep step, BalanceKnown known) {
    var left = known.balance();
    for (var carrier : List.copyOf(step.state().carriers().tailMap(known.next()).values())) {
      if (isUnpaid(step.state(), carrier) && left.compareTo(cost(step, carrier)) < 0) {
        step.move(carrier, CarrierEvent.UNPAID);
      }
      left = left.subtract(cost(step, step.carrier(carrier.nonce())));
    }
    var gas = step.offered();
    PMap<Long, Means> means = HashTrie.empty();
    var lacking = new ArrayList<Public>();
    for (var each : step.state().publics().values()) {
      var value = each.transaction().value();
      if (each.state() == PublicState.WAITING && value.signum() > 0) {
        var cost = value.add(gas.cost(each.transaction().gas()));
        if (left.compareTo(value) < 0) {
          lacking.add(each);
          means = means.plus(each.order(), Means.LACKS);
        } else {
          means = means.plus(each.order(), left.compareTo(cost) < 0 ? Means.NO_GAS : Means.ENOUGH);
          left = left.subtract(cost);
        }
      }
    }
    step.become(step.state().withMeans(means));
    lacking.stream()
        .skip(MOST_LACKING)
        .filter(each -> !mayBeSent(step.state(), each))
        .forEach(each -> step.move(each, PublicEvent.DROPPED, tooMany(each, known)));
    storeDue(step);
    Submitting.handIn(step);
    Submitting.useGas(step);
  }

  private static BigInteger cost(SubmitterStep step, Carrier carrier) {
    var item = Submitting.item(step, carrier);
    return item.call().value().add(item.fees().cost(item.gasLimit()));
  }

  private static Outcome tooMany(Public lacking, BalanceKnown known) {
    return new Outcome(
        Optional.empty(),
        "The key has not the money that this sends along: it sends %s, the key has %s, and %d others wait for theirs before it. Send it again when the key has it."
            .formatted(lacking.transaction().value(), known.balance(), MOST_LACKING));
  }

  static void drop(SubmitterStep step, Public dropped, Outcome outcome) {
    var nothing = new Receipt.Called(Optional.empty(), Bytes.EMPTY, Optional.empty());
    var failure = Optional.of(outcome.reason());
    step.record(
        new PublicDropped(
            dropped.order(), receipt(step, dropped, Optional.empty(), failure, nothing)));
  }

  /** What keeps a caller's change from being made; empty if nothing does (PUB-8). */
  static Optional<ChangeRefusal> refusal(
      SubmitterState state, TransactionId id, Gas gas, Optional<Fees> fees) {
    var found = state.publicOf(id);
    if (found.isEmpty()) {
      return Optional.of(ChangeRefusal.NOT_HERE);
    } else if (fees.filter(asked -> !gas.ceiling().cover(asked)).isPresent()) {
      return Optional.of(ChangeRefusal.TOO_DEAR);
    }
    if (mayBeSent(state, found.get())) {
      return Optional.of(ChangeRefusal.MAYBE_SENT);
    }
    return switch (found.get().state()) {
      case REFUSED, ENDED, TOLD -> Optional.of(ChangeRefusal.ENDING);
      case WAITING, CARRIED ->
          found.get().former().size() < MOST_CHANGES
              ? Optional.empty()
              : Optional.of(ChangeRefusal.TOO_OFTEN);
    };
  }

  private static boolean mayBeSent(SubmitterState state, Public each) {
    return state.isOfBefore(each) && !state.isCaughtUp();
  }

  /** Under its nonce: one of all that it was comes into a block, at most. */
  static void onReplaced(SubmitterStep step, PublicTransaction by, Optional<Fees> fees) {
    var gas = step.setup.gas();
    if (refusal(step.state(), by.id(), gas, fees).isPresent()) {
      return;
    }
    var before = step.state().publicOf(by.id()).orElseThrow();
    var carrier = before.nonce().map(step::carrier);
    var offered =
        carrier.map(
            each -> {
              var least =
                  each.submissions().isEmpty() && !each.underway()
                      ? each.fees()
                      : gas.increased(each.fees());
              return fees.map(least::orMore).orElse(least);
            });
    step.record(new PublicChanged(before.order(), by, offered));
    outdate(step, carrier);
    goOn(step);
  }

  static void onCancelled(SubmitterStep step, TransactionId id) {
    var found = step.state().publicOf(id);
    if (found.isEmpty() || mayBeSent(step.state(), found.get())) {
      return;
    }
    var it = found.get();
    var carrier = it.nonce().map(step::carrier);
    switch (it.state()) {
      case WAITING ->
          step.move(it, PublicEvent.DROPPED, new Outcome(Optional.empty(), "It was cancelled."));
      case CARRIED ->
          step.move(
              it,
              PublicEvent.INVALID,
              new Outcome(Optional.empty(), "It was cancelled: its nonce was used for nothing."));
      case REFUSED, ENDED, TOLD -> {}
    }
    outdate(step, carrier);
    goOn(step);
  }

  /** What the pool is being handed says nothing of what it is to have now. */
  private static void outdate(SubmitterStep step, Optional<Carrier> before) {
    before
        .filter(each -> each.underway() || each.outdated())
        .map(each -> step.carrier(each.nonce()))
        .ifPresent(each -> step.put(each.withOutdated(true)));
  }

  private static void goOn(SubmitterStep step) {
    step.become(step.state().withBalanceAsked(Optional.empty()));
    askForBalance(step);
    storeDue(step);
    Submitting.handIn(step);
    Submitting.useGas(step);
  }

  /**
   * Its nonce is used for nothing, so that what has later ones goes on; what was to have it stays
   * bound to it until a block tells what has used it, since a pool may have it all the same. A
   * restart forgets this, and is refused once more.
   */
  static void giveNonceUp(SubmitterStep step, Carrier unpaid, Answer answer) {
    step.effect(new Count(Counted.ABANDONED));
    step.put(unpaid.filling());
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
    step.record(
        ended.nonce().isPresent()
            ? new PublicEnded(ended.nonce().get(), receipt, paid)
            : new PublicFound(ended.order(), used.receipt().orElseThrow().nonce(), receipt, paid));
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
