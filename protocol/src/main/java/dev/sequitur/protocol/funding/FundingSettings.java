package dev.sequitur.protocol.funding;

import java.math.BigInteger;
import java.time.Duration;

/**
 * How a node sees to the money for gas. Amounts are in the ledger's smallest unit.
 *
 * @param fromAccount whether one account tops up the keys; else they are funded by hand
 * @param low a key that has less is topped up, or told of
 * @param full up to which it is topped up
 * @param alarmBelow a funding account that has less is told of
 * @param lookEvery between two looks at the ledger
 */
public record FundingSettings(
    boolean fromAccount,
    BigInteger low,
    BigInteger full,
    BigInteger alarmBelow,
    Duration lookEvery) {
  /** By hand, and nothing is told before something waits. */
  public static final FundingSettings BY_HAND =
      new FundingSettings(
          false, BigInteger.ZERO, BigInteger.ZERO, BigInteger.ZERO, Duration.ofSeconds(10));

  public FundingSettings {
    if (low.compareTo(full) > 0) {
      throw new IllegalArgumentException("A key is topped up to no less than low.");
    }
  }

  /** A key that has less for gas is topped up (FND-2). */
  BigInteger least(KeyUse use) {
    return use.once() ? use.needs() : low.max(use.needs());
  }

  /** Up to which it is topped up. */
  BigInteger most(KeyUse use) {
    return use.once() ? use.needs() : full.max(use.needs());
  }
}
