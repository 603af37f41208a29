package dev.sequitur.scheduler;

/** Where a schedule stands, as callers see it: waiting, or how far its present occurrence is. */
public enum ScheduleState {
  /** For its time, its signatures, or its turn. */
  WAITING,
  /** Until somebody acts on it; its due key names the cause. */
  PARKED,
  /** An attempt failed, and another one follows. */
  DUE,
  /** Stored, with its key and price. */
  STARTED,
  /** Whoever runs it has it. */
  SUBMITTED,
  /** It ran, and its money is not settled yet. */
  SUCCEEDED,
  /** It failed, and its money is not settled yet. */
  FAILED,
  /** It has its outcome, or has expired and is about to get it. */
  SETTLED
}
