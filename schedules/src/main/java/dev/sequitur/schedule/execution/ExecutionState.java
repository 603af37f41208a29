package dev.sequitur.schedule.execution;

/** Where an occurrence stands once its time has come. */
public enum ExecutionState {
  /** Chosen to run, or to run again after a failed attempt. */
  DUE,
  /** Stored with its key and price; perhaps handed over, perhaps not. Nobody can call it back. */
  STARTED,
  /** Whoever runs it has it, durably. */
  SUBMITTED,
  /** It ran; its money is not settled yet. */
  SUCCEEDED,
  /** It failed; another attempt may follow, or its money is settled. */
  FAILED,
  /** Its outcome is recorded and its money settled. Final. */
  SETTLED
}
