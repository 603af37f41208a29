package dev.sequitur.protocol.coordinator;

/** Where a transaction stands, from the perspective of its coordinator. */
public enum CoordinatedState {
  /** Accepted, waits for its turn to be assembled. */
  QUEUED,
  /** Its sender has been asked to assemble it. */
  ASSEMBLING,
  /** Assembled and signed; endorsements are being gathered, its own or of what it depends on. */
  ATTESTATION,
  /** Endorsed with all it depends on; the sender is asked for leave to dispatch. */
  CONFIRMATION,
  /** Handed to the submitter. */
  DISPATCHED,
  /** External submit mode: prepared and given to the sender's node. */
  DISTRIBUTED,
  /** No longer coordinated here. */
  GONE
}
