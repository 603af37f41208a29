/** What the base ledger is given and what it shows: transactions, blocks, receipts. */
package dev.sequitur.protocol.ledger;
