package dev.sequitur.schedule;

/** How an occurrence ended. Each has exactly one (SCH-21). */
public enum Outcome {
  /** It ran and succeeded. */
  RUN,
  /** It ran, and what it ran failed for good. */
  FAILED,
  /** Its time passed, and it is not run late. */
  MISSED,
  /** It waited too long; what was deposited went back. */
  EXPIRED,
  /** Somebody entitled to it, or a shutdown, ended it before it started. */
  CANCELLED,
  /** Its owner asked for the money of what had not been run in time. */
  REFUNDED
}
