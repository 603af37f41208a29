package dev.sequitur.protocol.submitter;

import dev.sequitur.protocol.exchange.Exchange;
import dev.sequitur.protocol.exchange.Exchanges;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.protocol.machine.Machine;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.submitter.SubmitterEffect.Counted;
import dev.sequitur.protocol.submitter.SubmitterEvent.Abandoned;
import dev.sequitur.protocol.submitter.SubmitterEvent.DispatchesAccepted;
import dev.sequitur.protocol.submitter.SubmitterEvent.Load;
import dev.sequitur.protocol.submitter.SubmitterEvent.NonceMoved;
import dev.sequitur.protocol.submitter.SubmitterEvent.NoncesFreed;
import dev.sequitur.protocol.submitter.SubmitterEvent.Notified;
import dev.sequitur.protocol.submitter.SubmitterEvent.Notifying;
import dev.sequitur.protocol.submitter.SubmitterEvent.Packed;
import dev.sequitur.protocol.submitter.SubmitterEvent.PublicDropped;
import dev.sequitur.protocol.submitter.SubmitterEvent.PublicEnded;
import dev.sequitur.protocol.submitter.SubmitterEvent.PublicNonceLost;
import dev.sequitur.protocol.submitter.SubmitterEvent.PublicsTaken;
import dev.sequitur.protocol.submitter.SubmitterEvent.Refused;
import dev.sequitur.protocol.submitter.SubmitterEvent.Repriced;
import dev.sequitur.protocol.submitter.SubmitterEvent.Settled;
import dev.sequitur.protocol.submitter.SubmitterInput.Acknowledged;
import dev.sequitur.protocol.submitter.SubmitterInput.BalanceKnown;
import dev.sequitur.protocol.submitter.SubmitterInput.BlockIndexed;
import dev.sequitur.protocol.submitter.SubmitterInput.DispatchReceived;
import dev.sequitur.protocol.submitter.SubmitterInput.NonceFell;
import dev.sequitur.protocol.submitter.SubmitterInput.NonceKnown;
import dev.sequitur.protocol.submitter.SubmitterInput.OutputsStored;
import dev.sequitur.protocol.submitter.SubmitterInput.PoolKnown;
import dev.sequitur.protocol.submitter.SubmitterInput.PublicsNotRead;
import dev.sequitur.protocol.submitter.SubmitterInput.PublicsRead;
import dev.sequitur.protocol.submitter.SubmitterInput.PublicsWaiting;
import dev.sequitur.protocol.submitter.SubmitterInput.Started;
import dev.sequitur.protocol.submitter.SubmitterInput.SubmitAnswered;
import dev.sequitur.protocol.submitter.SubmitterInput.SubmitFailed;
import dev.sequitur.protocol.submitter.SubmitterInput.Tick;
import dev.sequitur.protocol.submitter.SubmitterInput.UsedKnown;
import dev.sequitur.protocol.submitter.SubmitterState.Owed;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.pcollections.TreePMap;

/**
 * The submitter of one signing key. One nonce sequence per key and one order within each
 * base-ledger transaction, that of dispatch, so that dependants reach the base ledger after what
 * they depend on (SUB-2).
 */
public final class Submitter {
  /** Nonces that are used for nothing after a reorganisation, at most: more nobody has lost. */
  private static final long MOST_FREED = 10_000;

  private final SubmitterSetup setup;

  public Submitter(SubmitterSetup setup) {
    this.setup = setup;
  }

  public SubmitterSetup setup() {
    return setup;
  }

  public Machine<SubmitterInput, SubmitterState, SubmitterEvent, SubmitterEffect> machine() {
    return new Machine<>(
        SubmitterState.initial(),
        this::decide,
        this::evolve,
        now -> Optional.of(new SubmitterInput.Started(now.toEpochMilli())),
        new SubmitterInput.Tick());
  }

  /** Why a public transaction is not changed as its caller asks. */
  public enum ChangeRefusal {
    /** This submitter does not have it: it waits for its turn in the node store, or has ended. */
    NOT_HERE,
    /** It has ended, or the pool has refused it and its nonce is being used. */
    ENDING,
    /**
     * Blocks that were not read may have it: a life with newer records may have sent it (PUB-9).
     */
    MAYBE_SENT,
    /** It was changed as often as it may be. */
    TOO_OFTEN,
    /** Its fees would be above what the node ever pays. */
    TOO_DEAR
  }

  /** What keeps a change from being made; empty if nothing does (PUB-8). */
  public Optional<ChangeRefusal> refusal(
      SubmitterState state, TransactionId transaction, Optional<Fees> fees) {
    return PublicSubmitting.refusal(state, transaction, setup.gas(), fees);
  }

