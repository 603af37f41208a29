package dev.sequitur.protocol.schedule.book;

import dev.sequitur.protocol.schedule.AccountId;
import dev.sequitur.protocol.schedule.Amount;

/**
 * Money set aside.
 *
 * @param owner who gets back what is not captured
 * @param amount what is left of it
 */
public record Hold(AccountId owner, Amount amount) {}
