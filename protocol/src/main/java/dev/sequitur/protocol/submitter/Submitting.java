package dev.sequitur.protocol.submitter;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.AboveCeiling;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.message.TransactionReverted;
import dev.sequitur.protocol.submitter.SubmitterEffect.Count;
import dev.sequitur.protocol.submitter.SubmitterEffect.Counted;
import dev.sequitur.protocol.submitter.SubmitterEffect.Item;
import dev.sequitur.protocol.submitter.SubmitterEffect.UseGas;
import dev.sequitur.protocol.submitter.SubmitterEvent.Abandoned;
import dev.sequitur.protocol.submitter.SubmitterEvent.NonceMoved;
import dev.sequitur.protocol.submitter.SubmitterEvent.Notifying;
import dev.sequitur.protocol.submitter.SubmitterEvent.Packed;
import dev.sequitur.protocol.submitter.SubmitterEvent.Refused;
import dev.sequitur.protocol.submitter.SubmitterEvent.Repriced;
import dev.sequitur.protocol.submitter.SubmitterEvent.Settled;
import dev.sequitur.protocol.submitter.SubmitterInput.BlockIndexed;
import dev.sequitur.protocol.submitter.SubmitterInput.PoolKnown;
import dev.sequitur.protocol.submitter.SubmitterState.Carrier;
import dev.sequitur.protocol.submitter.SubmitterState.Live;
import dev.sequitur.protocol.submitter.SubmitterState.Means;
import dev.sequitur.protocol.submitter.SubmitterState.Owed;
import dev.sequitur.protocol.submitter.SubmitterState.Submitted;
import dev.sequitur.protocol.submitter.SubmitterStep.Answer;
import dev.sequitur.protocol.submitter.SubmitterTable.CarrierEvent;
import dev.sequitur.protocol.submitter.SubmitterTable.CarrierState;
import dev.sequitur.protocol.submitter.SubmitterTable.SubmissionEvent;
import dev.sequitur.protocol.submitter.SubmitterTable.SubmissionState;
import dev.sequitur.protocol.transaction.PublicTransaction;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Puts committed dispatches on the base ledger and follows them to their end. */
final class Submitting {
  /** Dispatches that are handed out at once. */
  private static final int BATCH = 500;

  /** Between two questions what the pool still has, if no block gives a reason to ask. */
  static final Duration POOL_INTERVAL = Duration.ofSeconds(2);

  private static final Answer NONCE_TAKEN =
      new Answer(Optional.empty(), "Its nonce was used by another transaction.", true);

