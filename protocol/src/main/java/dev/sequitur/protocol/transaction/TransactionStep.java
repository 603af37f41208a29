package dev.sequitur.protocol.transaction;

/**
 * What a private transaction goes through, in this order unless something goes wrong. The time of
 * each is taken by one node, from where the step before ended, so clocks of two are never compared.
 */
public enum TransactionStep {
  /** At its sender: since it was accepted, or is pending again; a coordinator has taken it. */
  DELEGATED,
  /** At its sender: its states are chosen and it is signed. */
  ASSEMBLED,
  /** At its sender: all endorsements are there, and it has granted the dispatch. */
  ENDORSED,
  /** At its sender: it has heard that a submitter holds it. */
  DISPATCHED,
  /** At its submitter: since it came there; the ledger's pool has taken it. */
  SUBMITTED,
  /** At its sender: a final block that fulfils it was indexed. */
  CONFIRMED
}
