package dev.sequitur.protocol.submitter;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.exchange.Exchanges;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.HeartbeatSequence;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerTransaction.PublicCall;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.message.TransactionReverted;
import dev.sequitur.protocol.submitter.SubmitterTable.CarrierState;
import dev.sequitur.protocol.submitter.SubmitterTable.PublicState;
import dev.sequitur.protocol.submitter.SubmitterTable.SubmissionState;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.protocol.trie.HashTrie;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.pcollections.PMap;
import org.pcollections.PSet;
import org.pcollections.PVector;
import org.pcollections.TreePMap;
import org.pcollections.TreePVector;

/**
 * All that a submitter knows of one signing key. The dispatches, the base-ledger transactions that
 * carry them, their nonces and prices and the notifications that are owed survive a restart.
 *
 * @param nextNonce of the next base-ledger transaction; durable
 * @param nonceKnown whether the ledger was asked for it since the start, and has answered; a
 *     restart forgets it
 * @param nextOrder of the next dispatch; durable
 * @param live dispatches that are not settled, in the order of dispatch
 * @param waiting those that nothing carries yet, with whether each needs a base-ledger transaction
 *     of its own
 * @param carriers base-ledger transactions that are not settled, by nonce
 * @param byTransaction the order of each that is live
 * @param handingIn whether the pool has not answered yet
 * @param poolAsked when the ledger was asked last what its pool still has
 * @param owed notifications that are not acknowledged, with whom they go to
 * @param beatenFor contracts that were named in the last heartbeats
 * @param paid for all that is settled; durable
 * @param taken the order of acceptance of the last public transaction that was taken; durable
 * @param publics public transactions that are not told of, by their order among all that is live
 * @param unread whether the node store may have more of them
 * @param reading whether it has not answered yet
 * @param trouble present while nothing gets into the ledger's pool; a restart forgets it
 * @param balanceAsked when the ledger was asked last what the key has
 * @param means what the key was seen to have last of what public transactions send along that wait
 *     for a nonce, by their order; of those that are not in it, it is not known
 * @param baseFee what the ledger's newest block has charged for a unit of gas; 0 if nothing is
 *     known of it
 * @param fellFrom the highest next nonce there was before the ledger took back what was used
 *     (CNF-12); 0 if it never did; durable
 * @param settledIn the newest block that has settled dispatches; a restart forgets it
 * @param shown calls of the key that may be public transactions which were not taken, by nonce;
 *     durable
 * @param before the order up to which public transactions were accepted before this life; empty
 *     until the node store was read to its end, since until then all of them may be
 * @param blocksFirst nonces below it are told of by blocks before any is given to what was accepted
 *     before this life; empty if the ledger has not answered in this life
 */
