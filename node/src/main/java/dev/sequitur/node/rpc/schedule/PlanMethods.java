package dev.sequitur.node.rpc.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.sequitur.node.rpc.json.Formats;
import dev.sequitur.node.rpc.json.JsonText;
import dev.sequitur.node.rpc.method.Call;
import dev.sequitur.node.rpc.method.NodeContext;
import dev.sequitur.node.rpc.method.RpcMethod;
import dev.sequitur.node.rpc.method.RpcMethod.Parameter;
import dev.sequitur.protocol.schedule.family.PlanOperation;
import dev.sequitur.protocol.schedule.family.PlanResult;
import dev.sequitur.protocol.schedule.queue.QueueEffect.Answer;
import dev.sequitur.protocol.schedule.queue.QueueEffect.BatchAnswer;
import dev.sequitur.protocol.schedule.queue.QueueInput.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** The functions of the contract that sells executions by plans, with its names. */
final class PlanMethods {
  private static final String SENDER =
      " `sender` is the contract's msg.sender; the service provider is the queue's administrator."
          + QueueMethods.COMMON;

  private final CommandSubmission submission;
  private final PlanFields operations;

  PlanMethods(NodeContext context, CommandSubmission submission) {
    this.submission = submission;
    this.operations = new PlanFields(context);
  }

  /** The functions that change something, by name: what each does. */
  private static final Map<String, String> DOCS =
      Map.ofEntries(
          Map.entry(
              "addPlan",
              "Adds a plan that is sold from now on; the service provider's. Fields: `price` of an"
                  + " execution, `window` (seconds before and after its time), `gasLimit` (at least"
                  + " what any action needs: 10, unless the node is set up otherwise; a private"
                  + " transaction needs 100), `token`"
                  + " (left out, or 0x0: the queue's own money)."),
          Map.entry(
              "removePlan",
              "Ends the sale of a plan; what was bought of it is honoured. The service provider's."
                  + " Fields: `plan`."),
          Map.entry(
              "setPayee",
              "Says who is paid for executions from now on. The service provider's. Fields:"
                  + " `payee`."),
          Map.entry(
              "approve",
              "ERC-20: lets purchases draw `amount` from the sender's account in `token`, instead"
                  + " of what was allowed before."),
          Map.entry(
              "purchase",
              "Buys `quantity` executions of `plan`: with `value` of the queue's own money, which"
                  + " must be just the price; of a plan that is sold in a token, with what was"
                  + " approved before, and no `value`."),
          Map.entry(
              "transferAndCall",
              "ERC-677: sends `amount` of `token` and buys with it. Fields: also `plan` and"
                  + " `quantity`, or `data`, their ABI encoding."),
          Map.entry(
              "schedule",
              "Schedules an execution of a plan that was bought. Fields: `plan`, `timestamp` (Unix"
                  + " seconds or RFC 3339), `value` (paid to the receiver with the execution;"
                  + " a transfer's amount if left out), `target`."
                  + TargetFields.TARGET_DOC.replace(
                      "`{\"type\":\"repeat\",\"action\",\"every\",\"more\"}`: a transfer or"
                          + " notification that schedules itself anew from inside its execution.",
                      "no repetition.")
                  + " Beyond the specification: `late` is `as-specified` (default: an overdue one"
                  + " waits for its requestor) or `expire-and-refund` (it is refunded unasked);"
                  + " `retry` as in gasPriority_insert."),
          Map.entry(
              "batchSchedule",
              "Schedules several executions, all or none. Fields: `executions` (objects as"
                  + " plans_schedule takes them, or their ABI encodings), `value` of all"
                  + " together."),
          Map.entry(
              "cancelScheduling",
              "Cancels an execution that is scheduled or overdue; its value and the execution that"
                  + " was bought go back. The requestor's. Fields: `id`."),
          Map.entry(
              "requestExecutionRefund",
              "Refunds an overdue execution. The requestor's. Fields: `id`."),
          Map.entry(
              "requestPlanRefund",
              "Refunds what the sender bought of a plan and did not schedule; only while paused."
                  + " Fields: `plan`."),
          Map.entry(
              "execute",
              "Executes within the window; the service provider's. At its timestamp the queue does"
                  + " it by itself. Fields: `id`, `gas` (the plan's limit at least)."),
          Map.entry(
              "pause",
              "No purchases, schedulings and executions until plans_unpause. The service"
                  + " provider's."),
          Map.entry("unpause", "Undoes plans_pause. The service provider's."));

