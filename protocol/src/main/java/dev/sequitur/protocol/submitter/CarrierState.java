package dev.sequitur.protocol.submitter;

/** Where a base-ledger transaction stands, from the perspective of its submitter. */
public enum CarrierState {
  /** Committed with its nonce; not in the ledger's pool, as far as is known. */
  READY,
  /** Its key has not the money for the gas that it may use. It is tried again. */
  UNFUNDED,
  /** In the ledger's pool. */
  POOLED,
  /**
   * The pool will never take what it carried. Its nonce is being used by a transaction that does
   * nothing, since all later ones of the key wait behind it.
   */
  FILLING,
  /** A block holds its nonce. Final. */
  USED
}
