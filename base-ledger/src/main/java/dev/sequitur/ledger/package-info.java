/**
 * What implements the base-ledger port. Knows nothing of senders and coordinators, only of
 * transactions, blocks and what they may spend.
 */
package dev.sequitur.ledger;
