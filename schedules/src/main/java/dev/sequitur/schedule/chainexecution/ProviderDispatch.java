package dev.sequitur.schedule.chainexecution;

import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.schedule.ScheduleId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A transaction of the provider's account that executes something, from before it is sent until its
 * block is final (PRV-5).
 *
 * @param offers under one nonce one after the other, the dearest last; at least one
 * @param sentAt the newest block when the last offer was made
 * @param landed the block that has it; empty while it waits
 */
public record ProviderDispatch(
    long nonce,
    ScheduleId execution,
    long gasLimit,
    List<Offer> offers,
    long sentAt,
    Optional<Long> landed) {
  /** So that a price that rises and rises has an end. */
  static final int MOST_OFFERS = 10;

  public ProviderDispatch {
    offers = List.copyOf(offers);
    if (offers.isEmpty() || nonce < 0) {
      throw new IllegalArgumentException("No dispatch: " + nonce + ", " + offers);
    }
  }

  /** What is paid, and the hash of the transaction that offers it. */
  public record Offer(Fees fees, Hash hash) {}

  public Offer newest() {
    return offers.getLast();
  }

  public boolean isWaiting() {
    return landed.isEmpty();
  }

  ProviderDispatch offering(Offer more, long newest) {
    var all = new ArrayList<>(offers);
    all.add(more);
    return new ProviderDispatch(nonce, execution, gasLimit, all, newest, landed);
  }

  ProviderDispatch landedIn(long block) {
    return new ProviderDispatch(nonce, execution, gasLimit, offers, sentAt, Optional.of(block));
  }

  /** A reorganisation took its block away. */
  ProviderDispatch back() {
    return new ProviderDispatch(nonce, execution, gasLimit, offers, sentAt, Optional.empty());
  }
}
