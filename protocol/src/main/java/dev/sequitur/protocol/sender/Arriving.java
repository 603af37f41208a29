package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.sender.SenderState.Remembered;
import dev.sequitur.protocol.sender.SenderTransaction.Progress;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.trie.HashTrie;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Takes up new transactions, and after a restart those of before it. */
final class Arriving {
  /** Failure thresholds after a restart for which any member may say that it holds one. */
  private static final int UNKNOWN_HOLDERS = 8;

  private Arriving() {}

  /**
   * @param earliest when they may be delegated
   * @param accepted when those of before a restart were; the others are now
   * @param progress what is known of them
   * @param prepared those of external mode that were prepared
   */
  private record Arrival(
      Instant earliest,
      Map<TransactionId, Instant> accepted,
      Progress progress,
      Map<TransactionId, NodeStore.Prepared> prepared) {}

  /** Behind what is being read, which may be older (RCV-1). */
  static void handed(SenderStep step, List<PrivateTransaction> transactions) {
    step.state()
        .loading()
        .ifPresentOrElse(
            loading ->
                step.become(step.state().withLoading(Optional.of(loading.plus(transactions)))),
            () -> accepted(step, transactions));
  }

  /** Whether one that is not known here is still open, only the node store knows (HND-1). */
  static void handedAgain(SenderStep step, List<PrivateTransaction> transactions) {
    boolean allKnown =
        transactions.stream()
            .map(PrivateTransaction::id)
            .allMatch(id -> step.get(id) != null || step.state().ended().own(id).isPresent());
    if (allKnown) {
      handed(step, transactions);
    } else {
      reload(step);
    }
  }

  private static void accepted(SenderStep step, List<PrivateTransaction> transactions) {
    arrive(step, transactions, new Arrival(step.now(), Map.of(), Progress.NONE, Map.of()));
  }

  static void load(SenderStep step, Loading from) {
    step.become(step.state().withLoading(Optional.of(from)));
    step.effect(new SenderEffect.LoadPending(from.after()));
  }

  static void reload(SenderStep step) {
    step.state()
        .loading()
        .ifPresentOrElse(
            loading -> step.become(step.state().withLoading(Optional.of(loading.withMore()))),
            () -> load(step, Loading.BEGUN));
  }

  /** One page. Behind the last comes what was handed over meanwhile. */
  static void loaded(SenderStep step, SenderInput.PendingLoaded page) {
    pageArrives(step, page);
    var loading = step.state().loading().orElse(Loading.BEGUN);
    if (page.next().isPresent()) {
      load(step, loading.next(page.next().get()));
      return;
    }
    step.become(step.state().withLoading(Optional.empty()));
    accepted(step, loading.handed());
    if (loading.more()) {
      load(step, Loading.from(loading.after()));
    } else {
      forgetEnded(step);
    }
  }

  /** All that is open is here: another life, in another JVM, has ended what is not. */
  private static void forgetEnded(SenderStep step) {
    for (var id : step.state().remembered().keySet()) {
      if (step.get(id) == null) {
        step.record(new SenderEvent.Ended(id));
      }
    }
  }

  private static void pageArrives(SenderStep step, SenderInput.PendingLoaded loaded) {
    arrive(
        step,
        loaded.transactions(),
        new Arrival(
            step.now().plus(grace(step)),
            loaded.accepted(),
            Progress.unknown(step.now().plus(unknown(step))),
            loaded.prepared()));
  }

  /** Submitters that still hold some of those of before a restart are heard first (RCV-1). */
  private static Duration grace(SenderStep step) {
    return step.setup.settings().heartbeats().submitterInterval().multipliedBy(2);
  }

  private static Duration unknown(SenderStep step) {
    var threshold = step.setup.settings().heartbeats().submitterFailureThreshold();
    return threshold.multipliedBy(UNKNOWN_HOLDERS);
  }

  /**
   * Whether it is of before the restart, and may be with a submitter that was not heard since. One
   * that waits for longer, for another reason, is passed.
   */
  static boolean isHeardOfFirst(SenderStep step, SenderTransaction pending) {
    var holders = pending.progress().holders();
    return pending.notBefore().isAfter(step.now())
        && holders.delegates().isEmpty()
        && holders.anybodyUntil().isAfter(step.now().plus(unknown(step)).minus(grace(step)));
  }

  /** One that is here already is left alone. */
  private static void arrive(
      SenderStep step, List<PrivateTransaction> transactions, Arrival arrival) {
    var dependants = new ArrayList<TransactionId>();
    for (var transaction : transactions) {
      var known = step.get(transaction.id());
      if (known != null) {
        hasten(step, known, arrival.earliest());
      } else if (step.state().ended().own(transaction.id()).isEmpty()) {
        var prepared = arrival.prepared().get(transaction.id());
        var arrived = arrived(step, transaction, arrival);
        var taken =
            prepared == null
                ? arrived
                : arrived.leftToCaller(
                    prepared.prepared(), within(step, prepared.at(), Duration.ZERO));
        step.become(step.state().withLive(step.state().live().arrived(taken)));
        if (prepared == null && !transaction.dependsOn().isEmpty()) {
          dependants.add(transaction.id());
        }
      }
    }
    dependants.forEach(id -> Depending.await(step, step.get(id)));
  }

  /** A new intent that was loaded as one of before the restart goes on at {@code earliest}. */
  private static void hasten(SenderStep step, SenderTransaction known, Instant earliest) {
    if (known.attempts() == 0
        && known.state() == TransactionState.PENDING
        && known.notBefore().isAfter(earliest)) {
      step.put(known.retried(0, earliest));
    }
  }

  private static SenderTransaction arrived(
      SenderStep step, PrivateTransaction transaction, Arrival arrival) {
    var remembered = step.state().remembered().getOrDefault(transaction.id(), Remembered.NOTHING);
    var retries = step.setup.settings().retries();
    var parkedUntil = remembered.parkedUntil().map(at -> within(step, at, retries.parkedFor()));
    var earliest = arrival.earliest();
    var longest = longer(retries.attempt().cap(), retries.refusal().cap());
    var next = within(step, remembered.notBefore(), longest);
    var notBefore = next.isAfter(earliest) ? next : earliest;
    return new SenderTransaction(
            transaction,
            step.state().live().arrivals(),
            TransactionState.PENDING,
            arrival.progress(),
            step.now(),
            // It may have been dated by a clock that was ahead, and ages from now on then.
            within(
                step, arrival.accepted().getOrDefault(transaction.id(), step.now()), Duration.ZERO),
            step.now(),
            step.now(),
            remembered.attempts(),
            parkedUntil.orElse(notBefore),
            HashTrie.emptySet(),
            Optional.empty(),
            remembered.failures())
        .in(
            parkedUntil.isPresent() ? TransactionState.PARKED : TransactionState.PENDING,
            step.now(),
            parkedUntil.isPresent() ? "It was parked before this node was started." : "accepted");
  }

  /**
   * What is remembered may be of a clock that was ahead and has been set right: nothing waits for
   * longer than it was ever put off by.
   */
  private static Instant within(SenderStep step, Instant at, Duration most) {
    var latest = step.now().plus(most);
    return at.isAfter(latest) ? latest : at;
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? other : one;
  }
}