@Copyable
public record SubmitterState(
    long nextNonce,
    boolean nonceKnown,
    long nextOrder,
    TreePMap<Long, Live> live,
    TreePMap<Long, Boolean> waiting,
    TreePMap<Long, Carrier> carriers,
    PMap<IntentKey, Long> byTransaction,
    boolean handingIn,
    Optional<Instant> poolAsked,
    PMap<RequestId, Owed> owed,
    Exchanges<RequestId> exchanges,
    HeartbeatSequence sequence,
    Optional<Instant> lastHeartbeat,
    PSet<ContractAddress> beatenFor,
    GasPaid paid,
    long taken,
    TreePMap<Long, Public> publics,
    boolean unread,
    boolean reading,
    Optional<Trouble> trouble,
    Optional<Instant> balanceAsked,
    PMap<Long, Means> means,
    long baseFee,
    long fellFrom,
    Optional<BlockHeight> settledIn,
    TreePMap<Long, LedgerReceipt> shown,
    Optional<Long> before,
    Optional<Long> blocksFirst)
    implements SubmitterStateBuilder.With {

  /** What a key has of what a public transaction is to send along. */
  public enum Means {
    /** All of it, and the money for its gas: it may have a nonce. */
    ENOUGH,
    /** All of it, and not the money for its gas. */
    NO_GAS,
    /** Not all of it. */
    LACKS
  }

  /**
   * A dispatch.
   *
   * @param order counts dispatches
   * @param nonce of what carries it
   * @param refusal why the pool will never take it; durable
   * @param taken when its outputs were first handed to the state store in this life
   * @param triedAt when it last moved or was handed to the state store
   * @param tries to have its outputs stored
   */
  @Copyable
  public record Live(
      long order,
      Dispatch dispatch,
      SubmissionState state,
      Optional<Long> nonce,
      Optional<String> refusal,
      Optional<Instant> taken,
      Instant triedAt,
      int tries)
      implements SubmitterStateLiveBuilder.With {
    Live in(SubmissionState newState, Instant at) {
      return with().state(newState).triedAt(at).build();
    }

    Live again(Instant at) {
      return with().taken(taken.or(() -> Optional.of(at))).triedAt(at).tries(tries + 1).build();
    }

    private Live refused(String reason) {
      return with().state(SubmissionState.REFUSED).refusal(Optional.of(reason)).build();
    }

    public IntentKey intent() {
      return dispatch.prepared().intent();
    }
  }

  /**
   * A public transaction. All but the tries is durable.
   *
   * @param accepted its order of acceptance, by the node store
   * @param nonce of what carries it
   * @param refusal why the pool will never take it
   * @param receipt once its end is known
   * @param former hashes of the calls that it was before its caller changed it: a block may have
   *     one of them all the same
   * @param triedAt when its receipt was handed to the node store
   */
  @Copyable
  public record Public(
      long order,
      long accepted,
      PublicTransaction transaction,
      PublicState state,
      Optional<Long> nonce,
      Optional<String> refusal,
      Optional<Receipt> receipt,
      PVector<Hash> former,
      Instant triedAt,
      int tries)
      implements SubmitterStatePublicBuilder.With {
    static Public waiting(long order, SubmitterEvent.Accepted accepted) {
      return new Public(
          order,
          accepted.order(),
          accepted.transaction(),
          PublicState.WAITING,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          TreePVector.empty(),
          Instant.MIN,
          0);
    }

    private Public changed(PublicTransaction by) {
      var now = PublicCall.of(transaction).hash();
      boolean same = now.equals(PublicCall.of(by).hash());
      return with().transaction(by).former(same ? former : former.plus(now)).build();
    }

    private Public carried(long by) {
      return with().state(PublicState.CARRIED).nonce(Optional.of(by)).build();
    }

    private Public refused(String reason) {
      return with().state(PublicState.REFUSED).refusal(Optional.of(reason)).build();
    }

    Public again(Instant at) {
      return with().triedAt(at).tries(tries + 1).build();
    }
  }

  /**
   * A base-ledger transaction.
   *
   * @param orders of the dispatches that it carries; none if only its nonce is to be used still
   * @param triedAt when it last moved or was submitted
   * @param tries since it was last pooled
   * @param dear the pool asks for more than the node ever pays
   * @param outdated what the pool is handed is no more what it is to be
   */
  @Copyable
  public record Carrier(
      long nonce,
      PVector<Long> orders,
      CarrierState state,
      Fees fees,
      Instant triedAt,
      int tries,
      boolean underway,
      boolean dear,
      boolean outdated,
      PVector<Submitted> submissions)
      implements SubmitterStateCarrierBuilder.With {
    Carrier in(CarrierState newState, Instant at) {
      return with().state(newState).triedAt(at).underway(false).dear(false).build();
    }

    Carrier again(Instant at) {
      return with().triedAt(at).tries(tries + 1).underway(false).build();
    }

    Carrier underway(Instant at) {
      return with().triedAt(at).underway(true).outdated(false).build();
    }

    /** Only its nonce is to be used still. */
    Carrier abandoned() {
      return ready(nonce, List.of(), fees);
    }

    /** The same; what it was to be alone ends with it. */
    Carrier filling() {
      return ready(nonce, orders, fees).withState(CarrierState.FILLING);
    }

    Carrier pooled(Submitted submission) {
      boolean known =
          submissions.stream().anyMatch(earlier -> earlier.hash().equals(submission.hash()));
      var all = known ? submissions : submissions.plus(submission);
      return with().tries(0).submissions(all).build();
    }

    /** The pool has it at an earlier price; what it has lost it is handed at the same one. */
    boolean replaces() {
      return !submissions.isEmpty() && !submissions.getLast().fees().equals(fees);
    }

    /** The pool has taken it, and no block that holds it was indexed yet. */
    boolean isPooled() {
      boolean waits = state == CarrierState.POOLED || state == CarrierState.FILLING;
      return waits && !underway && !submissions.isEmpty();
    }

    private static Carrier ready(long nonce, List<Long> orders, Fees fees) {
      return new Carrier(
          nonce,
          TreePVector.from(orders),
          orders.isEmpty() ? CarrierState.FILLING : CarrierState.READY,
          fees,
          Instant.MIN,
          0,
          false,
          false,
          false,
          TreePVector.empty());
    }
  }

  public record Submitted(Instant at, TransactionHash hash, Fees fees) {}

  /**
   * A public transaction that the submitter has taken, and that has no end.
   *
   * @param nonce if it has one
   * @param submissions what pools have taken of it, the newest last
   * @param waitsFor a sentence; empty if it waits for nothing but its block
   */
  public record Underway(
      TransactionId transaction,
      Optional<Long> nonce,
      List<Submitted> submissions,
      Optional<String> waitsFor) {
    public Underway {
      submissions = List.copyOf(submissions);
    }
  }

  /**
   * The ledger's pool takes nothing (SUB-11).
   *
   * @param why for people
   */
  public record Trouble(Instant since, String why) {}

  public record Owed(NodeName sender, TransactionReverted notification) {}

  public static SubmitterState initial() {
    return new SubmitterState(
        0,
        false,
        0,
        TreePMap.empty(),
        TreePMap.empty(),
        TreePMap.empty(),
        HashTrie.empty(),
        false,
        Optional.empty(),
        HashTrie.empty(),
        Exchanges.none(),
        new HeartbeatSequence(0, 0),
        Optional.empty(),
        HashTrie.emptySet(),
        GasPaid.NONE,
        0,
        TreePMap.empty(),
        false,
        false,
        Optional.empty(),
        Optional.empty(),
        HashTrie.empty(),
        0,
        0,
        Optional.empty(),
        TreePMap.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** Nothing is unfinished: the submitter may leave memory. */
  public boolean isIdle() {
    return !hasWork() && owed.isEmpty() && beatenFor.isEmpty() && !unread && !reading;
  }

  /** Whether something is to go into a block. */
  boolean hasWork() {
    return !live.isEmpty() || !carriers.isEmpty() || !publics.isEmpty();
  }

  /** Trouble lasts since it began, whatever else is told of it later. */
  SubmitterState inTrouble(Instant from, String why) {
    return withTrouble(Optional.of(new Trouble(trouble.map(Trouble::since).orElse(from), why)));
  }

  /** The contract's dispatches that are neither settled nor given back, in their order. */
  public List<Dispatch> unconfirmed(ContractAddress contract) {
    return live.values().stream()
        .map(Live::dispatch)
        .filter(dispatch -> dispatch.contract().equals(contract))
        .toList();
  }

  /** Public transactions that have no end, in their order. */
  public List<Underway> underway() {
    return publics.values().stream()
        .filter(each -> each.receipt().isEmpty())
        .map(
            each -> {
              var carrier = each.nonce().map(carriers::get);
              return new Underway(
                  each.transaction().id(),
                  each.nonce(),
                  carrier.map(Carrier::submissions).map(List::copyOf).orElse(List.of()),
                  waitsFor(each, carrier));
            })
        .toList();
  }

  private Optional<String> waitsFor(Public each, Optional<Carrier> carrier) {
    if (carrier.isPresent()) {
      var its = carrier.get();
      if (its.dear()) {
        return Optional.of(
            its.replaces()
                ? "A pool has it and no block takes it, and to replace it by a dearer one the chain asks for higher fees than this node pays."
                : "The chain asks for higher fees than this node pays.");
      }
      return its.state() == CarrierState.UNFUNDED
          ? Optional.of("Its key has not the money for it and its gas.")
          : Optional.empty();
    } else if (each.transaction().value().signum() == 0) {
      return Optional.empty();
    }
    return switch (means.get(each.order())) {
      case LACKS ->
          Optional.of(
              "Its key has not the %s that it sends along.".formatted(each.transaction().value()));
      case NO_GAS -> Optional.of("Its key has not the money for its gas.");
      case ENOUGH -> Optional.empty();
      case null -> Optional.of("The base ledger is asked what its key has.");
    };
  }

  /** The dispatches that a base-ledger transaction carries, in its order. */
  public List<Live> carriedBy(Carrier carrier) {
    return carrier.orders().stream().map(live::get).filter(Objects::nonNull).toList();
  }

  /** Takes a dispatch under the next order; nothing carries it yet. */
  SubmitterState accept(Dispatch dispatch) {
    return held(nextOrder, dispatch, false).withNextOrder(nextOrder + 1);
  }

  private SubmitterState held(long order, Dispatch dispatch, boolean alone) {
    var accepted =
        new Live(
            order,
            dispatch,
            SubmissionState.ACCEPTED,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Instant.MIN,
            0);
    return with()
        .live(live.plus(order, accepted))
        .waiting(waiting.plus(order, alone))
        .byTransaction(byTransaction.plus(accepted.intent(), order))
        .build();
  }

  /** Has what waits carried by a new base-ledger transaction. */
  SubmitterState pack(long nonce, List<Long> orders, Fees fees) {
    var nextLive = live;
    var nextPublics = publics;
    var nextWaiting = waiting;
    var nextMeans = means;
    for (long order : orders) {
      if (publics.containsKey(order)) {
        nextPublics = nextPublics.plus(order, nextPublics.get(order).carried(nonce));
      } else {
        nextLive = nextLive.plus(order, nextLive.get(order).withNonce(Optional.of(nonce)));
      }
      nextWaiting = nextWaiting.minus(order);
      nextMeans = nextMeans.minus(order);
    }
    return with()
        .live(nextLive)
        .publics(nextPublics)
        .waiting(nextWaiting)
        .means(nextMeans)
        .carriers(carriers.plus(nonce, Carrier.ready(nonce, orders, fees)))
        .nextNonce(Math.max(nextNonce, nonce + 1))
        .build();
  }

  /** Goes on with this nonce, which may be lower than the one before. */
  SubmitterState moved(long next) {
    return with().nextNonce(next).fellFrom(next < nextNonce ? given() : fellFrom).build();
  }

  /** Each nonce that was ever given is below this one. */
  public long given() {
    return Math.max(nextNonce, fellFrom);
  }

  /** Has these nonces used for nothing. */
  SubmitterState fill(long from, long to, Fees fees) {
    var all = carriers;
    for (long nonce = from; nonce < to; nonce++) {
      all = all.plus(nonce, Carrier.ready(nonce, List.of(), fees));
    }
    return withCarriers(all);
  }

  /** Keeps the nonce for nothing; each of those that it carried goes alone. */
  SubmitterState abandon(long nonce) {
    var gone = carriers.get(nonce);
    if (gone == null) {
      return this;
    }
    var next = withCarriers(carriers.plus(nonce, gone.abandoned()));
    for (long order : gone.orders()) {
      next = next.parted(order);
    }
    return next;
  }

  private SubmitterState parted(long order) {
    return with()
        .live(live.plus(order, live.get(order).withNonce(Optional.empty())))
        .waiting(waiting.plus(order, true))
        .build();
  }

  /** Forgets base-ledger transactions and all that they carry. */
  SubmitterState settle(List<Long> nonces, GasPaid forThem) {
    var next = withPaid(paid.plus(forThem));
    for (long nonce : nonces) {
      var gone = next.carriers.get(nonce);
      if (gone != null) {
        next = next.withCarriers(next.carriers.minus(nonce));
        for (long order : gone.orders()) {
          next = next.without(order);
        }
      }
    }
    return next;
  }

  private SubmitterState without(long order) {
    return with()
        .live(live.minus(order))
        .byTransaction(byTransaction.minus(live.get(order).intent()))
        .build();
  }

  /** Takes public transactions, each to be carried alone, after all that is there. */
  SubmitterState take(List<SubmitterEvent.Accepted> accepted) {
    var next = this;
    for (var each : accepted) {
      long order = next.nextOrder;
      next =
          next.with()
              .publics(next.publics.plus(order, Public.waiting(order, each)))
              .waiting(next.waiting.plus(order, true))
              .nextOrder(order + 1)
              .taken(Math.max(next.taken, each.order()))
              .build();
    }
    return next;
  }

  /** The public transaction that a nonce was given to. */
  private Optional<Public> publicOf(long nonce) {
    var carrier = carriers.get(nonce);
    return carrier == null ? Optional.empty() : PublicSubmitting.carriedBy(this, carrier);
  }

  /** Why the pool will never take what it carries alone. */
  public Optional<String> refusal(Carrier carrier) {
    return Stream.concat(
            carriedBy(carrier).stream().map(Live::refusal),
            carrier.orders().stream()
                .map(publics::get)
                .filter(Objects::nonNull)
                .map(Public::refusal))
        .flatMap(Optional::stream)
        .findFirst();
  }

  /** The pool will never take what a base-ledger transaction is alone: its nonce is used still. */
  public SubmitterState refuse(long nonce, String reason) {
    var carrier = carriers.get(nonce);
    if (carrier == null) {
      return this;
    }
    var next = put(carrier.filling());
    for (long order : carrier.orders()) {
      next =
          publics.containsKey(order)
              ? next.put(publics.get(order).refused(reason))
              : next.put(live.get(order).refused(reason));
    }
    return next;
  }

  /** Has the public transaction of a nonce carried by another one. */
  SubmitterState loseNonce(long nonce, GasPaid forIt) {
    return publicOf(nonce)
        .map(
            it ->
                put(it.with()
                        .state(PublicState.WAITING)
                        .nonce(Optional.empty())
                        .refusal(Optional.empty())
                        .build())
                    .with()
                    .carriers(carriers.minus(nonce))
                    .waiting(waiting.plus(it.order(), true))
                    .paid(paid.plus(forIt))
                    .build())
        .orElse(this);
  }

  SubmitterState end(long nonce, Receipt receipt, GasPaid forIt) {
    return publicOf(nonce)
        .map(
            it ->
                put(it.with()
                        .state(PublicState.ENDED)
                        .nonce(Optional.empty())
                        .refusal(Optional.empty())
                        .receipt(Optional.of(receipt))
                        .build())
                    .with()
                    .carriers(carriers.minus(nonce))
                    .paid(paid.plus(forIt))
                    .build())
        .orElse(this);
  }

  /** Has another call carried out in place of a public transaction. */
  SubmitterState change(long order, PublicTransaction by, Optional<Fees> fees) {
    var before = publics.get(order);
    if (before == null) {
      return this;
    }
    var next = put(before.changed(by)).withMeans(means.minus(order));
    var carrier = before.nonce().map(carriers::get);
    return carrier
        .map(each -> next.put(Carrier.ready(each.nonce(), each.orders(), fees.orElse(each.fees()))))
        .orElse(next);
  }

  /** The public transaction of that id, if it is here. */
  Optional<Public> publicOf(TransactionId id) {
    return publics.values().stream().filter(each -> each.transaction().id().equals(id)).findFirst();
  }

  /** Ends a public transaction that has no nonce. */
  SubmitterState drop(long order, Receipt receipt) {
    var gone = publics.get(order);
    return gone == null
        ? this
        : put(gone.with().state(PublicState.ENDED).receipt(Optional.of(receipt)).build())
            .with()
            .waiting(waiting.minus(order))
            .means(means.minus(order))
            .build();
  }

  /** It is to send something along, and the key is not known to have it (PUB-7). */
  boolean waitsForMeans(Public each) {
    return each.state() == PublicState.WAITING
        && each.transaction().value().signum() > 0
        && means.get(each.order()) != Means.ENOUGH;
  }

  /** Whether it is known of all that was accepted before this life if a block has it (PUB-9). */
  boolean isCaughtUp() {
    return blocksFirst.filter(first -> first <= nextNonce).isPresent();
  }

  /**
   * A life of this node with newer records may have given it a nonce, or another one than these
   * records say.
   */
  boolean isOfBefore(Public each) {
    boolean isOpen = each.state() == PublicState.WAITING || each.state() == PublicState.CARRIED;
    return isOpen && before.map(last -> each.accepted() <= last).orElse(true);
  }

  /** Whether there is, or may be, what a life with newer records may have given a nonce. */
  boolean hasOfBefore() {
    return (before.isEmpty() && (unread || reading))
        || publics.values().stream().anyMatch(this::isOfBefore);
  }

  /** What a snapshot, or a block, says of a call that may be of what was not taken. */
  public SubmitterState show(LedgerReceipt receipt) {
    return withShown(shown.plus(receipt.nonce(), receipt));
  }

  /** Ends a public transaction that a block has under a nonce which was not its own here. */
  SubmitterState find(SubmitterEvent.PublicFound found) {
    return drop(found.order(), found.receipt())
        .with()
        .shown(shown.minus(found.nonce()))
        .paid(paid.plus(found.paid()))
        .build();
  }

  SubmitterState forget(List<TransactionId> told) {
    var rest = publics;
    for (var each : publics.values()) {
      if (told.contains(each.transaction().id())) {
        rest = rest.minus(each.order());
      }
    }
    return withPublics(rest);
  }

  SubmitterState put(Public changed) {
    return withPublics(publics.plus(changed.order(), changed));
  }

  SubmitterState put(Live changed) {
    return withLive(live.plus(changed.order(), changed));
  }

  SubmitterState put(Carrier changed) {
    return withCarriers(carriers.plus(changed.nonce(), changed));
  }

  SubmitterState beaten(HeartbeatSequence next, Instant at, PSet<ContractAddress> contracts) {
    return with().sequence(next).lastHeartbeat(Optional.of(at)).beatenFor(contracts).build();
  }

  SubmitterState started(long incarnation) {
    return with()
        .nonceKnown(false)
        .poolAsked(Optional.empty())
        .sequence(new HeartbeatSequence(incarnation, 0))
        .lastHeartbeat(Optional.empty())
        .unread(false)
        .reading(false)
        .trouble(Optional.empty())
        .balanceAsked(Optional.empty())
        .means(HashTrie.empty())
        .settledIn(Optional.empty())
        .before(Optional.empty())
        .blocksFirst(Optional.empty())
        .build();
  }

  /**
   * What a snapshot says of one dispatch.
   *
   * @param alone whether it needs a base-ledger transaction of its own
   */
  public SubmitterState holding(long order, Dispatch dispatch, boolean alone) {
    return held(order, dispatch, alone);
  }

  /** What a snapshot says of one base-ledger transaction, after what it carries. */
  public SubmitterState carrying(long nonce, List<Long> orders, Fees fees) {
    return pack(nonce, orders, fees);
  }

  /** What a snapshot says of one notification. */
  public SubmitterState owing(SubmitterEvent.Notifying notifying) {
    var id = notifying.notification().notificationId();
    return withOwed(owed.plus(id, new Owed(notifying.sender(), notifying.notification())));
  }

  /**
   * What a snapshot says of one public transaction, before what carries it.
   *
   * @param receipt once its end is known
   * @param former hashes of the calls that it was
   */
  public SubmitterState holding(
      long order, SubmitterEvent.Accepted accepted, Optional<Receipt> receipt, List<Hash> former) {
    var held = Public.waiting(order, accepted).withFormer(TreePVector.from(former));
    return receipt.isEmpty()
        ? put(held).withWaiting(waiting.plus(order, true))
        : put(held.with().state(PublicState.ENDED).receipt(receipt).build());
  }

  /**
   * What a snapshot says of the next nonce and the next order.
   *
   * @param given of {@link #given}
   */
  public SubmitterState expecting(long nonce, long given, long order) {
    return with().nextNonce(nonce).fellFrom(given > nonce ? given : 0).nextOrder(order).build();
  }
}
