package dev.sequitur.schedule.plan;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.family.Family;
import dev.sequitur.schedule.family.FamilyQuery;
import dev.sequitur.schedule.family.QueueView;
import java.util.List;
import java.util.Optional;

/** The contract's read-only functions as questions that may come from another JVM of the node. */
public sealed interface PlanQuery<R> extends FamilyQuery<R> {
  @Override
  default FamilyKind family() {
    return FamilyKind.PLAN_EXECUTION;
  }

  @Override
  default R answer(Family family, QueueView view) {
    return answer(new PlanQueries(view));
  }

  R answer(PlanQueries queries);

  /** All plans, and who is paid. */
  record Plans() implements PlanQuery<Offer> {
    @Override
    public Offer answer(PlanQueries queries) {
      return new Offer(queries.plans(), queries.payee());
    }
  }

  /**
   * @param plans by number, those that were removed among them
   */
  record Offer(List<Plan> plans, AccountId payee) {
    public Offer {
      plans = List.copyOf(plans);
    }
  }

  /** How many executions of a plan a requestor can schedule. */
  record RemainingExecutions(AccountId requestor, long plan) implements PlanQuery<Count> {
    @Override
    public Count answer(PlanQueries queries) {
      return new Count(queries.remainingExecutions(requestor, plan));
    }
  }

  /** A number of executions. */
  record Count(long executions) {}

  /** {@code getExecutionById}; its state is {@code getState}'s. */
  record GetExecutionById(ScheduleId id) implements PlanQuery<Found> {
    @Override
    public Found answer(PlanQueries queries) {
      return new Found(queries.getExecutionById(id));
    }
  }

  /**
   * @param execution empty if it is not known, or not any more
   */
  record Found(Optional<PlanExecution> execution) {}

  /** {@code executionsByRequestorCount}. */
  record ExecutionsByRequestorCount(AccountId requestor) implements PlanQuery<Count> {
    @Override
    public Count answer(PlanQueries queries) {
      return new Count(queries.executionsByRequestorCount(requestor));
    }
  }

  /** {@code getExecutionsByRequestor}. */
  record GetExecutionsByRequestor(AccountId requestor, long fromIndex, long toIndex)
      implements PlanQuery<Page> {
    @Override
    public Page answer(PlanQueries queries) {
      try {
        return new Page(
            queries.getExecutionsByRequestor(requestor, fromIndex, toIndex), Optional.empty());
      } catch (IllegalArgumentException e) {
        return new Page(List.of(), Optional.of(e.getMessage()));
      }
    }
  }

  /**
   * @param objection a sentence for the caller, if the page is out of range
   */
  record Page(List<PlanExecution> executions, Optional<String> objection) {
    public Page {
      executions = List.copyOf(executions);
    }
  }
}
