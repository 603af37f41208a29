package dev.sequitur.schedule.plan;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.family.Terms;
import java.util.Map;

/**
 * The specification's {@code Execution}, without requestor, receiver and data.
 *
 * @param plan by which it was bought, from 0
 * @param timestamp when it must be executed: seconds since 1970, give or take the plan's window
 * @param value in the queue's own money, held from the scheduling on and paid to the receiver when
 *     the execution succeeds
 */
public record PlanTerms(long plan, long timestamp, Amount value) implements Terms {
  public PlanTerms {
    if (plan < 0 || timestamp < 0) {
      throw new IllegalArgumentException(
          "Plan and timestamp are not negative: " + plan + ", " + timestamp);
    }
  }

  @Override
  public FamilyKind family() {
    return FamilyKind.PLAN_EXECUTION;
  }

  @Override
  public Map<AccountId, Long> moves(Proposal proposal) {
    return PlanCall.receiver(proposal.target())
        .map(receiver -> Terms.moves(proposal.owner(), receiver, value))
        .orElse(Map.of());
  }
}
