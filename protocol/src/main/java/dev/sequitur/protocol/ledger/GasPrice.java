package dev.sequitur.protocol.ledger;

import java.util.Optional;

/**
 * What is offered for a unit of gas, in the chain's smallest unit (PRV-7).
 *
 * @param most never more
 * @param priority of it, to whoever makes the block
 */
public record GasPrice(long most, long priority) {
  public GasPrice {
    if (most < 0 || priority < 0 || priority > most) {
      throw new IllegalArgumentException("No prices: " + most + ", " + priority);
    }
  }

  /**
   * Twice the base fee, which it reaches after six full blocks at the earliest.
   *
   * @return empty if the chain charges more than may be paid
   */
  public Optional<Fees> at(long baseFee) {
    if (baseFee > most - priority) {
      return Optional.empty();
    }
    long twice = baseFee > (most - priority) / 2 ? most : 2 * baseFee + priority;
    return Optional.of(new Fees(Math.min(most, twice), priority));
  }

  /**
   * For one that no block has taken.
   *
   * @return empty if it may not cost more
   */
  public Optional<Fees> again(Fees offered, long baseFee) {
    var more = at(baseFee).map(offered.toReplace()::orMore).orElseGet(offered::toReplace);
    return more.max() > most ? Optional.empty() : Optional.of(more);
  }
}
