package dev.sequitur.node.rpc.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.json.Fields;
import dev.sequitur.node.rpc.json.Formats;
import dev.sequitur.node.rpc.json.JsonText;
import dev.sequitur.node.rpc.method.Call;
import dev.sequitur.node.rpc.method.NodeContext;
import dev.sequitur.node.rpc.method.RpcMethod;
import dev.sequitur.node.rpc.method.RpcMethod.Parameter;
import dev.sequitur.protocol.schedule.AccountId;
import dev.sequitur.protocol.schedule.FamilyKind;
import dev.sequitur.protocol.schedule.ScheduleId;
import dev.sequitur.protocol.schedule.TokenId;
import dev.sequitur.protocol.schedule.family.Plan;
import dev.sequitur.protocol.schedule.family.PlanCall;
import dev.sequitur.protocol.schedule.family.PlanExecution;
import dev.sequitur.protocol.schedule.family.PlanExecutionState;
import dev.sequitur.protocol.schedule.family.PlanQuery;
import dev.sequitur.protocol.schedule.family.PlanTerms;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The contract's functions that only read. */
final class PlanQueryMethods {
  private static final Parameter<String> ID =
      Parameter.of(
          "id", Formats.NAME, "the execution's id, with or without `plan-execution:`");
  private static final Parameter<String> REQUESTOR =
      Parameter.of("requestor", Formats.NAME, "the requestor's account");

  private final NodeContext context;
  private final PlanFields fields;

  PlanQueryMethods(NodeContext context) {
    this.context = context;
    this.fields = new PlanFields(context);
  }

  List<RpcMethod> methods() {
    return List.of(
        new RpcMethod(
            "plans_plans",
            List.of(QueueMethods.QUEUE),
            "`{plans, payee}`",
            "All plans by number, those that are no longer sold among them, and who is paid.",
            true,
            call -> ask(call, 0, new PlanQuery.Plans()).thenApply(PlanQueryMethods::offer)),
        new RpcMethod(
            "plans_remainingExecutions",
            List.of(
                REQUESTOR,
                Parameter.of("plan", Formats.NUMBER, "the plan's number"),
                QueueMethods.QUEUE),
            "a number",
            "How many executions of a plan a requestor has bought and not scheduled.",
            true,
            call ->
                ask(call, 2, new PlanQuery.RemainingExecutions(account(call), call.number(1)))
                    .thenApply(count -> LongNode.valueOf(count.executions()))),
        new RpcMethod(
            "plans_executionsByRequestorCount",
            List.of(REQUESTOR, QueueMethods.QUEUE),
            "a number",
            "How many executions a requestor ever scheduled.",
            true,
            call ->
                ask(call, 1, new PlanQuery.ExecutionsByRequestorCount(account(call)))
                    .thenApply(count -> LongNode.valueOf(count.executions()))),
        new RpcMethod(
            "plans_getExecutionsByRequestor",
            List.of(
                REQUESTOR,
                Parameter.of("fromIndex", Formats.NUMBER, "from 0, inclusive"),
                Parameter.of(
                    "toIndex",
                    Formats.NUMBER,
                    "exclusive; at most 1000 above fromIndex, and at most what"
                        + " plans_executionsByRequestorCount answers"),
                QueueMethods.QUEUE),
            "an array of executions",
            "The executions of a requestor that are still known, in the order in which they were"
                + " scheduled. A page that ends beyond the count is an error, as in the contract, and"
                + " so is any page of one who has scheduled none: ask for the count first.",
            true,
            this::page),
        new RpcMethod(
            "plans_getState",
            List.of(ID, QueueMethods.QUEUE),
            "`{state, number}`",
            "The state of an execution by the contract's name and number: Nonexistent, Scheduled,"
                + " ExecutionSuccessful, ExecutionFailed, Overdue, Refunded, Cancelled. Overdue is"
                + " computed from the clock.",
            true,
            call -> found(call).thenApply(PlanQueryMethods::state)),
        new RpcMethod(
            "plans_getExecutionById",
            List.of(ID, QueueMethods.QUEUE),
            "the execution, or null",
            "The newest incarnation of an execution. `to` and `data` are what the contract calls,"
                + " and what its id is computed from: see plans_hash.",
            true,
            call ->
                found(call)
                    .thenApply(
                        found ->
                            found
                                .execution()
                                .<JsonNode>map(PlanQueryMethods::execution)
                                .orElse(NullNode.instance))),
        new RpcMethod(
            "plans_hash",
            List.of(Parameter.of("execution", Formats.OBJECT, "what is to be scheduled")),
            "`{id, to, data, execution}`",
            "The id that an execution will have, before it is scheduled: keccak-256 over"
                + " abi.encode(requestor, plan, to, data, timestamp, value). Changes nothing."
                + " Fields: `requestor`, `plan`, `timestamp`, `value`, and `target` as"
                + " plans_schedule takes it, or `to` (an address) and `data`. `execution` is its"
                + " ABI encoding, as plans_batchSchedule takes it.",
            true,
            call -> CompletableFuture.completedFuture(hash(call))));
  }

