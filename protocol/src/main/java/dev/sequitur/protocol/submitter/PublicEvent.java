package dev.sequitur.protocol.submitter;

/** What happens to a public transaction at its submitter. */
public enum PublicEvent {
  /** It has a nonce. */
  PACKED,
  /** The pool will never take it. */
  INVALID,
  /** A block holds it. */
  EXECUTED,
  /** A block holds something else of its nonce. */
  NONCE_TAKEN,
  /** The node store has its receipt. */
  RECEIPT_STORED
}
