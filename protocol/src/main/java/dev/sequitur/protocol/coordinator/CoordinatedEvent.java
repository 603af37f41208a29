package dev.sequitur.protocol.coordinator;

/** What happens to a transaction at its coordinator. */
public enum CoordinatedEvent {
  /** Its sender delegated it again to this coordinator. */
  DELEGATED_AGAIN,
  /** Its turn to be assembled has come. */
  ASSEMBLE_SLOT,
  ASSEMBLED,
  /** Its assembly spends what another has locked meanwhile. */
  ASSEMBLY_CONFLICTS,
  ASSEMBLE_ERROR,
  ASSEMBLE_TIMEOUT,
  /** It and all it depends on have enough endorsements; submit mode auto. */
  READY_TO_DISPATCH,
  /** The same in external submit mode. */
  READY_TO_DISTRIBUTE,
  /** An endorser refused, or one did not answer in time. */
  NOT_ENDORSED,
  /** The same once more than it is tried. */
  REFUSED_TOO_OFTEN,
  /** A transaction that it depends on has left. */
  DEPENDENCY_LEFT,
  /** The sender granted the dispatch and all it depends on is dispatched. */
  DISPATCH,
  DISPATCH_DENIED,
  CONFIRMATION_TIMEOUT,
  /** Its sender says, unasked, that it has ended there. */
  ENDED_AT_SENDER,
  /** The submitter gave up, or the base ledger refused. */
  REVERTED,
  /** Its submitter holds a dispatch of it, of which this coordinator did not know. */
  ALREADY_DISPATCHED,
  CONFIRMED,
  /** The range has ended, or a better coordinator lives. */
  RANGE_LEFT,
  /** Prepared in external submit mode, and not seen on the ledger in time. */
  EXTERNAL_LOCK_EXPIRED
}
