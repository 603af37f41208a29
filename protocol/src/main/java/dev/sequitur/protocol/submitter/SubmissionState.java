package dev.sequitur.protocol.submitter;

/** Where a dispatch stands, from the perspective of its submitter. */
public enum SubmissionState {
  /** Committed with its nonce; not yet in the ledger's pool, as far as is known. */
  ACCEPTED,
  /** In the ledger's pool. */
  SUBMITTED,
  /** Its intent is on the base ledger. Final. */
  FULFILLED,
  /** The base ledger refused it, or it can never be taken. Final. */
  REVERTED
}
