package dev.sequitur.protocol.coordinator;

/** What changes the mode of a contract's coordinator. */
public enum ContractEvent {
  DELEGATION_ACCEPTED,
  DISPATCHES_LOADED,
  /** The range has ended with another coordinator, or a better one lives. */
  RANGE_LEFT,
  NOTHING_LEFT
}
