package dev.sequitur.schedule.chainexecution;

import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Service;
import dev.sequitur.schedule.chainexecution.ChainExecutionEvent.Failure;
import dev.sequitur.schedule.chainexecution.ChainExecutionEvent.Landing;
import dev.sequitur.schedule.chainexecution.PlanChain.Pooling;
import dev.sequitur.schedule.chainexecution.PlanChain.Sent;
import dev.sequitur.schedule.chainexecution.Reading.End;
import dev.sequitur.schedule.chainexecution.Reading.Logged;
import dev.sequitur.schedule.chainexecution.Reading.Seen;
import dev.sequitur.schedule.chainexecution.ToDo.Known;
import dev.sequitur.schedule.chainexecution.ToDo.Waiting;
import dev.sequitur.schedule.plan.PlanExecutionState;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What the provider decides with one look at the chain: what receipts mean, what is sent, what is
 * offered more for, and what all wait for. Lives for one decision.
 */
final class Round {
  private static final String NO_MONEY =
      "The provider's account has too little money for gas: fund it.";

  private final Providing.Settings settings;
  private final PlanChain chain;
  private final Known known;
  private final ChainLook view;
  private final BlockTiming timing;
  private final Map<Long, Sent> refused;
  private final long used;
  private final List<Landing> landings = new ArrayList<>();
  private final Map<ScheduleId, Failure> failures = new HashMap<>();
  private final List<ProviderDispatch> changed = new ArrayList<>();

  /** Those that no block has used, by nonce. */
  private final TreeMap<Long, ProviderDispatch> waiting = new TreeMap<>();

  private String trouble = "";

  /**
   * @param refused what the chain's node said of what was sent and is not in its pool, by nonce
   * @param used the first nonce of the account that no block had when an older block was the newest
   */
  Round(
      Providing.Settings settings,
      PlanChain chain,
      Known known,
      ChainLook view,
      BlockTiming timing,
      Map<Long, Sent> refused,
      long used) {
    this.settings = settings;
    this.chain = chain;
    this.known = known;
    this.view = view;
    this.timing = timing;
    this.refused = refused;
    this.used = used;
  }

  /**
   * @param waiting all dispatches that wait for their block, by nonce
   */
  record Decided(Advance advance, List<ProviderDispatch> waiting) {
    /** Whether there is anything to be stored. */
    boolean changes(Known known) {
      return advance.reading().isPresent()
          || !advance.gone().isEmpty()
          || !advance.landings().isEmpty()
          || !advance.failures().isEmpty()
          || !advance.dispatches().isEmpty()
          || known.contract().isEmpty()
          || known.paused() != advance.paused()
          || !known.trouble().equals(advance.trouble());
    }
  }

  Decided decide() {
    known.dispatches().forEach(this::land);
    waiting.values().stream().toList().forEach(this::offerMore);
    if (refused.values().stream().anyMatch(sent -> sent.pooling() == Pooling.NO_MONEY)) {
      trouble = NO_MONEY;
    }
    if (known.service() == Service.ACTIVE && !view.paused()) {
      refuseTooLarge();
      sendNew();
    }
    fillGaps();
    var advance =
        new Advance(
            chain.contract(),
            view.reading().map(this::withUnseen),
            gone(),
            landings,
            failures,
            changed,
            view.paused(),
            trouble);
    return new Decided(advance, List.copyOf(waiting.values()));
  }