  /** Pure: the same state, input and time give the same decision. */
  public Decision<SubmitterState, SubmitterEvent, SubmitterEffect> decide(
      SubmitterState state, SubmitterInput input, Instant now) {
    var step = new SubmitterStep(setup, state, now, this::evolve);
    switch (input) {
      case DispatchReceived(var dispatches) -> onDispatches(step, dispatches);
      case OutputsStored(var transactions) -> Submitting.onStored(step, transactions);
      case SubmitAnswered(var outcomes) -> Submitting.onAnswered(step, outcomes);
      case SubmitFailed(var nonces) -> Submitting.onFailed(step, nonces);
      case BlockIndexed block -> Submitting.onBlock(step, block);
      case NonceKnown(var next, var pending) -> onNonceKnown(step, next, pending);
      case NonceFell(var next) -> onNonceFell(step, next);
      case SubmitterInput.BaseFeeKnown(var fee) -> Submitting.onBaseFee(step, fee);
      case PoolKnown known -> Submitting.onPoolKnown(step, known);
      case BalanceKnown known -> PublicSubmitting.onBalanceKnown(step, known);
      case UsedKnown(var next) -> Submitting.onUsedKnown(step, next);
      case Acknowledged acknowledged -> onAcknowledged(step, acknowledged);
      case PublicsWaiting ignored -> PublicSubmitting.onWaiting(step);
      case PublicsRead(var transactions) -> PublicSubmitting.onRead(step, transactions);
      case SubmitterInput.PublicReplaced(var by, var fees) ->
          PublicSubmitting.onReplaced(step, by, fees);
      case SubmitterInput.PublicCancelled(var transaction) ->
          PublicSubmitting.onCancelled(step, transaction);
      case PublicsNotRead ignored -> PublicSubmitting.onNotRead(step);
      case SubmitterInput.ReceiptsStored(var transactions) ->
          PublicSubmitting.onStored(step, transactions);
      case Tick ignored -> onTick(step);
      case Started(var incarnation) -> onStarted(step, incarnation);
    }
    return step.finish();
  }

  /** Repeats a durable change on recovery. */
  public SubmitterState evolve(SubmitterState state, SubmitterEvent event) {
    return switch (event) {
      case DispatchesAccepted(var dispatches) -> accept(state, dispatches);
      case Packed(var loads, var fees) -> pack(state, loads, fees);
      case Repriced(var nonce, var fees) -> {
        var carrier = state.carriers().get(nonce);
        yield carrier == null ? state : state.put(carrier.withFees(fees));
      }
      case Abandoned(var nonce) -> state.abandon(nonce);
      case Settled(var nonces, var paid) -> state.settle(nonces, paid);
      case Notifying(var sender, var notification) ->
          state.withOwed(
              state.owed().plus(notification.notificationId(), new Owed(sender, notification)));
      case Notified notified -> state.withOwed(state.owed().minus(notified.notification()));
      case NonceMoved(var next) -> state.moved(next);
      case NoncesFreed(var from, var to, var fees) -> state.fill(from, to, fees);
      case PublicsTaken(var transactions) -> state.take(transactions);
      case Refused(var nonce, var reason) -> state.refuse(nonce, reason);
      case PublicNonceLost(var nonce, var paid) -> state.loseNonce(nonce, paid);
      case SubmitterEvent.PublicChanged(var order, var by, var fees) ->
          state.change(order, by, fees);
      case PublicDropped(var order, var receipt) -> state.drop(order, receipt);
      case SubmitterEvent.CallShown(var receipt) -> state.show(receipt);
      case SubmitterEvent.ShownForgotten ignored -> state.withShown(TreePMap.empty());
      case SubmitterEvent.PublicFound found -> state.find(found);
      case PublicEnded(var nonce, var receipt, var paid) -> state.end(nonce, receipt, paid);
      case SubmitterEvent.ReceiptsStored(var transactions) -> state.forget(transactions);
    };
  }

  private static SubmitterState accept(SubmitterState state, List<Dispatch> dispatches) {
    var next = state;
    for (var dispatch : dispatches) {
      next = next.accept(dispatch);
    }
    return next;
  }

  private static SubmitterState pack(SubmitterState state, List<Load> loads, Fees fees) {
    var next = state;
    for (var load : loads) {
      var orders =
          load.publicly()
              .map(List::of)
              .orElseGet(
                  () -> load.transactions().stream().map(state.byTransaction()::get).toList());
      next = next.pack(load.nonce(), orders, fees);
    }
    return next;
  }

  private static void onStarted(SubmitterStep step, long incarnation) {
    step.become(step.state().started(incarnation));
    oweNothingToWhoLeft(step);
    Exchanges<RequestId> exchanges = Exchanges.none();
    for (var owed : step.state().owed().values()) {
      var exchange = notification(step, owed);
      exchanges = exchanges.begin(owed.notification().notificationId(), exchange);
      step.send(exchange);
    }
    step.become(step.state().withExchanges(exchanges));
    step.effect(new SubmitterEffect.QueryNonce());
    // What was committed before the restart may not have been handed on.
    Submitting.distributeDue(step, step.state().live().values());
    PublicSubmitting.storeDue(step);
  }

  static Exchange notification(SubmitterStep step, Owed owed) {
    var backoff = step.setup.settings().delivery().resendNotification();
    return Exchange.reliableNotification(owed.sender(), owed.notification(), backoff, step.now());
  }

