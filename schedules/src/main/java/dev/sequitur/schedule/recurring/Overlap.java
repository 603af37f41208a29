package dev.sequitur.schedule.recurring;

/** What becomes of the times of a series that come while an earlier one of it runs. */
public enum Overlap {
  /** They wait, and are late then: what happens to what is late says the rest. */
  WAIT,
  /** They are missed. */
  SKIP,
  /** The newest of them runs as soon as the one before has ended; the others are missed. */
  BUFFER_ONE
}
