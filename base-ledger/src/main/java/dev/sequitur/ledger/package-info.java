/**
 * The embedded base ledger: one {@link dev.sequitur.ledger.EmbeddedLedger} per network with a
 * {@link dev.sequitur.ledger.LedgerView} for each node, and {@link
 * dev.sequitur.ledger.LedgerAudit}, which checks what came of it. Knows the protocol's values and
 * ports; no actors, no transport, no domain.
 */
package dev.sequitur.ledger;
