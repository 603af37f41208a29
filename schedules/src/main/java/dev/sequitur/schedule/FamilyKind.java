package dev.sequitur.schedule;

import java.util.Locale;

/** The families of schedules, in the order in which a block serves them (SCH-5). */
public enum FamilyKind {
  /** Runs once enough have signed: docs/rules/multi-signature.md. */
  MULTI_SIGNATURE,
  /** Runs at 1 to 24 given times: docs/rules/recurring.md. */
  RECURRING,
  /** Runs at a time, the highest bidder first: docs/rules/gas-priority.md. */
  GAS_PRIORITY,
  /** Runs within a window, by a purchased plan: docs/rules/plan-executions.md. */
  PLAN_EXECUTION,
  /** Was requested at a plan contract of a chain, and is executed there. */
  CHAIN_EXECUTION;

  /** As callers write it, and as ids of its schedules begin. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether ids of its schedules are numbers, given in order; those of the others are digests. */
  public boolean isNumbered() {
    return this == MULTI_SIGNATURE;
  }
}
