package dev.sequitur.protocol.sender;

import java.util.Locale;

/** Where a transaction stands, from the perspective of its sender (SND-1). */
public enum TransactionState {
  /** Accepted, delegated to nobody now. */
  PENDING,
  /** Pending, and waits for a call or a timer (SND-5). */
  PARKED,
  /** A delegation command is out. */
  DELEGATING,
  /** A coordinator has accepted it. */
  DELEGATED,
  /** The coordinator has asked for its assembly. */
  ASSEMBLING,
  /** Leave to dispatch is granted, or it is prepared for its caller to submit. */
  PREPARED,
  /** A submitter holds it. */
  DISPATCHED,
  /** On the base ledger. Final. */
  CONFIRMED,
  /** Ended without being fulfilled. Final. */
  REVERTED;

  /** As people and programs are told it: {@code Delegated}. */
  public String title() {
    return name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT);
  }
}
