package dev.sequitur.scheduler.body;

import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.signing.AccountChange;
import java.util.Optional;

/**
 * What an hbar is said to be worth in the receipts of a network: the rate of the transaction's time
 * and the one after it. Nothing has a price in cents here; clients show it.
 *
 * @param next takes the place of {@code current} at its time; empty if that is never
 */
public record ExchangeRates(Rate current, Optional<Next> next) {
  /** The one that a new network of Hedera begins with, for ever. */
  public static final ExchangeRates DEFAULT = new ExchangeRates(new Rate(1, 12), Optional.empty());

  /** So many hbars are had for so many cents. */
  public record Rate(int hbars, int cents) {
    public Rate {
      if (hbars < 1 || cents < 1) {
        throw new IllegalArgumentException("A rate is of at least one hbar and one cent.");
      }
    }
  }

  /**
   * @param from the first second in which it holds
   */
  public record Next(Rate rate, ConsensusTime from) {}

  /** An ExchangeRateSet, of what was decided at that time. */
  MessageBytes at(ConsensusTime time) {
    var coming = next.filter(rate -> time.isBefore(rate.from()));
    var now = coming.isPresent() ? current : next.map(Next::rate).orElse(current);
    return new MessageBytes()
        .message(
            1,
            write(
                now, coming.map(rate -> rate.from().seconds()).orElse(AccountChange.NEVER_SECOND)))
        .message(2, write(coming.map(Next::rate).orElse(now), AccountChange.NEVER_SECOND));
  }

  /**
   * @param expiry the second in which it ends
   */
  private static MessageBytes write(Rate rate, long expiry) {
    return new MessageBytes()
        .number(1, rate.hbars())
        .number(2, rate.cents())
        .message(3, new MessageBytes().number(1, expiry));
  }
}
