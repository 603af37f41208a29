package dev.sequitur.schedule.plan;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.family.QueueView;
import java.util.List;
import java.util.Optional;

/** The contract's read-only functions, at the time of a view. */
public final class PlanQueries {
  /** So that one question cannot stop the queue for long. */
  public static final int MOST_IN_A_PAGE = 1_000;

  private final QueueView view;
  private final PlanState state;

  /**
   * @param view of this family
   */
  public PlanQueries(QueueView view) {
    this.view = view;
    this.state = PlanState.of(view.state());
  }

  /** By number, those that were removed among them. */
  public List<Plan> plans() {
    return state.plans();
  }

  public AccountId payee() {
    return state.payee();
  }

  /** How many executions of a plan a requestor has bought and not scheduled. */
  public long remainingExecutions(AccountId requestor, long plan) {
    return state.credit(new PlanAccount(requestor, plan)).remaining();
  }

  public PlanExecutionState getState(ScheduleId id) {
    return getExecutionById(id).map(PlanExecution::state).orElse(PlanExecutionState.NONEXISTENT);
  }

  /** The newest incarnation. */
  public Optional<PlanExecution> getExecutionById(ScheduleId id) {
    return state.register().newest(id).map(this::execution);
  }

  /** How many a requestor ever scheduled, those that have been forgotten among them. */
  public long executionsByRequestorCount(AccountId requestor) {
    return state.register().count(requestor);
  }

  /**
   * Those of a requestor that are still known, in the order in which they were scheduled.
   *
   * @param fromIndex inclusive
   * @param toIndex exclusive
   * @throws IllegalArgumentException with a sentence for the caller, if the page is out of range
   */
  public List<PlanExecution> getExecutionsByRequestor(
      AccountId requestor, long fromIndex, long toIndex) {
    long count = executionsByRequestorCount(requestor);
    if (fromIndex < 0 || fromIndex >= toIndex || toIndex > count) {
      throw new IllegalArgumentException(
          "Ask from an index below the one you ask to, which is " + count + " at most.");
    } else if (toIndex - fromIndex > MOST_IN_A_PAGE) {
      throw new IllegalArgumentException("Ask for at most " + MOST_IN_A_PAGE + " at once.");
    }
    return state.register().page(requestor, fromIndex, toIndex).stream()
        .map(this::execution)
        .toList();
  }

  private PlanExecution execution(PlanRegister.Entry entry) {
    return new PlanExecution(
        entry.id(),
        entry.incarnation(),
        entry.proposal(),
        entry.outcome().map(PlanQueries::ended).orElseGet(() -> open(entry)));
  }

  /** Once it was started it will have its outcome, however long that takes. */
  private PlanExecutionState open(PlanRegister.Entry entry) {
    return !view.isStarted(entry.id()) && state.isOver(entry.proposal(), view.now().seconds())
        ? PlanExecutionState.OVERDUE
        : PlanExecutionState.SCHEDULED;
  }

  private static PlanExecutionState ended(Outcome outcome) {
    return switch (outcome) {
      case RUN -> PlanExecutionState.EXECUTION_SUCCESSFUL;
      case FAILED -> PlanExecutionState.EXECUTION_FAILED;
      case CANCELLED -> PlanExecutionState.CANCELLED;
      case REFUNDED, EXPIRED, MISSED -> PlanExecutionState.REFUNDED;
    };
  }
}
