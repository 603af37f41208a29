package dev.sequitur.protocol.sender;

/** What happens to a transaction at its sender. */
public enum TransactionEvent {
  DELEGATE,
  DELEGATION_ACCEPTED,
  DELEGATION_REJECTED,
  DELEGATION_TIMEOUT,
  ASSEMBLE_REQUESTED,
  ASSEMBLED,
  /** It could not be assembled now. */
  ASSEMBLE_FAILED,
  PARK,
  RESUME,
  /** It can never be fulfilled, or was tried too often. */
  REVERT,
  /** Its range has ended, its coordinator is silent or has forgotten it, or a better one lives. */
  COORDINATOR_LOST,
  DISPATCH_GRANTED,
  /** External submit mode: the prepared transaction has come. */
  PREPARED_RECEIVED,
  /** Its submitter, or the coordinator, says that a submitter holds it. */
  DISPATCHED,
  SUBMITTER_LOST,
  /** Coordinator or submitter gave up on it; trying again can help. */
  SUBMISSION_REVERTED,
  CONFIRMED
}
