package dev.sequitur.schedule.plan;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.book.HoldId;

/** What one requestor has bought of one plan; its money is one hold. */
public record PlanAccount(AccountId requestor, long plan) implements Comparable<PlanAccount> {
  /** The number comes first: whatever the requestor is called, no two have one name. */
  HoldId.Named hold() {
    return new HoldId.Named(FamilyKind.PLAN_EXECUTION, "plan " + plan + " of " + requestor);
  }

  @Override
  public int compareTo(PlanAccount other) {
    int order = requestor.compareTo(other.requestor);
    return order == 0 ? Long.compare(plan, other.plan) : order;
  }
}
