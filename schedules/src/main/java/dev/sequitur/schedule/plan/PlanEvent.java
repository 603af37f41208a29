package dev.sequitur.schedule.plan;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.family.FamilyEvent;

/** What happens to plans and what was bought of them. */
public sealed interface PlanEvent extends FamilyEvent {
  /** Whether an outcome uses up what was bought. */
  static boolean isExecuted(Outcome outcome) {
    return outcome == Outcome.RUN || outcome == Outcome.FAILED;
  }

  /** It is sold from now on, under the next number. */
  record PlanAdded(Plan plan) implements PlanEvent {}

  /** It is no longer sold. */
  record PlanRemoved(long plan) implements PlanEvent {}

  /** Who is paid for executions from now on. */
  record PayeeSet(AccountId payee) implements PlanEvent {}

  /**
   * So much may be drawn from a token account by purchases.
   *
   * @param account of the holder in the token
   * @param amount instead of what was allowed before
   */
  record Approved(AccountId account, Amount amount) implements PlanEvent {}

  /** Executions of a plan were bought. Their money is held with it. */
  record ExecutionPurchased(PlanAccount account, long quantity) implements PlanEvent {}

  /** An execution has its outcome; if it was not executed, it can be scheduled again. */
  record ExecutionEnded(ScheduleId execution, Outcome outcome) implements PlanEvent {}

  /** What was not scheduled of it was paid back. */
  record PlanRefunded(PlanAccount account) implements PlanEvent {}
}
