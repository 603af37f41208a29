package dev.sequitur.schedule.plan;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.LatePolicy;
import dev.sequitur.schedule.RetryPolicy;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.TokenId;
import dev.sequitur.schedule.family.FamilyOperation;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The functions of the specification's contract. Its {@code multicall} is the queue's batch of
 * these. Whoever signs is the contract's {@code msg.sender}.
 */
public sealed interface PlanOperation extends FamilyOperation {
  @Override
  default FamilyKind family() {
    return FamilyKind.PLAN_EXECUTION;
  }

  @Override
  default String name() {
    return switch (this) {
      case AddPlan ignored -> "AddPlan";
      case RemovePlan ignored -> "RemovePlan";
      case SetPayee ignored -> "SetPayee";
      case Pause ignored -> "Pause";
      case Unpause ignored -> "Unpause";
      case Approve ignored -> "Approve";
      case Purchase ignored -> "Purchase";
      case TransferAndCall ignored -> "TransferAndCall";
      case Schedule ignored -> "Schedule";
      case BatchSchedule ignored -> "BatchSchedule";
      case CancelScheduling ignored -> "CancelScheduling";
      case RequestExecutionRefund ignored -> "RequestExecutionRefund";
      case RequestPlanRefund ignored -> "RequestPlanRefund";
      case Execute ignored -> "Execute";
    };
  }

  @Override
  default Stream<Target> targets() {
    return switch (this) {
      case Schedule schedule -> Stream.of(schedule.target());
      case BatchSchedule batch -> batch.executions().stream().map(Schedule::target);
      case OfPlans ignored -> Stream.empty();
      case CancelScheduling ignored -> Stream.empty();
      case RequestExecutionRefund ignored -> Stream.empty();
      case Execute ignored -> Stream.empty();
    };
  }

  @Override
  default Optional<ScheduleId> about() {
    return switch (this) {
      case CancelScheduling(var execution) -> Optional.of(execution);
      case RequestExecutionRefund(var execution) -> Optional.of(execution);
      case Execute(var execution, var ignored) -> Optional.of(execution);
      case Schedule ignored -> Optional.empty();
      case BatchSchedule ignored -> Optional.empty();
      case OfPlans ignored -> Optional.empty();
    };
  }

  @Override
  default PlanOperation aboutNone() {
    var none = ScheduleId.never(FamilyKind.PLAN_EXECUTION);
    return switch (this) {
      case CancelScheduling ignored -> new CancelScheduling(none);
      case RequestExecutionRefund ignored -> new RequestExecutionRefund(none);
      case Execute(var ignored, var gas) -> new Execute(none, gas);
      case Schedule schedule -> schedule;
      case BatchSchedule batch -> batch;
      case OfPlans ofPlans -> ofPlans;
    };
  }

  /** Of the modules Admin and Purchasing, and the refund of plans. */
  sealed interface OfPlans extends PlanOperation {}

  /** The service provider's: the module Admin. */
  sealed interface Administered extends OfPlans {}

  record AddPlan(Plan plan) implements Administered {}

  /** It is no longer sold. */
  record RemovePlan(long plan) implements Administered {}

  /** Who is paid for executions. */
  record SetPayee(AccountId payee) implements Administered {}

  /** No purchases, schedulings and executions until it is undone. */
  record Pause() implements Administered {}

  record Unpause() implements Administered {}

  /**
   * ERC-20: purchases may draw so much from the signer's account in the token.
   *
   * @param amount instead of what was allowed before
   */
  record Approve(TokenId token, Amount amount) implements OfPlans {}

  /**
   * Buys executions of a plan: one in a token by what was approved, any other by {@code value}.
   *
   * @param value of the queue's own money, sent along
   */
  record Purchase(long plan, long quantity, Amount value) implements OfPlans {}

  /**
   * ERC-677: sends tokens, and buys with them.
   *
   * @param data ABI encoding of (uint256 plan, uint256 quantity)
   */
  record TransferAndCall(TokenId token, Amount amount, Bytes data) implements OfPlans {}

  /**
   * One execution of a plan that was bought.
   *
   * @param late what becomes of it once it is overdue: beyond the text, it may be refunded unasked
   * @param retry beyond the text, what follows an attempt that failed
   */
  record Schedule(PlanTerms terms, Target target, LatePolicy late, RetryPolicy retry)
      implements PlanOperation {
    /** As the text has it. */
    public Schedule(PlanTerms terms, Target target) {
      this(terms, target, LatePolicy.AS_SPECIFIED, RetryPolicy.NEVER);
    }
  }

  /**
   * Several executions, all or none; or none at all, which changes nothing (PLN-11).
   *
   * @param value what all of them send, together
   */
  record BatchSchedule(List<Schedule> executions, Amount value) implements PlanOperation {
    private static final int MOST = 1_000;

    public BatchSchedule {
      executions = List.copyOf(executions);
      if (executions.size() > MOST) {
        throw new IllegalArgumentException("Schedule at most " + MOST + " executions at once.");
      }
    }
  }

  /** The requestor's, of one that is scheduled or overdue. */
  record CancelScheduling(ScheduleId execution) implements PlanOperation {}

  /** The requestor's, of one that is overdue. */
  record RequestExecutionRefund(ScheduleId execution) implements PlanOperation {}

  /** The requestor's, while paused: what it bought of a plan and did not schedule. */
  record RequestPlanRefund(long plan) implements OfPlans {}

  /**
   * The service provider's, within the window; at its timestamp the queue does it by itself.
   *
   * @param gas that the provider gives: the plan's limit at least, so that no execution is starved
   */
  record Execute(ScheduleId execution, long gas) implements PlanOperation {}
}
