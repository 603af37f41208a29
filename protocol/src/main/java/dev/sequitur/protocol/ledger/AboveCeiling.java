package dev.sequitur.protocol.ledger;

/** What of a key waits since a ledger asks for higher fees than the node ever pays. */
public enum AboveCeiling {
  NOTHING,
  /** A pool has all of it at an earlier price: only what would replace it costs too much. */
  REPLACEMENTS,
  TRANSACTIONS
}
