package dev.sequitur.protocol.schedule.family;

import dev.sequitur.protocol.schedule.AccountId;
import dev.sequitur.protocol.schedule.Amount;

/** What happens to plans and what was bought of them. */
public sealed interface PlanEvent extends FamilyEvent {
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

  /** The specification's {@code ExecutionPurchased}. Its money is held with it. */
  record ExecutionPurchased(PlanAccount account, long quantity) implements PlanEvent {}

  /** What was not scheduled of it was paid back. */
  record PlanRefunded(PlanAccount account) implements PlanEvent {}
}
