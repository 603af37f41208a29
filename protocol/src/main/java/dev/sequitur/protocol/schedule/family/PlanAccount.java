package dev.sequitur.protocol.schedule.family;

import dev.sequitur.protocol.schedule.AccountId;
import dev.sequitur.protocol.schedule.CanonicalEncoding;
import dev.sequitur.protocol.schedule.FamilyKind;
import dev.sequitur.protocol.schedule.ScheduleId;
import dev.sequitur.protocol.schedule.book.HoldId;

/** What one requestor has bought of one plan; its money is one hold. */
public record PlanAccount(AccountId requestor, long plan) implements Comparable<PlanAccount> {
  /** Not of a schedule, but of what was bought: no schedule has the incarnation 0. */
  HoldId hold() {
    var id = new CanonicalEncoding().add("plan-account").add(requestor.value()).add(plan).sha3();
    return new HoldId(new ScheduleId(FamilyKind.PLAN_EXECUTION, id), 0);
  }

  @Override
  public int compareTo(PlanAccount other) {
    int order = requestor.compareTo(other.requestor);
    return order == 0 ? Long.compare(plan, other.plan) : order;
  }
}
