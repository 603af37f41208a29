package dev.sequitur.schedule.plan;

import dev.sequitur.schedule.Amount;

/**
 * Executions that were bought and not run yet.
 *
 * @param remaining not scheduled; the specification's {@code remainingExecutions}
 * @param scheduled scheduled, or started and without an outcome
 */
public record PlanCredit(long remaining, long scheduled) {
  static final PlanCredit NONE = new PlanCredit(0, 0);

  public PlanCredit {
    if (remaining < 0 || scheduled < 0) {
      throw new IllegalStateException("Less than no executions: " + remaining + ", " + scheduled);
    }
  }

  /** What must be held for it. */
  Amount owed(Plan plan) {
    return Amount.product(Math.addExact(remaining, scheduled), plan.price());
  }

  PlanCredit buy(long quantity) {
    return new PlanCredit(Math.addExact(remaining, quantity), scheduled);
  }

  PlanCredit schedule() {
    return new PlanCredit(remaining - 1, scheduled + 1);
  }

  /** Executed, and so paid. */
  PlanCredit execute() {
    return new PlanCredit(remaining, scheduled - 1);
  }

  /** Not executed: it can be scheduled again. */
  PlanCredit giveBack() {
    return new PlanCredit(remaining + 1, scheduled - 1);
  }

  /** All that is not scheduled is paid back. */
  PlanCredit refund() {
    return new PlanCredit(0, scheduled);
  }
}