  /**
   * The ledger may know more of this key than this node, after its database was lost (RCV-3). What
   * the pool has and the records have not will be used, or is lost: until then no nonce is given.
   */
  private static void onNonceKnown(SubmitterStep step, long next, long pending) {
    var open = step.state().carriers();
    if (next < (open.isEmpty() ? step.state().nextNonce() : open.firstKey())) {
      // Final blocks have used it: who says so was restored from a backup, or lies behind (CHN-3).
      step.effect(new SubmitterEffect.Count(Counted.LEDGER_FELL_BACK));
    }
    if (PublicSubmitting.waitsForBlocks(step, Math.max(next, pending))) {
      Submitting.trouble(step, Submitting.BLOCKS_FIRST);
      step.become(step.state().withNonceKnown(false));
      if (next > step.state().nextNonce()) {
        step.effect(new SubmitterEffect.QueryUsed(next - 1));
      }
      return;
    }
    if (next > step.state().nextNonce()) {
      step.record(new NonceMoved(next));
    }
    if (pending > step.state().nextNonce()) {
      Submitting.trouble(step, Submitting.POOL_HAS_MORE);
      step.become(step.state().withNonceKnown(false));
      return;
    }
    step.become(step.state().withNonceKnown(true));
    SubmitterHeartbeats.endTrouble(step);
    Submitting.handIn(step);
  }

  /**
   * What has no nonce yet gets those that are free again. If some are given that come after them,
   * these are used for nothing, since the ledger takes no later one before (CNF-12).
   */
  private static void onNonceFell(SubmitterStep step, long next) {
    var open = step.state().carriers();
    long first = open.isEmpty() ? step.state().nextNonce() : open.firstKey();
    if (next >= first) {
      return;
    }
    if (open.isEmpty()) {
      step.record(new NonceMoved(next));
    } else if (first - next <= MOST_FREED) {
      step.record(new NoncesFreed(next, first, step.offered()));
    } else {
      step.effect(new SubmitterEffect.Count(Counted.LEDGER_FELL_BACK));
    }
    Submitting.handIn(step);
  }

  /** The same transaction again is committed already (SUB-1): it keeps its place. */
  private static void onDispatches(SubmitterStep step, List<Dispatch> dispatches) {
    var fresh = new ArrayList<Dispatch>();
    var seen = new LinkedHashSet<IntentKey>();
    for (var dispatch : dispatches) {
      var id = dispatch.prepared().intent();
      if (!step.state().byTransaction().containsKey(id) && seen.add(id)) {
        fresh.add(dispatch);
      }
    }
    if (!fresh.isEmpty()) {
      long first = step.state().nextOrder();
      step.record(new DispatchesAccepted(fresh));
      Submitting.distributeDue(step, step.state().live().tailMap(first, true).values());
    }
    Map<ContractAddress, List<IntentKey>> committed = new LinkedHashMap<>();
    for (var dispatch : dispatches) {
      committed
          .computeIfAbsent(dispatch.contract(), contract -> new ArrayList<>())
          .add(dispatch.prepared().intent());
    }
    step.effect(new SubmitterEffect.TellCommitted(committed));
    if (!fresh.isEmpty()) {
      SubmitterHeartbeats.beatForNew(step, committed.keySet());
    }
  }

  private static void onAcknowledged(SubmitterStep step, Acknowledged acknowledged) {
    var id = acknowledged.received().message().notificationId();
    var owed = step.state().owed().get(id);
    // Ids can be guessed: nobody else may say that the sender knows.
    if (owed != null && owed.sender().equals(acknowledged.received().from())) {
      step.record(new Notified(id, owed.notification().transaction()));
      step.become(step.state().withExchanges(step.state().exchanges().end(id)));
    }
  }

  /** Else it would be told for ever who does not listen (CMT-8). */
  private static void oweNothingToWhoLeft(SubmitterStep step) {
    for (var owed : step.state().owed().values()) {
      var notification = owed.notification();
      if (!step.isHeardBy(owed.sender(), notification.contract())) {
        var id = notification.notificationId();
        step.record(new Notified(id, notification.transaction()));
        step.become(step.state().withExchanges(step.state().exchanges().end(id)));
      }
    }
  }

  private static void onTick(SubmitterStep step) {
    oweNothingToWhoLeft(step);
    var ticked = step.state().exchanges().tick(step.now());
    step.become(step.state().withExchanges(ticked.rest()));
    ticked.resend().forEach(step::send);
    if (!step.state().nonceKnown() && step.state().hasWork()) {
      // The ledger could not be reached when it was asked, or its pool has more than is known here.
      if (step.state().trouble().isEmpty()) {
        Submitting.trouble(step, Submitting.UNREACHABLE);
      }
      step.effect(new SubmitterEffect.QueryNonce());
    }
    Submitting.noticeSilence(step);
    if (!step.state().hasWork()) {
      SubmitterHeartbeats.endTrouble(step);
    }
    Submitting.distributeDue(step, step.state().live().values());
    PublicSubmitting.read(step);
    PublicSubmitting.storeDue(step);
    Submitting.askForPooled(step, Submitting.POOL_INTERVAL);
    PublicSubmitting.askForBalance(step);
    Submitting.handIn(step);
    SubmitterHeartbeats.beat(step);
  }
}
