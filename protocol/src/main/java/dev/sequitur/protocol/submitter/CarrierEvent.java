package dev.sequitur.protocol.submitter;

/** What happens to a base-ledger transaction at its submitter. */
public enum CarrierEvent {
  /** The pool has it. */
  POOLED,
  /** The pool had no room, could not be reached, or wants a higher price: it is tried again. */
  NOT_POOLED,
  /** Its key has not the money for its gas: it is tried again. */
  UNFUNDED,
  /** The pool has it no more, and no block has it: it is submitted again. */
  LOST,
  /** It was pooled long ago and is in no block: it is submitted again. */
  OVERDUE,
  /** It can never be taken. */
  INVALID,
  /** A block holds its nonce, or the ledger has long said so. */
  USED
}
