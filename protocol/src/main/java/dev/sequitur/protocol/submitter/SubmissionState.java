package dev.sequitur.protocol.submitter;

/** Where a dispatch stands, from the perspective of its submitter. */
public enum SubmissionState {
  /**
   * Committed with its nonce. What it makes is not known to be stored yet, and is on its way to the
   * state store: a state that stands on the ledger and that nobody has would be lost for good.
   */
  ACCEPTED,
  /** What it makes is stored; it is not in the ledger's pool, as far as is known. */
  STORED,
  /** In the ledger's pool. */
  SUBMITTED,
  /**
   * The pool will never take it, and its sender is told. Its nonce is being used by a transaction
   * that does nothing, since all later ones of the key wait behind it.
   */
  FILLING,
  /** Its intent is on the base ledger. Final. */
  FULFILLED,
  /** The base ledger refused it, or its nonce went to something else. Final. */
  REVERTED;

  boolean isFinal() {
    return this == FULFILLED || this == REVERTED;
  }
}
