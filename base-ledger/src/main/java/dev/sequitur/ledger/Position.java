package dev.sequitur.ledger;

/**
 * Where a transaction is.
 *
 * @param height of its block
 * @param index in it, from 0
 */
record Position(long height, int index) {}
