package dev.sequitur.schedule.book;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;

/**
 * Money set aside.
 *
 * @param owner who gets back what is not captured
 * @param units what is left of it, not negative; a plain number, since a book may have a million
 */
public record Hold(AccountId owner, long units) {
  public Amount amount() {
    return new Amount(units);
  }
}
