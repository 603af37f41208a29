package dev.sequitur.schedule.signing;

/**
 * One row of a transfer.
 *
 * @param units what the account gets, or gives if negative
 */
public record AccountAmount(EntityId account, long units) {}
