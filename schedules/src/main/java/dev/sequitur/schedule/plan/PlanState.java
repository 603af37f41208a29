package dev.sequitur.schedule.plan;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.family.Family;
import dev.sequitur.schedule.family.FamilyState;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.family.Schedule;
import java.util.Optional;
import org.pcollections.TreePMap;
import org.pcollections.TreePVector;

/**
 * The plans and what was bought of them.
 *
 * @param plans by number, those that were removed among them
 * @param credits of those who have bought and not yet used it all
 * @param allowances what purchases may still draw from an account in a token
 */
@Copyable
public record PlanState(
    TreePVector<Plan> plans,
    AccountId payee,
    TreePMap<PlanAccount, PlanCredit> credits,
    TreePMap<AccountId, Amount> allowances,
    PlanRegister register)
    implements FamilyState, PlanStateBuilder.With {

  static PlanState initial(AccountId payee) {
    return new PlanState(
        TreePVector.empty(), payee, TreePMap.empty(), TreePMap.empty(), PlanRegister.EMPTY);
  }

  Optional<Plan> plan(long number) {
    return number < plans.size()
        ? Optional.of(plans.get(Math.toIntExact(number)))
        : Optional.empty();
  }

  /**
   * @throws IllegalStateException if there is no such plan
   */
  Plan require(long number) {
    return plan(number)
        .orElseThrow(() -> new IllegalStateException("There is no plan " + number + "."));
  }

  PlanCredit credit(PlanAccount account) {
    return credits.getOrDefault(account, PlanCredit.NONE);
  }

  Amount allowance(AccountId account) {
    return allowances.getOrDefault(account, Amount.ZERO);
  }

  /** What the holds of all that was bought must be, all together. */
  Amount owed() {
    var owed = Amount.ZERO;
    for (var entry : credits.entrySet()) {
      owed = owed.plus(entry.getValue().owed(require(entry.getKey().plan())));
    }
    return owed;
  }

  /** The longest window of any plan, in seconds. */
  long longestWindow() {
    return plans.stream().mapToLong(Plan::window).max().orElse(0);
  }

  boolean isOver(Proposal proposal, long nowSeconds) {
    var terms = terms(proposal);
    return require(terms.plan()).isOver(terms.timestamp(), nowSeconds);
  }

  boolean canBuy(PlanAccount account, long quantity) {
    try {
      return credit(account).buy(quantity).owed(require(account.plan())).units() >= 0;
    } catch (ArithmeticException e) {
      return false;
    }
  }

  /** Whether the same waits or was executed: only what was not executed comes again (PLN-5). */
  boolean isTaken(ScheduleId id) {
    var newest = register.newest(id);
    return newest.isPresent() && newest.get().outcome().map(PlanEvent::isExecuted).orElse(true);
  }

  /**
   * @param keep how many executions with an outcome are known at most
   */
  PlanState on(PlanEvent event, int keep) {
    return switch (event) {
      case PlanEvent.PlanAdded(var plan) -> withPlans(plans.plus(plan));
      case PlanEvent.PlanRemoved(var plan) -> {
        int number = Math.toIntExact(plan);
        yield withPlans(plans.minus(number).plus(number, require(number).removed()));
      }
      case PlanEvent.PayeeSet set -> withPayee(set.payee());
      case PlanEvent.Approved(var account, var amount) -> approve(account, amount);
      case PlanEvent.ExecutionPurchased(var account, var quantity) ->
          with(account, credit(account).buy(quantity));
      case PlanEvent.PlanRefunded(var account) -> with(account, credit(account).refund());
      case PlanEvent.ExecutionEnded(var execution, var outcome) -> end(execution, outcome, keep);
    };
  }

  PlanState schedule(Schedule schedule) {
    var account = account(schedule);
    return with(account, credit(account).schedule()).withRegister(register.plus(schedule));
  }

  private PlanState end(ScheduleId execution, Outcome outcome, int keep) {
    var entry =
        register
            .newest(execution)
            .orElseThrow(() -> new IllegalStateException("No such execution: " + execution));
    var account = new PlanAccount(entry.proposal().owner(), terms(entry.proposal()).plan());
    var credit = credit(account);
    return with(account, PlanEvent.isExecuted(outcome) ? credit.execute() : credit.giveBack())
        .withRegister(register.finish(entry, outcome, keep));
  }

  static PlanState of(FamilyState state) {
    return Family.own(PlanState.class, state);
  }

  static PlanAccount account(Schedule schedule) {
    return new PlanAccount(schedule.proposal().owner(), terms(schedule.proposal()).plan());
  }

  static PlanTerms terms(Proposal proposal) {
    return Family.own(PlanTerms.class, proposal.terms());
  }

  private PlanState approve(AccountId account, Amount amount) {
    return withAllowances(
        amount.isZero() ? allowances.minus(account) : allowances.plus(account, amount));
  }

  private PlanState with(PlanAccount account, PlanCredit credit) {
    return withCredits(
        credit.equals(PlanCredit.NONE) ? credits.minus(account) : credits.plus(account, credit));
  }
}
