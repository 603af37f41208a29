package dev.sequitur.schedule;

import java.util.Optional;

/**
 * What an occurrence cost its owner.
 *
 * @param gasUnitPrice charged for a unit of gas; zero in a family that takes nothing for gas
 * @param gasUsed by its last attempt, and no more than it was allowed
 * @param charged for the occurrence: its gas, its fee, or its plan's price, in the plan's money
 * @param refunded of what was held for it, in the queue's own money; zero while more of the same
 *     schedule is to come
 * @param parties empty if its owner pays {@link AccountId#FEES} what is charged
 */
public record Cost(
    long gasUnitPrice, long gasUsed, Amount charged, Amount refunded, Optional<Parties> parties) {
  /** Of what never ran and held nothing. */
  public static final Cost NONE = new Cost(0, 0, Amount.ZERO, Amount.ZERO);

  /** Paid by its owner, to {@link AccountId#FEES}. */
  public Cost(long gasUnitPrice, long gasUsed, Amount charged, Amount refunded) {
    this(gasUnitPrice, gasUsed, charged, refunded, Optional.empty());
  }

  /** Whose account pays what is charged, in whatever money, and whose gets it. */
  public record Parties(AccountId from, AccountId to) {}
}
