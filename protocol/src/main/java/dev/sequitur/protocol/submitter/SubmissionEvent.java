package dev.sequitur.protocol.submitter;

/** What happens to a dispatch at its submitter. */
public enum SubmissionEvent {
  /** The state store has what it makes. */
  OUTPUTS_STORED,
  /** A block fulfils its intent, by this dispatch or by another. */
  FULFILLED,
  /** A block holds it, reverted. */
  REVERTED,
  /** A block holds it, reverted since another dispatch of the same intent came first. */
  OVERTAKEN,
  /** The pool will never take it, alone in a base-ledger transaction. */
  INVALID,
  /** The nonce of what carries it is used by something else. */
  NONCE_TAKEN
}