  /** What a receipt means (PRV-9). One that a reorganisation took from its block waits again. */
  private void land(ProviderDispatch dispatch) {
    long nonce = dispatch.nonce();
    var invalid =
        Optional.ofNullable(refused.get(nonce)).filter(sent -> sent.pooling() == Pooling.INVALID);
    var receipt = Optional.ofNullable(view.receipts().get(nonce));
    if (nonce >= view.account().nonce()) {
      if (invalid.isPresent()) {
        landings.add(new Landing(nonce, Optional.empty()));
        fail(
            dispatch.execution(),
            "The chain's node does not take it: " + invalid.get().words() + ".");
      } else {
        waiting.put(nonce, dispatch);
      }
    } else if (dispatch.isWaiting() && receipt.isEmpty() && nonce >= used) {
      // A node that is making a block may count what is in it, and have no receipts of it yet.
      waiting.put(nonce, dispatch);
    } else if (dispatch.isWaiting()) {
      // Without a receipt its nonce was used by something else: another may follow.
      landings.add(new Landing(nonce, receipt.map(ChainLook.Receipt::block)));
      if (state(dispatch.execution()) == PlanExecutionState.SCHEDULED) {
        receipt
            .flatMap(ChainLook.Receipt::failure)
            .ifPresent(why -> fail(dispatch.execution(), why));
      }
    }
  }

  /** When it is tried again (PRV-10). */
  private void fail(ScheduleId id, String why) {
    var before =
        known.waiting().stream()
            .filter(each -> each.id().equals(id))
            .findAny()
            .map(Waiting::failure)
            .orElse(Failure.NONE);
    int count = before.count() + 1;
    long wait = settings.backoff().wait(count, 0).toSeconds();
    failures.put(
        id,
        new Failure(
            count, why, count < settings.tries() ? view.newest().time() + wait : ChainPlan.MOST));
  }

  /** What no block has room for would keep those behind it waiting. */
  private void refuseTooLarge() {
    for (var each : known.waiting()) {
      long gas = gas(each);
      if (gas > view.blockGas() && !each.failure().isLast()) {
        failures.put(
            each.id(),
            new Failure(
                each.failure().count(),
                "It needs " + gas + " gas, and a block may use " + view.blockGas() + ".",
                ChainPlan.MOST));
      }
    }
  }

  private long gas(Waiting each) {
    return settings.gas().limit(each.plan().gasLimit(), each.terms().dataSize());
  }

  /**
   * A nonce that was given away to what the chain's node then refused: what has a higher one would
   * wait for ever. The last of these goes out under it, too; one of the two then does nothing.
   */
  private void fillGaps() {
    while (!waiting.isEmpty() && nextNonce() < waiting.lastKey()) {
      var last = waiting.lastEntry().getValue();
      var fees = last.newest().fees();
      send(nextNonce(), last.execution(), last.gasLimit(), fees);
    }
  }

  private void send(long nonce, ScheduleId execution, long gas, Fees fees) {
    put(
        new ProviderDispatch(
            nonce,
            execution,
            gas,
            List.of(offer(nonce, execution, gas, fees)),
            view.newest().number(),
            Optional.empty()));
  }

  private void offerMore(ProviderDispatch dispatch) {
    boolean underpriced =
        Optional.ofNullable(refused.get(dispatch.nonce()))
            .filter(sent -> sent.pooling() == Pooling.UNDERPRICED)
            .isPresent();
    boolean old = view.newest().number() - dispatch.sentAt() >= settings.bumpAfter();
    if ((old || underpriced) && dispatch.offers().size() < ProviderDispatch.MOST_OFFERS) {
      settings
          .price()
          .again(dispatch.newest().fees(), view.baseFee())
          .ifPresent(
              fees ->
                  put(
                      dispatch.offering(
                          offer(dispatch.nonce(), dispatch.execution(), dispatch.gasLimit(), fees),
                          view.newest().number())));
    }
  }

  private ProviderDispatch.Offer offer(long nonce, ScheduleId execution, long gasLimit, Fees fees) {
    Hash hash = chain.hash(nonce, execution, gasLimit, fees);
    return new ProviderDispatch.Offer(fees, hash);
  }

  private void put(ProviderDispatch dispatch) {
    changed.add(dispatch);
    waiting.put(dispatch.nonce(), dispatch);
  }

