/**
 * The words of multi-signature schedules: keys and what satisfies them, transactions and their ids,
 * response codes, receipts and records. Values only; the rules are in {@code multisignature}.
 */
package dev.sequitur.schedule.signing;
