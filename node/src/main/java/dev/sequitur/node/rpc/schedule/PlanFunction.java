package dev.sequitur.node.rpc.schedule;

import dev.sequitur.json.Choice;
import dev.sequitur.json.Field;
import dev.sequitur.json.ObjectFormat;
import dev.sequitur.schedule.plan.PlanOperation;
import java.util.Locale;

/**
 * The contract's functions that change something, in the order of the reference page: how each is
 * called, and what it does. {@link #of} ties them to {@link PlanOperation}: one that nobody could
 * call does not compile.
 */
enum PlanFunction implements Choice.Kind {
  ADD_PLAN(
      "addPlan",
      "`{plan}`, its number",
      "Adds a plan that is sold from now on; the service provider's.",
      PlanFields.PRICE,
      PlanFields.WINDOW,
      PlanFields.GAS_LIMIT,
      PlanFields.SOLD_IN),
  REMOVE_PLAN(
      "removePlan",
      "true",
      "Ends the sale of a plan; what was bought of it is honoured. The service provider's.",
      PlanFields.PLAN),
  SET_PAYEE(
      "setPayee",
      "true",
      "Says who is paid for executions from now on. The service provider's.",
      PlanFields.PAYEE),
  APPROVE(
      "approve",
      "true",
      "ERC-20: lets purchases draw `amount` from the sender's account in `token`, instead of what"
          + " was allowed before.",
      PlanFields.TOKEN,
      PlanFields.AMOUNT),
  PURCHASE(
      "purchase",
      "`{remainingExecutions}` of the plan",
      "Buys `quantity` executions of `plan`: with `value` of the queue's own money, which must be"
          + " just the price; of a plan that is sold in a token, with what was approved before, and"
          + " no `value`.",
      PlanFields.PLAN,
      PlanFields.QUANTITY,
      PlanFields.VALUE),
  TRANSFER_AND_CALL(
      "transferAndCall",
      "`{remainingExecutions}` of the plan",
      "ERC-677: sends `amount` of `token` and buys with it.",
      PlanFields.TOKEN,
      PlanFields.AMOUNT,
      PlanFields.BOUGHT_PLAN,
      PlanFields.BOUGHT_QUANTITY,
      PlanFields.PURCHASE_DATA),
  SCHEDULE(
      "schedule",
      "`{ids}`, in order",
      "Schedules an execution of a plan that was bought. A repetition cannot be scheduled.",
      PlanFields.PLAN,
      PlanFields.TIMESTAMP,
      PlanFields.PAID,
      TargetFields.TARGET_OF_EXECUTION,
      TargetFields.LATE_OF_EXECUTION,
      TargetFields.RETRY),
  BATCH_SCHEDULE(
      "batchSchedule",
      "`{ids}`, in order",
      "Schedules several executions, all or none. `value` is what all of them send.",
      PlanFields.EXECUTIONS,
      PlanFields.VALUE),
  CANCEL_SCHEDULING(
      "cancelScheduling",
      "true",
      "Cancels an execution that is scheduled or overdue; its value and the execution that was"
          + " bought go back. The requestor's.",
      PlanFields.ID),
  EXECUTE(
      "execute",
      "true",
      "Executes within the window; the service provider's. At its timestamp the queue does it by"
          + " itself.",
      PlanFields.ID,
      PlanFields.GAS),
  REQUEST_EXECUTION_REFUND(
      "requestExecutionRefund",
      "true",
      "Refunds an overdue execution. The requestor's.",
      PlanFields.ID),
  PAUSE(
      "pause",
      "true",
      "No purchases, schedulings and executions until plans_unpause. The service provider's."),
  REQUEST_PLAN_REFUND(
      "requestPlanRefund",
      "true",
      "Refunds what the sender bought of a plan and did not schedule; only while paused.",
      PlanFields.PLAN),
  UNPAUSE("unpause", "true", "Undoes plans_pause. The service provider's.");

  private final String word;
  private final String returns;
  private final String doc;
  private final ObjectFormat fields;

  PlanFunction(String word, String returns, String doc, Field<?>... fields) {
    this.word = word;
    this.returns = returns;
    this.doc = doc;
    var capital = word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
    this.fields = ObjectFormat.of(capital + "InMulticall", fields);
  }

  @Override
  public String word() {
    return word;
  }

  @Override
  public ObjectFormat fields() {
    return fields;
  }

  String method() {
    return "plans_" + word;
  }

  String returns() {
    return returns;
  }

  String doc() {
    return doc;
  }

  static PlanFunction of(PlanOperation operation) {
    return switch (operation) {
      case PlanOperation.AddPlan any -> ADD_PLAN;
      case PlanOperation.RemovePlan any -> REMOVE_PLAN;
      case PlanOperation.SetPayee any -> SET_PAYEE;
      case PlanOperation.Approve any -> APPROVE;
      case PlanOperation.Purchase any -> PURCHASE;
      case PlanOperation.TransferAndCall any -> TRANSFER_AND_CALL;
      case PlanOperation.Schedule any -> SCHEDULE;
      case PlanOperation.BatchSchedule any -> BATCH_SCHEDULE;
      case PlanOperation.CancelScheduling any -> CANCEL_SCHEDULING;
      case PlanOperation.Execute any -> EXECUTE;
      case PlanOperation.RequestExecutionRefund any -> REQUEST_EXECUTION_REFUND;
      case PlanOperation.Pause any -> PAUSE;
      case PlanOperation.RequestPlanRefund any -> REQUEST_PLAN_REFUND;
      case PlanOperation.Unpause any -> UNPAUSE;
    };
  }
}