  /** Whose window ends first goes first (PRV-5). */
  private void sendNew() {
    var due = due();
    if (due.isEmpty()) {
      return;
    }
    var fees = settings.price().at(view.baseFee());
    if (fees.isEmpty()) {
      trouble =
          "The chain charges more for gas than may be paid: raise --max-fee, or wait until it"
              + " charges less.";
      return;
    }
    var left = view.account().balance();
    for (var dispatch : waiting.values()) {
      left = left.subtract(cost(dispatch.gasLimit(), dispatch.newest().fees()));
    }
    for (var each : due) {
      if (waiting.size() >= settings.atOnce()) {
        return;
      }
      long gas = gas(each);
      left = left.subtract(cost(gas, fees.get()));
      if (left.signum() < 0) {
        trouble = NO_MONEY;
        return;
      }
      send(nextNonce(), each.id(), gas, fees.get());
    }
  }

  private List<Waiting> due() {
    var sent = new HashSet<ScheduleId>();
    waiting.values().forEach(dispatch -> sent.add(dispatch.execution()));
    return known.waiting().stream()
        .filter(each -> !sent.contains(each.id()) && !failures.containsKey(each.id()))
        .filter(this::isDue)
        .sorted(
            Comparator.comparingLong((Waiting each) -> each.plan().last(each.terms().timestamp())))
        .toList();
  }

  private boolean isDue(Waiting each) {
    long requested = each.terms().timestamp();
    return state(each.id()) == PlanExecutionState.SCHEDULED
        && each.plan().never(requested).isEmpty()
        && timing.of(each.plan(), requested) == BlockTiming.Verdict.SEND
        && each.failure().notBefore() <= view.newest().time();
  }

  /**
   * The lowest nonce that neither a block nor a pending dispatch uses. A nonce that was lost is
   * used again.
   */
  private long nextNonce() {
    long next = view.account().nonce();
    while (waiting.containsKey(next)) {
      next++;
    }
    return next;
  }

  private static BigInteger cost(long gas, Fees fees) {
    return BigInteger.valueOf(gas).multiply(BigInteger.valueOf(fees.max()));
  }

  private PlanExecutionState state(ScheduleId id) {
    return view.states().get(id);
  }

  /**
   * What the contract's state says of executions whose logs were missed (PRV-8); once the logs are
   * read up to the newest block.
   */
  private Reading withUnseen(Reading reading) {
    if (reading.to().number() < view.newest().number()) {
      return reading;
    }
    var logs = new ArrayList<>(reading.logs());
    for (var each : known.waiting()) {
      var end = Optional.ofNullable(state(each.id())).flatMap(Round::end);
      boolean logged =
          reading.logs().stream()
              .anyMatch(log -> log instanceof Logged.OfExecution of && of.id().equals(each.id()));
      if (end.isPresent() && !logged) {
        logs.add(new Seen(view.newest().number(), each.id(), end.get()));
      }
    }
    return new Reading(reading.after(), logs, reading.to(), reading.settled(), reading.plans());
  }

  private static Optional<End> end(PlanExecutionState state) {
    return switch (state) {
      case EXECUTION_SUCCESSFUL -> Optional.of(new End.Executed(Optional.empty()));
      case EXECUTION_FAILED ->
          Optional.of(new End.Executed(Optional.of("Its call failed, and the log says no more.")));
      case CANCELLED -> Optional.of(new End.Cancelled());
      case REFUNDED -> Optional.of(new End.Refunded());
      case NONEXISTENT, SCHEDULED, OVERDUE -> Optional.empty();
    };
  }

  /** A reorganisation so deep that its request was final. A node that lags behind says nothing. */
  private List<ScheduleId> gone() {
    long read = known.read().map(Reading.Point::number).orElse(0L);
    if (view.newest().number() < read) {
      return List.of();
    }
    return known.waiting().stream()
        .map(Waiting::id)
        .filter(id -> state(id) == PlanExecutionState.NONEXISTENT)
        .toList();
  }
}
