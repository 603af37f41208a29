package dev.sequitur.protocol.submitter;

/** What happens to a dispatch at its submitter. */
public enum SubmissionEvent {
  /** The state store has what it makes. */
  OUTPUTS_STORED,
  /** The pool has it. */
  POOLED,
  /** The pool had no room, could not be reached, or wants a higher price: it is tried again. */
  NOT_POOLED,
  /** It was pooled long ago and is in no block: it is submitted again. */
  OVERDUE,
  /** A block fulfils its intent, by this dispatch or by another. */
  FULFILLED,
  /** A block holds it, reverted. */
  REVERTED,
  /** A block holds it, reverted since another dispatch of the same intent came first. */
  OVERTAKEN,
  /** It can never be taken. */
  INVALID,
  /** Its nonce is used by something else. */
  NONCE_TAKEN
}
