package dev.sequitur.schedule.plan;

/** The specification's {@code ExecutionState}: projections of the shared lifecycle. */
public enum PlanExecutionState {
  /** Never scheduled, or its record has been forgotten. */
  NONEXISTENT,
  /** It waits for its window, is in it, or was started and its outcome is awaited. */
  SCHEDULED,
  /** It was called in its window and did not fail. */
  EXECUTION_SUCCESSFUL,
  /** It was called in its window and failed; the value went back to the requestor. */
  EXECUTION_FAILED,
  /** Its window has passed and it was not started. Computed from the clock, never stored. */
  OVERDUE,
  /** The requestor got back the value and the execution it had bought, after it was overdue. */
  REFUNDED,
  /** The requestor cancelled it and got back the value and the execution it had bought. */
  CANCELLED
}
