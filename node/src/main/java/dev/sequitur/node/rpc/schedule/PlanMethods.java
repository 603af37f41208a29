package dev.sequitur.node.rpc.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import dev.sequitur.node.rpc.json.Formats;
import dev.sequitur.node.rpc.json.ObjectShape;
import dev.sequitur.node.rpc.json.Shape;
import dev.sequitur.node.rpc.method.Call;
import dev.sequitur.node.rpc.method.NodeContext;
import dev.sequitur.node.rpc.method.RpcMethod;
import dev.sequitur.node.rpc.method.RpcMethod.Parameter;
import dev.sequitur.protocol.schedule.Refusal;
import dev.sequitur.protocol.schedule.family.FamilyResult;
import dev.sequitur.protocol.schedule.plan.PlanOperation;
import dev.sequitur.protocol.schedule.plan.PlanResult;
import dev.sequitur.protocol.schedule.queue.QueueEffect.Answer;
import dev.sequitur.protocol.schedule.queue.QueueEffect.BatchAnswer;
import dev.sequitur.protocol.schedule.queue.QueueInput.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

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
        RpcMethod.of(
            "plans_multicall",
            List.of(Parameter.of("calls", Formats.OBJECT, "sender, calls, revertIfFails")),
            BATCH,
            "`{kept, each}`, each the result of a call, `{error}`, or null if it was undone",
            "Several of these functions in one step, each after the one before. Fields: `calls` (an"
                + " array of the functions' objects, each with `function`, such as"
                + " `{\"function\":\"cancelScheduling\",\"id\"}`), `revertIfFails` (whether one"
                + " that is refused undoes all; false if left out, so that the others are kept)."
                + " Where one undoes all, `kept` is false and `each` ends with its `{error}`: those"
                + " after it were not tried."
                + SENDER,
            this::multicall));
    return methods;
  }

  private RpcMethod function(String function) {
    var name = "plans_" + function;
    return RpcMethod.of(
        name,
        List.of(Parameter.of("call", Formats.OBJECT, "the sender and the arguments")),
        RESULT,
        returns(function),
        DOCS.get(function) + SENDER,
        call -> {
          var fields = new CommandFields(call.object(0));
          var operation = operations.read(function, fields);
          return submission
              .submit(name, fields, fields.account("sender"), new Operation.Perform(operation))
              .thenApply(Answer::result);
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

  private CompletionStage<BatchAnswer> multicall(Call call) {
    var fields = new CommandFields(call.object(0));
    var calls = new ArrayList<PlanOperation>();
    for (var element : fields.fields().list("calls", Operation.Batch.MOST_OPERATIONS)) {
      calls.add(operations.read(fields.fields().element("calls", calls.size(), element)));
    }
    boolean revertIfFails = operations.flag(fields.fields(), "revertIfFails");
    return submission.batch("plans_multicall", fields, List.copyOf(calls), revertIfFails);
  }

  private static final ObjectShape<PlanResult.Added> ADDED =
      ObjectShape.<PlanResult.Added>named("AddedPlan")
          .with("plan", Shape.NUMBER, PlanResult.Added::plan);

  private static final ObjectShape<PlanResult.Purchased> PURCHASED =
      ObjectShape.<PlanResult.Purchased>named("PurchasedExecutions")
          .with("remainingExecutions", Shape.NUMBER, PlanResult.Purchased::remaining);

  private static final ObjectShape<PlanResult.Scheduled> SCHEDULED =
      ObjectShape.<PlanResult.Scheduled>named("ScheduledExecutions")
          .with("ids", Words.SCHEDULE_ID.list(), PlanResult.Scheduled::executions);

  private static final Shape<Optional<? extends FamilyResult>> RESULT =
      Shape.oneOf(
          List.of(ADDED, PURCHASED, SCHEDULED, Formats.BOOLEAN),
          result -> result.map(PlanMethods::json).orElse(BooleanNode.TRUE));

  private static JsonNode json(FamilyResult result) {
    if (result instanceof PlanResult mine) {
      return switch (mine) {
        case PlanResult.Added added -> ADDED.write(added);
        case PlanResult.Purchased purchased -> PURCHASED.write(purchased);
        case PlanResult.Scheduled scheduled -> SCHEDULED.write(scheduled);
      };
    }
    throw new IllegalStateException("Not a plan's result: " + result);
  }

  private static final ObjectShape<Refusal> ERROR =
      ObjectShape.<Refusal>named("CallError")
          .with("error", Formats.TEXT, refusal -> CommandSubmission.refused(refusal).text());

  private static final ObjectShape<BatchAnswer> BATCH =
      ObjectShape.<BatchAnswer>named("MulticallResult")
          .with("kept", Formats.BOOLEAN, BatchAnswer::kept)
          .with(
              "each",
              Shape.oneOf(List.of(RESULT, ERROR), Function.<JsonNode>identity()).orNull().list(),
              PlanMethods::each);

  private static List<Optional<JsonNode>> each(BatchAnswer answer) {
    return answer.each().stream()
        .map(
            one ->
                one.refusal()
                    .<JsonNode>map(ERROR::write)
                    .or(
                        () ->
                            answer.kept()
                                ? Optional.of(RESULT.write(one.result()))
                                : Optional.empty()))
        .toList();
  }
}
