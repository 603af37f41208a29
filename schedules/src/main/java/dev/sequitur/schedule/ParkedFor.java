package dev.sequitur.schedule;

/** Why a schedule is parked: the one cause, as it was when that happened. */
public enum ParkedFor {
  /** The slot of a series' next time was full. */
  SLOT_FULL,
  /** The owner of a series could not pay the fee of its next time. */
  FEE_UNPAID,
  /** The rules failed over it. */
  FAILED,
  /** Its window has passed, and its requestor has neither cancelled it nor asked for the refund. */
  OVERDUE,
  /** Its owner has paused it. */
  PAUSED
}
