package dev.sequitur.protocol.submitter;

/** Where a dispatch stands, from the perspective of its submitter. */
public enum SubmissionState {
  /**
   * Committed. What it makes is not known to be stored yet, and is on its way to the state store: a
   * state that stands on the ledger and that nobody has would be lost for good.
   */
  ACCEPTED,
  /** What it makes is stored: a base-ledger transaction may carry it. */
  STORED,
  /**
   * The pool will never take it, alone in a base-ledger transaction. Its nonce is being used,
   * unless a block has it after all, at a price that it was offered at before.
   */
  REFUSED,
  /** Its intent is on the base ledger. Final. */
  FULFILLED,
  /** The base ledger refused it, or its nonce went to something else. Final. */
  REVERTED;

  boolean isFinal() {
    return this == FULFILLED || this == REVERTED;
  }
}
