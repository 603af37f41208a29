package dev.sequitur.protocol.schedule;

/** The families of schedules, in the order in which a block serves them (DECISIONS F1). */
public enum FamilyKind {
  /** Runs once enough have signed: {@code hedera-scheduled-transactions.md}. */
  MULTI_SIGNATURE,
  /** Runs at 1 to 24 given times: {@code oak-recurring-tasks.md}. */
  RECURRING,
  /** Runs at a time, the highest bidder first: {@code aptos-aip-125-scheduled-transactions.md}. */
  GAS_PRIORITY,
  /** Runs within a window, by a purchased plan: {@code rif-scheduler-contracts.md}. */
  PLAN_EXECUTION
}
