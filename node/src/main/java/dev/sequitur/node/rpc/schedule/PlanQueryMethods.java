package dev.sequitur.node.rpc.schedule;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.sequitur.json.Field;
import dev.sequitur.json.Formats;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Shape;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.method.Call;
import dev.sequitur.node.rpc.method.NodeContext;
import dev.sequitur.node.rpc.method.RpcMethod;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.TokenId;
import dev.sequitur.schedule.plan.Plan;
import dev.sequitur.schedule.plan.PlanCall;
import dev.sequitur.schedule.plan.PlanExecution;
import dev.sequitur.schedule.plan.PlanExecutionState;
import dev.sequitur.schedule.plan.PlanQuery;
import dev.sequitur.schedule.plan.PlanTerms;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;

/** The contract's functions that only read. */
final class PlanQueryMethods {
  private static final Field<Long> FROM_INDEX =
      Field.of("fromIndex", Formats.NUMBER, "from 0, inclusive");
  private static final Field<Long> TO_INDEX =
      Field.of(
          "toIndex",
          Formats.NUMBER,
          "exclusive; at most 1000 above fromIndex, and at most what"
              + " plans_executionsByRequestorCount answers");

  private final NodeContext context;
  private final PlanFields fields;

  PlanQueryMethods(NodeContext context) {
    this.context = context;
    this.fields = new PlanFields(context);
  }

  List<RpcMethod> methods() {
    return List.of(
        RpcMethod.reading(
            "plans_plans",
            List.of(CommandFields.QUEUE),
            OFFER,
            "`{plans, payee}`",
            "All plans by number, those that are no longer sold among them, and who is paid.",
            call -> ask(call, new PlanQuery.Plans())),
        RpcMethod.reading(
            "plans_remainingExecutions",
            List.of(PlanFields.REQUESTOR, PlanFields.PLAN, CommandFields.QUEUE),
            Shape.NUMBER,
            "a number",
            "How many executions of a plan a requestor has bought and not scheduled.",
            call ->
                ask(
                        call,
                        new PlanQuery.RemainingExecutions(
                            call.get(PlanFields.REQUESTOR), call.get(PlanFields.PLAN)))
                    .thenApply(PlanQuery.Count::executions)),
        RpcMethod.reading(
            "plans_executionsByRequestorCount",
            List.of(PlanFields.REQUESTOR, CommandFields.QUEUE),
            Shape.NUMBER,
            "a number",
            "How many executions a requestor ever scheduled.",
            call ->
                ask(call, new PlanQuery.ExecutionsByRequestorCount(call.get(PlanFields.REQUESTOR)))
                    .thenApply(PlanQuery.Count::executions)),
        RpcMethod.reading(
            "plans_getExecutionsByRequestor",
            List.of(PlanFields.REQUESTOR, FROM_INDEX, TO_INDEX, CommandFields.QUEUE),
            EXECUTION.list(),
            "an array of executions",
            "The executions of a requestor that are still known, in the order in which they were"
                + " scheduled. A page that ends beyond the count is an error, as in the contract, and"
                + " so is any page of one who has scheduled none: ask for the count first.",
            this::page),
        RpcMethod.reading(
            "plans_getState",
            List.of(PlanFields.ID, CommandFields.QUEUE),
            STATE,
            "`{state, number}`",
            "The state of an execution by the contract's name and number: Nonexistent, Scheduled,"
                + " ExecutionSuccessful, ExecutionFailed, Overdue, Refunded, Cancelled. Overdue is"
                + " computed from the clock.",
            call -> found(call).thenApply(PlanQueryMethods::state)),
        RpcMethod.reading(
            "plans_getExecutionById",
            List.of(PlanFields.ID, CommandFields.QUEUE),
            EXECUTION.orNull(),
            "the execution, or null",
            "The newest incarnation of an execution. `to` and `data` are what the contract calls,"
                + " and what its id is computed from: see plans_hash.",
            call -> found(call).thenApply(PlanQuery.Found::execution)),
        RpcMethod.reading(
            "plans_hash",
            List.of(PlanFields.HASHED),
            HASHED,
            "`{id, to, data, execution}`",
            "The id that an execution will have, before it is scheduled: keccak-256 over"
                + " abi.encode(requestor, plan, to, data, timestamp, value). Changes nothing."
                + " `execution` is its"
                + " ABI encoding, as plans_batchSchedule takes it.",
            call -> completedFuture(fields.hashed(call.get(PlanFields.HASHED)))));
  }

  private <R> CompletionStage<R> ask(Call call, PlanQuery<R> query) {
    return context.scheduler().ask(call.get(CommandFields.QUEUE), query);
  }

