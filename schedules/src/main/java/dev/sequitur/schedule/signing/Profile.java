package dev.sequitur.schedule.signing;

/** Which generation of the multi-signature rules a queue follows (MSIG-1). */
public enum Profile {
  /** The specification: signatures cover the scheduled body; runs with the last one. */
  MVP,
  /** What Hedera runs today: signatures cover the outer transaction; may wait for a time. */
  CURRENT
}