  static final String UNREACHABLE = "the base ledger cannot be reached";
  static final String POOL_HAS_MORE =
      "the ledger's pool has transactions of its key that this node's records do not have";
  static final String BLOCKS_FIRST =
      "blocks that this node has yet to read have transactions of its key that its records do not have";
  private static final String SILENT = "the base ledger has not answered";

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
      if (live.state() == SubmissionState.ACCEPTED
          && isDue(step, live.tries(), live.triedAt(), live.order())) {
        step.put(live.again(step.now()));
        dispatches.add(live.dispatch());
      }
    }
    if (!dispatches.isEmpty()) {
      step.effect(new SubmitterEffect.Distribute(dispatches));
    }
  }

  static void onStored(SubmitterStep step, List<IntentKey> transactions) {
    for (var id : transactions) {
      var order = step.state().byTransaction().get(id);
      if (order != null) {
        step.move(step.state().live().get(order), SubmissionEvent.OUTPUTS_STORED, Answer.NONE);
      }
    }
    handIn(step);
  }

  static void resetTries(SubmitterStep step, Live stored, Answer answer) {
    step.put(stored.withTries(0));
  }

  /**
   * Hands the pool what is ready, old nonces first, and packs what waits into new ones. One call at
   * a time: what becomes ready meanwhile goes together in the next (SUB-8).
   */
  static void handIn(SubmitterStep step) {
    if (!step.state().nonceKnown() || step.state().handingIn()) {
      return;
    }
    var items = new ArrayList<Item>();
    int room = BATCH;
    for (var carrier : step.state().carriers().values()) {
      if (room <= 0) {
        break;
      }
      var next = overdue(step, carrier);
      if (isToBeSubmitted(step, next) && isDue(step, next.tries(), next.triedAt(), next.nonce())) {
        items.add(handedIn(step, next));
        room -= Math.max(1, next.orders().size());
      }
    }
    if (room > 0) {
      pack(step, room).forEach(carrier -> items.add(handedIn(step, carrier)));
    }
    if (!items.isEmpty()) {
      step.become(step.state().withHandingIn(true));
      boolean waits = waitsForMoney(step);
      useGas(step, waits ? all(step) : items, waits);
      step.effect(new SubmitterEffect.Submit(items));
    }
  }

  /** FND-1. */
  private static void useGas(SubmitterStep step, List<Item> items, boolean waits) {
    var use = use(step, items, waits);
    if (use.needs().signum() > 0) {
      step.effect(use);
    }
  }

  /** What waits for its gas alone needs that as what has a nonce does. */
  private static UseGas use(SubmitterStep step, List<Item> items, boolean waits) {
    var means = step.state().means();
    var poor =
        means.entrySet().stream()
            .filter(each -> each.getValue() == Means.NO_GAS)
            .map(each -> step.state().publics().get(each.getKey()).transaction())
            .toList();
    var initial = step.offered();
    return new UseGas(
        sum(
            Stream.concat(
                items.stream().map(item -> item.fees().cost(item.gasLimit())),
                poor.stream().map(each -> initial.cost(each.gas())))),
        sum(
            Stream.concat(
                items.stream().map(item -> item.call().value()),
                poor.stream().map(PublicTransaction::value))),
        waits || !poor.isEmpty(),
        means.containsValue(Means.LACKS),
        above(step));
  }

  /** Whoever sees to the key's money is told of all that it has to pay. */
  static void useGas(SubmitterStep step) {
    step.effect(use(step, all(step), waitsForMoney(step)));
  }

  private static BigInteger sum(Stream<BigInteger> amounts) {
    return amounts.reduce(BigInteger.ZERO, BigInteger::add);
  }

  /** A pool looks at all that a key has in it. */
  private static List<Item> all(SubmitterStep step) {
    return step.state().carriers().values().stream().map(carrier -> item(step, carrier)).toList();
  }

  private static AboveCeiling above(SubmitterStep step) {
    var dear = step.state().carriers().values().stream().filter(Carrier::dear).toList();
    if (isAboveCeiling(step) || !dear.stream().allMatch(Carrier::replaces)) {
      return AboveCeiling.TRANSACTIONS;
    }
    return dear.isEmpty() ? AboveCeiling.NOTHING : AboveCeiling.REPLACEMENTS;
  }

  /** A pool may take what no block does at that price. */
  private static boolean isAboveCeiling(SubmitterStep step) {
    return !step.state().carriers().isEmpty() && !step.setup.gas().ceiling().cover(charged(step));
  }

  private static Fees charged(SubmitterStep step) {
    return new Fees(step.state().baseFee(), 0);
  }

  static void onBaseFee(SubmitterStep step, long fee) {
    var before = above(step);
    boolean wasAbove = isAboveCeiling(step);
    step.become(step.state().withBaseFee(fee));
    if (before != above(step)) {
      useGas(step);
    }
    if (isAboveCeiling(step)) {
      trouble(step, step.setup.gas().tooDear(charged(step)));
    } else if (wasAbove) {
      SubmitterHeartbeats.endTrouble(step);
    }
  }

  private static boolean waitsForMoney(SubmitterStep step) {
    return step.state().carriers().values().stream()
        .anyMatch(carrier -> carrier.state() == CarrierState.UNFUNDED);
  }

  private static List<Carrier> pack(SubmitterStep step, int most) {
    var loads = Packing.pack(step.state(), step.setup.settings().limits().ledgerBatch(), most);
    if (!loads.isEmpty()) {
      var publics =
          loads.stream().flatMap(load -> load.publicly().stream()).map(step.state().publics()::get);
      var before = publics.toList();
      step.record(new Packed(loads, step.offered()));
      before.forEach(each -> PublicSubmitting.packed(step, each));
    }
    return loads.stream().map(load -> step.carrier(load.nonce())).toList();
  }

  private static Item handedIn(SubmitterStep step, Carrier carrier) {
    step.put(carrier.underway(step.now()));
    return item(step, carrier);
  }

  static Item item(SubmitterStep step, Carrier carrier) {
    var call = call(step, carrier);
    long gas =
        switch (call) {
          case LedgerTransaction.PublicCall ignored ->
              PublicSubmitting.carriedBy(step.state(), carrier).orElseThrow().transaction().gas();
          case LedgerTransaction.Deploy deploy -> step.setup.gas().limit(deploy);
          case LedgerTransaction.Invoke invoke -> step.setup.gas().limit(invoke);
          case LedgerTransaction.ChangeCommittee change -> step.setup.gas().limit(change);
          case LedgerTransaction.UseNonce nothing -> step.setup.gas().limit(nothing);
        };
    return new Item(carrier.nonce(), carrier.fees(), gas, call);
  }

  private static boolean isToBeSubmitted(SubmitterStep step, Carrier carrier) {
    return !carrier.underway()
        && switch (carrier.state()) {
          // After a restart the state store is asked again.
          case READY, UNFUNDED ->
              step.state().carriedBy(carrier).stream()
                  .allMatch(live -> live.state() == SubmissionState.STORED);
          case FILLING -> carrier.submissions().isEmpty();
          case POOLED, USED -> false;
        };
  }

  private static LedgerTransaction.Call call(SubmitterStep step, Carrier carrier) {
    if (carrier.state() == CarrierState.FILLING) {
      return new LedgerTransaction.UseNonce();
    }
    return PublicSubmitting.carriedBy(step.state(), carrier)
        .<LedgerTransaction.Call>map(it -> LedgerTransaction.PublicCall.of(it.transaction()))
        .orElseGet(
            () ->
                new LedgerTransaction.Invoke(
                    step.state().carriedBy(carrier).stream()
                        .map(live -> live.dispatch().prepared())
                        .toList()));
  }

  static boolean isDue(SubmitterStep step, int tries, Instant triedAt, long salt) {
    if (tries == 0) {
      return true;
    }
    var wait = step.setup.settings().delivery().resend().wait(tries, (int) salt);
    return !triedAt.plus(wait).isAfter(step.now());
  }

  private static Carrier overdue(SubmitterStep step, Carrier carrier) {
    var after = step.setup.gas().overdueAfter();
    if (carrier.submissions().isEmpty() || carrier.triedAt().plus(after).isAfter(step.now())) {
      return carrier;
    }
    step.move(carrier, CarrierEvent.OVERDUE);
    return step.carrier(carrier.nonce());
  }

  /**
   * A pool may lose what it has taken, and all later nonces of the key then wait for it. So the
   * ledger is asked what it still has, while something is pooled (SUB-10).
   *
   * @param interval since it was asked last
   */
  static void askForPooled(SubmitterStep step, Duration interval) {
    var asked = step.state().poolAsked();
    boolean soon = asked.isPresent() && asked.get().plus(interval).isAfter(step.now());
    if (soon) {
      return;
    }
    var pooled = new TreeMap<Long, List<TransactionHash>>();
    for (var carrier : step.state().carriers().values()) {
      if (carrier.isPooled()) {
        pooled.put(carrier.nonce(), carrier.submissions().stream().map(Submitted::hash).toList());
      }
    }
    if (!pooled.isEmpty()) {
      step.become(step.state().withPoolAsked(Optional.of(step.now())));
      step.effect(new SubmitterEffect.QueryPool(step.now(), pooled));
    }
  }

  /**
   * What is in a block that is not final yet is not overdue. What was pooled before the ledger was
   * asked, from the first nonce on that is lost, is submitted again, the very same.
   */
  static void onPoolKnown(SubmitterStep step, PoolKnown known) {
    long lost = known.lost().orElse(Long.MAX_VALUE);
    for (var carrier : List.copyOf(step.state().carriers().values())) {
      if (!carrier.isPooled()) {
        continue;
      }
      if (carrier.nonce() < known.used()) {
        step.put(carrier.withTriedAt(step.now()));
      } else if (carrier.nonce() >= lost && carrier.triedAt().isBefore(known.asked())) {
        step.move(carrier, CarrierEvent.LOST);
      }
    }
    handIn(step);
  }

  static void submitAgain(SubmitterStep step, Carrier lost, Answer answer) {
    step.effect(new Count(Counted.LOST_BY_POOL));
    step.put(lost.withTries(0));
  }

  static void fillAgain(SubmitterStep step, Carrier lost, Answer answer) {
    submitAgain(step, lost.filling(), answer);
  }

  static void raise(SubmitterStep step, Carrier overdue, Answer answer) {
    step.effect(new Count(Counted.RESUBMITTED));
    step.put(overdue.withTries(0));
    reprice(step, overdue, step.setup.gas().more(overdue.fees(), step.state().baseFee()));
  }

  static void raiseFiller(SubmitterStep step, Carrier overdue, Answer answer) {
    raise(step, overdue.filling(), answer);
  }

  private static void reprice(SubmitterStep step, Carrier carrier, Fees fees) {
    if (!fees.equals(carrier.fees())) {
      step.record(new Repriced(carrier.nonce(), fees));
    }
  }

  static void onAnswered(SubmitterStep step, Map<Long, SubmitOutcome> outcomes) {
    step.become(step.state().withHandingIn(false));
    boolean waited = waitsForMoney(step);
    boolean wasDear = above(step) != AboveCeiling.NOTHING;
    for (var entry : outcomes.entrySet()) {
      var carrier = step.carrier(entry.getKey());
      if (carrier != null && carrier.outdated()) {
        step.put(carrier.withOutdated(false));
      } else if (carrier != null) {
        onOutcome(step, carrier, entry.getValue());
      }
    }
    askIfUsed(step, outcomes);
    PublicSubmitting.askForBalance(step);
    boolean waits =
        waitsForMoney(step)
            || outcomes.values().stream()
                .anyMatch(SubmitOutcome.InsufficientFunds.class::isInstance);
    if (waits || waited || wasDear || above(step) != AboveCeiling.NOTHING) {
      useGas(step, all(step), waits);
    }
    handIn(step);
  }

  private static void onOutcome(SubmitterStep step, Carrier carrier, SubmitOutcome outcome) {
    switch (outcome) {
      case SubmitOutcome.Pooled(var hash) ->
          step.move(carrier, CarrierEvent.POOLED, new Answer(Optional.of(hash), "", false));
      case SubmitOutcome.Underpriced underpriced -> {
        var gas = step.setup.gas();
        var fees = gas.more(carrier.fees(), step.state().baseFee()).orMore(underpriced.needed());
        boolean dear = !gas.ceiling().cover(fees);
        if (!dear) {
          reprice(step, carrier, fees);
        } else {
          var asked = charged(step).orMore(fees);
          trouble(
              step,
              carrier.replaces() && !isAboveCeiling(step)
                  ? gas.tooDearToReplace(asked)
                  : gas.tooDear(asked));
        }
        notPooled(step, carrier.nonce());
        step.put(step.carrier(carrier.nonce()).withDear(dear));
      }
      case SubmitOutcome.InsufficientFunds ignored -> {
        trouble(step, "its key has not the money for gas");
        step.move(carrier, CarrierEvent.UNFUNDED);
      }
      case SubmitOutcome.PoolFull ignored -> {
        trouble(step, "the ledger's pool is full");
        notPooled(step, carrier.nonce());
      }
      // In a block already, which may not be final: ours, perhaps at an earlier price, or
      // another's.
      case SubmitOutcome.NonceTooLow ignored -> notPooled(step, carrier.nonce());
      case SubmitOutcome.Invalid(var hash, var reason) ->
          step.move(
              carrier,
              CarrierEvent.INVALID,
              new Answer(Optional.of(hash), "Refused by the pool: " + reason, false));
    }
  }

  /** Counted once, however often the pool takes it. */
  static void onCarryingPooled(SubmitterStep step, Carrier pooled, Answer answer) {
    if (pooled.submissions().isEmpty()) {
      step.effect(new Count(Counted.SUBMITTED));
      step.state().carriedBy(pooled).forEach(live -> took(step, live));
    }
    if (!isAboveCeiling(step)) {
      SubmitterHeartbeats.endTrouble(step);
    }
    onPooled(step, pooled, answer);
  }

  /** A ledger may take a call and answer it after minutes, or never. */
  static void noticeSilence(SubmitterStep step) {
    var patience = step.setup.settings().heartbeats().submitterFailureThreshold();
    if (!step.state().handingIn() || step.state().trouble().isPresent()) {
      return;
    }
    step.state().carriers().values().stream()
        .filter(Carrier::underway)
        .map(Carrier::triedAt)
        .min(Comparator.naturalOrder())
        .filter(since -> !since.plus(patience).isAfter(step.now()))
        .ifPresent(since -> step.become(step.state().inTrouble(since, SILENT)));
  }

  static void trouble(SubmitterStep step, String why) {
    step.become(step.state().inTrouble(step.now(), why));
  }

  private static void took(SubmitterStep step, Live live) {
    live.taken()
        .map(since -> Duration.between(since, step.now()))
        .map(time -> new SubmitterEffect.Took(live.intent().transaction(), time))
        .ifPresent(step::effect);
  }

  static void onPooled(SubmitterStep step, Carrier pooled, Answer answer) {
    var hash = answer.hash().orElseThrow();
    step.put(pooled.pooled(new Submitted(step.now(), hash, pooled.fees())));
  }

  private static void notPooled(SubmitterStep step, long nonce) {
    step.move(step.carrier(nonce), CarrierEvent.NOT_POOLED);
  }

  static void tryLater(SubmitterStep step, Carrier notPooled, Answer answer) {
    step.put(notPooled.again(step.now()));
  }

  static void waitForMoney(SubmitterStep step, Carrier unfunded, Answer answer) {
    step.effect(new Count(Counted.WAITS_FOR_GAS_MONEY));
    tryLater(step, unfunded, answer);
  }

  /**
   * The ledger takes no later nonce of this key before this one is used. Which of several
   * dispatches it is about is not known: each goes on alone, so that only that one is refused
   * again. So does what a block holds of a call that reverted as a whole.
   */
  static void abandon(SubmitterStep step, Carrier invalid, Answer answer) {
    var publicly = PublicSubmitting.carriedBy(step.state(), invalid);
    if (publicly.isPresent()) {
      PublicSubmitting.onInvalid(step, publicly.get(), answer.reason());
      return;
    }
    var carried = step.state().carriedBy(invalid);
    if (carried.size() == 1) {
      step.move(carried.get(0), SubmissionEvent.INVALID, answer);
    } else {
      part(step, invalid);
    }
  }

  /**
   * What was pooled before, for less, may come into a block all the same: what uses its nonce
   * decides how it ends (SUB-3).
   */
  static void refuse(SubmitterStep step, Live refused, Answer answer) {
    refuse(step, refused.nonce().orElseThrow(), answer.reason());
  }

  static void refuse(SubmitterStep step, long nonce, String reason) {
    step.effect(new Count(Counted.ABANDONED));
    step.record(new Refused(nonce, reason));
  }

  /** Each of several dispatches goes on alone, with its own path to what was endorsed (SUB-8). */
  private static void part(SubmitterStep step, Carrier carrier) {
    step.effect(new Count(Counted.ABANDONED));
    step.record(new Abandoned(carrier.nonce()));
  }

  /** The pool says that a nonce is used; by whom, only final blocks tell. */
  private static void askIfUsed(SubmitterStep step, Map<Long, SubmitOutcome> outcomes) {
    step.state().carriers().keySet().stream()
        .filter(nonce -> outcomes.get(nonce) instanceof SubmitOutcome.NonceTooLow)
        .max(Long::compare)
        .map(SubmitterEffect.QueryUsed::new)
        .ifPresent(step::effect);
  }

  /**
   * What has one of these nonces still was in none of those blocks, at no price that it was ever
   * offered at, or that would have been told: something else has used the nonce (SUB-3, PUB-3).
   */
  static void onUsedKnown(SubmitterStep step, long next) {
    var before = step.state().carriers();
    var taken = new ArrayList<Carrier>();
    for (var carrier : List.copyOf(step.state().carriers().headMap(next).values())) {
      var publicly = PublicSubmitting.carriedBy(step.state(), carrier);
      if (publicly.isPresent()) {
        PublicSubmitting.onNonceTaken(step, carrier, publicly.get());
      } else {
        taken.add(carrier);
      }
    }
    giveUp(step, taken);
    if (next > step.state().nextNonce()) {
      step.record(new NonceMoved(next));
    }
    PublicSubmitting.storeDue(step);
    handIn(step);
    endUse(step, before);
    SubmitterHeartbeats.beatIfDone(step);
  }

  /** With nothing on its way a key needs nothing more (FND-1). */
  private static void endUse(SubmitterStep step, Map<Long, Carrier> before) {
    boolean paid = before.values().stream().anyMatch(carrier -> carrier.fees().max() > 0);
    if (paid && step.state().carriers().isEmpty()) {
      step.effect(use(step, List.of(), false));
    }
  }

  private static void giveUp(SubmitterStep step, List<Carrier> taken) {
    if (taken.isEmpty()) {
      return;
    }
    var carried =
        taken.stream().flatMap(carrier -> step.state().carriedBy(carrier).stream()).toList();
    // What has used the nonces is not ours to account for.
    step.record(new Settled(taken.stream().map(Carrier::nonce).toList(), GasPaid.NONE));
    taken.forEach(carrier -> step.move(carrier, CarrierEvent.USED));
    carried.forEach(live -> step.move(live, SubmissionEvent.NONCE_TAKEN, NONCE_TAKEN));
  }

  static void onFailed(SubmitterStep step, List<Long> nonces) {
    step.become(step.state().withHandingIn(false));
    trouble(step, UNREACHABLE);
    for (long nonce : nonces) {
      var carrier = step.carrier(nonce);
      if (carrier != null && carrier.outdated()) {
        step.put(carrier.withOutdated(false));
      } else if (carrier != null) {
        notPooled(step, nonce);
      }
    }
    handIn(step);
  }

  static void onBlock(SubmitterStep step, BlockIndexed block) {
    var before = step.state().carriers();
    var used = new ArrayList<Carrier>();
    var ended = new ArrayList<Ended>();
    boolean parted = false;
    var paid = GasPaid.NONE;
    for (var receipt : block.own()) {
      var carrier = step.carrier(receipt.nonce());
      if (carrier == null) {
        PublicSubmitting.onUnknown(step, receipt);
        continue;
      }
      var publicly = PublicSubmitting.carriedBy(step.state(), carrier);
      if (publicly.isPresent()) {
        PublicSubmitting.onReceipt(step, carrier, publicly.get(), receipt);
      } else {
        used.add(carrier);
        paid = paid.plus(GasPaid.by(receipt));
        if (receipt.isRevertedAsAWhole() && step.state().carriedBy(carrier).size() > 1) {
          part(step, carrier);
          parted = true;
        } else {
          step.state().carriedBy(carrier).forEach(live -> ended.add(ended(live, receipt)));
        }
      }
    }
    if (!used.isEmpty()) {
      step.record(new Settled(used.stream().map(Carrier::nonce).toList(), paid));
      count(step, paid);
      step.become(step.state().withSettledIn(Optional.of(block.height())));
      step.effect(new SubmitterEffect.TellSettled(block.height(), fulfilled(ended)));
    }
    used.forEach(carrier -> step.move(carrier, CarrierEvent.USED));
    ended.forEach(of -> step.move(of.live(), of.event(), of.answer()));
    if (parted) {
      handIn(step);
    }
    passUsed(step, block);
    PublicSubmitting.storeDue(step);
    if (!block.own().isEmpty()) {
      askForPooled(step, Duration.ZERO);
    }
    endUse(step, before);
    SubmitterHeartbeats.beatIfDone(step);
  }

  /**
   * A nonce that somebody else has used before anything here had it is given to nothing: no block
   * will tell of it again (PUB-3). The ledger may have used more, in blocks that are not final, so
   * it is asked for the nonce all the same.
   */
  private static void passUsed(SubmitterStep step, BlockIndexed block) {
    long next = block.own().stream().mapToLong(receipt -> receipt.nonce() + 1).max().orElse(0);
    if (next > step.state().nextNonce()) {
      step.record(new NonceMoved(next));
    }
  }

  static void count(SubmitterStep step, GasPaid paid) {
    if (!paid.equals(GasPaid.NONE)) {
      step.effect(new SubmitterEffect.CountPaid(paid));
    }
  }

  private record Ended(Live live, SubmissionEvent event, Answer answer) {}

  private static Map<ContractAddress, List<IntentKey>> fulfilled(List<Ended> ended) {
    Map<ContractAddress, List<IntentKey>> fulfilled = new LinkedHashMap<>();
    for (var of : ended) {
      if (of.event() == SubmissionEvent.FULFILLED) {
        fulfilled
            .computeIfAbsent(of.live().dispatch().contract(), contract -> new ArrayList<>())
            .add(of.live().intent());
      }
    }
    return fulfilled;
  }

  /** By the result that names its intent; without one, the nonce went to something else. */
  private static Ended ended(Live live, LedgerReceipt receipt) {
    var hash = Optional.of(receipt.hash());
    return receipt.results().stream()
        .flatMap(result -> ended(live, hash, result).stream())
        .findFirst()
        .orElseGet(
            () ->
                new Ended(
                    live,
                    SubmissionEvent.NONCE_TAKEN,
                    new Answer(hash, NONCE_TAKEN.reason(), NONCE_TAKEN.retryable())));
  }

  private static Optional<Ended> ended(
      Live live, Optional<TransactionHash> hash, LedgerReceipt.Result result) {
    return switch (result) {
      case LedgerReceipt.Fulfilled done when done.intent().equals(live.intent()) ->
          Optional.of(new Ended(live, SubmissionEvent.FULFILLED, Answer.NONE));
      case LedgerReceipt.Reverted reverted when reverted.intent().equals(live.intent()) ->
          Optional.of(refused(live, hash, reverted.reason()));
      // These are another's.
      case LedgerReceipt.Fulfilled ignored -> Optional.empty();
      case LedgerReceipt.Reverted ignored -> Optional.empty();
      case LedgerReceipt.Deployed ignored -> Optional.empty();
      case LedgerReceipt.CommitteeChanged ignored -> Optional.empty();
      case LedgerReceipt.ChangeRefused ignored -> Optional.empty();
      case LedgerReceipt.NonceUsed ignored -> Optional.empty();
      case LedgerReceipt.Called ignored -> Optional.empty();
    };
  }

  private static Ended refused(
      Live live, Optional<TransactionHash> hash, LedgerReceipt.RevertReason reason) {
    var event =
        reason == LedgerReceipt.RevertReason.INTENT_FULFILLED
            ? SubmissionEvent.OVERTAKEN
            : SubmissionEvent.REVERTED;
    var told = "The base ledger refused it: " + reason + ".";
    return new Ended(live, event, new Answer(hash, told, reason.retryable()));
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

  /** What the pool refused never came into a block. */
  static void tellRefused(SubmitterStep step, Live refused, Answer answer) {
    var reason = refused.refusal().orElse("");
    tellReverted(step, refused, new Answer(Optional.empty(), reason, false));
  }

  private static void tellCoordinator(SubmitterStep step, Live reverted) {
    var dispatch = reverted.dispatch();
    step.effect(
        new SubmitterEffect.TellReverted(dispatch.contract(), dispatch.prepared().intent()));
  }

  /** Owed until it is acknowledged, across restarts (SUB-5). */
  private static void notifySender(SubmitterStep step, Dispatch dispatch, Answer answer) {
    if (!step.isHeardBy(dispatch.sender(), dispatch.contract())) {
      return;
    }
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
