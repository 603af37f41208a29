package dev.sequitur.schedule.book;

import dev.sequitur.schedule.Amount;

/**
 * The book at one instant, counted anew from its parts.
 *
 * @param sumOfAccounts of all accounts, those of the book among them: zero if nothing was made or
 *     lost
 * @param heldAccount what the accounts of all holds say
 * @param sumOfHolds of all holds, one by one
 * @param overdrawn how many accounts of people are below zero
 * @param unbalanced how many sums are wrong when each token is counted for itself, and one more if
 *     what is held of each account's money is not what its holds say
 */
public record Audit(
    long sumOfAccounts, Amount heldAccount, Amount sumOfHolds, int overdrawn, int unbalanced) {
  /** Of two books together. */
  public Audit plus(Audit other) {
    return new Audit(
        Math.addExact(sumOfAccounts, other.sumOfAccounts),
        heldAccount.plus(other.heldAccount),
        sumOfHolds.plus(other.sumOfHolds),
        overdrawn + other.overdrawn,
        unbalanced + other.unbalanced);
  }

  public boolean isConserved() {
    return sumOfAccounts == 0
        && heldAccount.equals(sumOfHolds)
        && overdrawn == 0
        && unbalanced == 0;
  }
}