  private JsonNode hash(Call call) {
    var hashed = fields.hashed(new CommandFields(call.object(0)));
    return JsonText.object()
        .put("id", new ScheduleId(FamilyKind.PLAN_EXECUTION, hashed.id()).toString())
        .put("to", hashed.call().to().toString())
        .put("data", hashed.call().data().toHex())
        .put("execution", hashed.execution().toHex());
  }

  private <R> CompletionStage<R> ask(Call call, int queue, PlanQuery<R> query) {
    return context.scheduler().ask(QueueMethods.queue(call, queue), query);
  }

  private static AccountId account(Call call) {
    return Fields.parse(call.path(0), call.text(0), CommandFields::parseAccount);
  }

  private CompletionStage<PlanQuery.Found> found(Call call) {
    var id = Fields.parse(call.path(0), call.text(0), PlanFields::parseId);
    return ask(call, 1, new PlanQuery.GetExecutionById(id));
  }

  private CompletionStage<JsonNode> page(Call call) {
    var query =
        new PlanQuery.GetExecutionsByRequestor(account(call), call.number(1), call.number(2));
    return ask(call, 3, query)
        .thenApply(
            page -> {
              page.objection()
                  .ifPresent(
                      sentence -> {
                        throw new RpcFailure(ErrorCode.WRONG_TYPE, sentence);
                      });
              var json = ScheduleJson.array();
              page.executions().forEach(each -> json.add(execution(each)));
              return json;
            });
  }

  private static JsonNode offer(PlanQuery.Offer offer) {
    var json = JsonText.object();
    var plans = json.putArray("plans");
    for (int i = 0; i < offer.plans().size(); i++) {
      plans.add(plan(i, offer.plans().get(i)));
    }
    return json.put("payee", offer.payee().value());
  }

  static ObjectNode plan(int number, Plan plan) {
    return JsonText.object()
        .put("plan", number)
        .put("price", Long.toString(plan.price()))
        .put("window", plan.window())
        .put("gasLimit", Long.toString(plan.gasLimit()))
        .put("token", plan.token().map(TokenId::toString).orElse("0x0"))
        .put("active", plan.active());
  }

  private static JsonNode state(PlanQuery.Found found) {
    var state = found.execution().map(PlanExecution::state).orElse(PlanExecutionState.NONEXISTENT);
    var json = JsonText.object();
    json.set("state", TextNode.valueOf(name(state)));
    json.set("number", IntNode.valueOf(state.ordinal()));
    return json;
  }

  /** As the contract writes it: the constants have its order. */
  private static String name(PlanExecutionState state) {
    var name = new StringBuilder();
    for (var word : state.name().split("_", -1)) {
      name.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
    }
    return name.toString();
  }

  private static ObjectNode execution(PlanExecution execution) {
    var json =
        JsonText.object()
            .put("id", execution.id().toString())
            .put("incarnation", execution.incarnation())
            .put("requestor", execution.proposal().owner().value())
            .put("state", name(execution.state()));
    if (execution.proposal().terms() instanceof PlanTerms terms) {
      json.put("plan", terms.plan())
          .put("timestamp", Instant.ofEpochSecond(terms.timestamp()).toString())
          .put("value", terms.value().toString());
    }
    var call = PlanCall.of(execution.proposal().target());
    json.put("to", call.to().toString()).put("data", call.data().toHex());
    json.set("target", ScheduleJson.target(execution.proposal().target()));
    return json;
  }
}