  /** In the order of the reference page. */
  private static final List<String> FUNCTIONS =
      List.of(
          "addPlan",
          "removePlan",
          "setPayee",
          "approve",
          "purchase",
          "transferAndCall",
          "schedule",
          "batchSchedule",
          "cancelScheduling",
          "execute",
          "requestExecutionRefund",
          "pause",
          "requestPlanRefund",
          "unpause");

  List<RpcMethod> methods() {
    var methods = new ArrayList<RpcMethod>();
    FUNCTIONS.forEach(function -> methods.add(function(function)));
    methods.add(
        new RpcMethod(
            "plans_multicall",
            List.of(Parameter.of("calls", Formats.OBJECT, "sender, calls, revertIfFails")),
            "`{kept, each}`, each the result of a call, `{error}`, or null if it was undone",
            "Several of these functions in one step, each after the one before. Fields: `calls` (an"
                + " array of the functions' objects, each with `function`, such as"
                + " `{\"function\":\"cancelScheduling\",\"id\"}`), `revertIfFails` (whether one"
                + " that is refused undoes all; false if left out, so that the others are kept)."
                + " Where one undoes all, `kept` is false and `each` ends with its `{error}`: those"
                + " after it were not tried."
                + SENDER,
            true,
            this::multicall));
    return methods;
  }

  private RpcMethod function(String function) {
    var name = "plans_" + function;
    return new RpcMethod(
        name,
        List.of(Parameter.of("call", Formats.OBJECT, "the sender and the arguments")),
        returns(function),
        DOCS.get(function) + SENDER,
        true,
        call -> {
          var fields = new CommandFields(call.object(0));
          var operation = operations.read(function, fields);
          return submission
              .submit(name, fields, fields.account("sender"), new Operation.Perform(operation))
              .thenApply(PlanMethods::result);
        });
  }

  private static String returns(String function) {
    return switch (function) {
      case "addPlan" -> "`{plan}`, its number";
      case "purchase", "transferAndCall" -> "`{remainingExecutions}` of the plan";
      case "schedule", "batchSchedule" -> "`{ids}`, in order";
      default -> "true";
    };
  }

  private CompletionStage<JsonNode> multicall(Call call) {
    var fields = new CommandFields(call.object(0));
    var calls = new ArrayList<PlanOperation>();
    for (var element : fields.fields().list("calls", Operation.Batch.MOST_OPERATIONS)) {
      calls.add(operations.read(fields.fields().element("calls", calls.size(), element)));
    }
    boolean revertIfFails = operations.flag(fields.fields(), "revertIfFails");
    return submission
        .batch("plans_multicall", fields, List.copyOf(calls), revertIfFails)
        .thenApply(PlanMethods::batch);
  }

  private static JsonNode batch(BatchAnswer answer) {
    var json = JsonText.object().put("kept", answer.kept());
    var each = json.putArray("each");
    for (var one : answer.each()) {
      if (one.refusal().isPresent()) {
        each.addObject().put("error", CommandSubmission.refused(one.refusal().get()).text());
      } else {
        each.add(answer.kept() ? result(one) : NullNode.instance);
      }
    }
    return json;
  }

  private static JsonNode result(Answer answer) {
    var result = answer.result();
    if (result.isEmpty()) {
      return BooleanNode.TRUE;
    } else if (result.get() instanceof PlanResult mine) {
      return json(mine);
    }
    throw new IllegalStateException("Not a plan's result: " + result);
  }

  private static JsonNode json(PlanResult result) {
    var json = JsonText.object();
    switch (result) {
      case PlanResult.Added(var plan) -> json.put("plan", plan);
      case PlanResult.Purchased(var remaining) -> json.put("remainingExecutions", remaining);
      case PlanResult.Scheduled(var executions) -> {
        var ids = json.putArray("ids");
        executions.forEach(id -> ids.add(id.toString()));
      }
    }
    return json;
  }
}
