package dev.sequitur.protocol.coordinator;

/** What a node does for one contract, as its coordinator. */
public enum ContractMode {
  /** Coordinates nothing and sends nothing. */
  INACTIVE,
  /** Has accepted, and asks its own submitter what is dispatched and unconfirmed (RCV-2). */
  LOADING,
  /** Coordinates. */
  ACTIVE,
  /**
   * Its range has ended, or a better one lives: finishes only what the sender was asked about
   * (SWO-1).
   */
  DRAINING
}
