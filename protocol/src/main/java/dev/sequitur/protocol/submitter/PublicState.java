package dev.sequitur.protocol.submitter;

/** Where a public transaction stands, from the perspective of its submitter. */
public enum PublicState {
  /** Taken from the node store; nothing carries it. */
  WAITING,
  /** A base-ledger transaction is it, and may be in a block at any time. */
  CARRIED,
  /**
   * The pool will never take it. Its nonce is being used, unless it comes into a block after all.
   */
  REFUSED,
  /** Its end is known, and its receipt on its way to the node store. */
  ENDED,
  /** The node store has its receipt. Final. */
  TOLD
}