  private CompletionStage<PlanQuery.Found> found(Call call) {
    return ask(call, new PlanQuery.GetExecutionById(call.get(PlanFields.ID)))
        .thenApply(
            found ->
                new PlanQuery.Found(
                    found
                        .execution()
                        .filter(execution -> SeenSchedules.sees(call, execution.proposal()))));
  }

  private CompletionStage<List<PlanExecution>> page(Call call) {
    var query =
        new PlanQuery.GetExecutionsByRequestor(
            call.get(PlanFields.REQUESTOR), call.get(FROM_INDEX), call.get(TO_INDEX));
    return ask(call, query)
        .thenApply(
            page -> {
              page.objection()
                  .ifPresent(
                      sentence -> {
                        throw new RpcFailure(ErrorCode.WRONG_TYPE, sentence);
                      });
              return page.executions().stream()
                  .filter(execution -> SeenSchedules.sees(call, execution.proposal()))
                  .toList();
            });
  }

  /** A plan by its number. */
  record NumberedPlan(int number, Plan plan) {}

  static final ObjectShape<NumberedPlan> PLAN =
      ObjectShape.<NumberedPlan>named("Plan")
          .with("plan", Shape.NUMBER, NumberedPlan::number, "its number")
          .with("price", Words.DIGITS, each -> each.plan().price(), "of an execution")
          .with(
              "window",
              Shape.NUMBER,
              each -> each.plan().window(),
              "seconds before and after its time")
          .with("gasLimit", Words.DIGITS, each -> each.plan().gasLimit())
          .with(
              "token",
              Formats.TEXT,
              each -> each.plan().token().map(TokenId::toString).orElse("0x0"),
              "`0x0`: the queue's own money")
          .with("active", Formats.BOOLEAN, each -> each.plan().active(), "whether it is sold");

  private static final ObjectShape<PlanQuery.Offer> OFFER =
      ObjectShape.<PlanQuery.Offer>named("PlanOffer")
          .with("plans", PLAN.list(), PlanQueryMethods::numbered)
          .with("payee", Words.ACCOUNT, PlanQuery.Offer::payee);

  static List<NumberedPlan> numbered(PlanQuery.Offer offer) {
    return IntStream.range(0, offer.plans().size())
        .mapToObj(number -> new NumberedPlan(number, offer.plans().get(number)))
        .toList();
  }

  private static final Shape<PlanExecutionState> NAME =
      Shape.words("a state by the contract's name", "Scheduled").of(PlanQueryMethods::name);

  private static final ObjectShape<PlanExecutionState> STATE =
      ObjectShape.<PlanExecutionState>named("PlanExecutionState")
          .with("state", NAME, state -> state)
          .with("number", Shape.NUMBER, PlanExecutionState::ordinal, "the contract's");

  private static final ObjectShape<PlanCall> CALL =
      ObjectShape.<PlanCall>named("PlanCall")
          .with(
              "to",
              Shape.words("an address", "0x7e5f4552091a69125d5dfcb7b8c2659029395bdf"),
              PlanCall::to)
          .with("data", Formats.HEX, PlanCall::data);

  private static final ObjectShape<PlanFields.Hashed> HASHED =
      ObjectShape.<PlanFields.Hashed>named("HashedExecution")
          .with(
              "id",
              Words.SCHEDULE_ID,
              hashed -> new ScheduleId(FamilyKind.PLAN_EXECUTION, hashed.id()))
          .all(CALL, PlanFields.Hashed::call)
          .with("execution", Formats.HEX, PlanFields.Hashed::execution);

  private static final ObjectShape<PlanExecution> EXECUTION =
      ObjectShape.<PlanExecution>named("PlanExecution")
          .with("id", Words.SCHEDULE_ID, PlanExecution::id)
          .with("incarnation", Shape.NUMBER, PlanExecution::incarnation)
          .with("requestor", Words.ACCOUNT, execution -> execution.proposal().owner())
          .with("state", NAME, PlanExecution::state)
          .allIf(
              FamilyShape.PLAN,
              execution ->
                  execution.proposal().terms() instanceof PlanTerms terms
                      ? Optional.of(terms)
                      : Optional.empty())
          .all(CALL, execution -> PlanCall.of(execution.proposal().target()))
          .with("target", TargetShapes.TARGET, execution -> execution.proposal().target());

  private static PlanExecutionState state(PlanQuery.Found found) {
    return found.execution().map(PlanExecution::state).orElse(PlanExecutionState.NONEXISTENT);
  }

  /** As the contract writes it: the constants have its order. */
  private static String name(PlanExecutionState state) {
    var name = new StringBuilder();
    for (var word : state.name().split("_", -1)) {
      name.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
    }
    return name.toString();
  }
}
