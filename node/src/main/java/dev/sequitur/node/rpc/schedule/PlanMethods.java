package dev.sequitur.node.rpc.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import dev.sequitur.json.Choice;
import dev.sequitur.json.Field;
import dev.sequitur.json.Formats;
import dev.sequitur.json.ObjectFormat;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Sent;
import dev.sequitur.json.Shape;
import dev.sequitur.node.rpc.method.Call;
import dev.sequitur.node.rpc.method.NodeContext;
import dev.sequitur.node.rpc.method.RpcMethod;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.family.FamilyOperation;
import dev.sequitur.schedule.family.FamilyResult;
import dev.sequitur.schedule.plan.PlanOperation;
import dev.sequitur.schedule.plan.PlanResult;
import dev.sequitur.schedule.queue.QueueEffect.Answer;
import dev.sequitur.schedule.queue.QueueEffect.BatchAnswer;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Stream;

/** The functions of the contract that sells executions by plans, with its names. */
final class PlanMethods {
  private static final Field<AccountId> SENDER =
      Field.of("sender", CommandFields.ACCOUNT, "the contract's msg.sender")
          .mentions(Field.Mention.ACCOUNT);
  private static final Field<List<Choice<PlanFunction>>> CALLS =
      Field.of(
          "calls",
          Choice.by("function", EnumSet.allOf(PlanFunction.class))
              .list(Operation.Batch.MOST_OPERATIONS),
          "each with what its function takes; may be none");
  private static final Field<Boolean> REVERT =
      Field.or(
          "revertIfFails",
          Formats.BOOLEAN,
          false,
          "whether one that is refused undoes all; otherwise the others are kept");
  private static final Field<Sent> MULTICALL =
      Field.of(
          "calls",
          ObjectFormat.of("MulticallRequest", SENDER, CALLS, REVERT).with(CommandFields.COMMON),
          "sender, calls, revertIfFails");

  private final CommandSubmission submission;
  private final PlanFields operations;

  PlanMethods(NodeContext context, CommandSubmission submission) {
    this.submission = submission;
    this.operations = new PlanFields(context);
  }

  List<RpcMethod> methods() {
    var methods = new ArrayList<RpcMethod>();
    Stream.of(PlanFunction.values())
        .forEach(
            function ->
                methods.add(
                    PlanFields.TRIED.contains(function) ? tried(function) : function(function)));
    methods.add(
        RpcMethod.submitting(
                "plans_multicall",
                List.of(MULTICALL),
                BATCH,
                "`{kept, each}`, each the result of a call, `{error}`, or null if it was undone",
                "Several of these functions in one step, each after the one before. Where one that is"
                    + " refused undoes all, `kept` is false and `each` ends with its `{error}`: those"
                    + " after it were not tried. The service provider is the queue's administrator.",
                this::multicall)
            .begins(
                RpcMethod.Begins.Kind.SCHEDULES,
                call ->
                    call.get(MULTICALL).get(CALLS).stream()
                        .mapToInt(each -> PlanFields.executions(each.kind(), each.sent()))
                        .sum()));
    return methods;
  }

  private RpcMethod function(PlanFunction function) {
    var call = Field.of("call", format(function), "the sender and the arguments");
    return RpcMethod.submitting(
        function.method(),
        List.of(call),
        RESULT,
        function.returns(),
        function.doc(),
        asked -> perform(asked, asked.get(call), operations.operation(function, asked.get(call))));
  }

  /** One of which it can be asked before what would come of it. */
  private RpcMethod tried(PlanFunction function) {
    var call =
        Field.of("call", format(function).with(Created.DRY_RUN), "the sender and the arguments");
    var method =
        RpcMethod.submitting(
            function.method(),
            List.of(call),
            Created.shape(RESULT),
            function.returns(),
            function.doc(),
            asked -> {
              var sent = asked.get(call);
              var operation = operations.operation(function, sent);
              return sent.get(Created.DRY_RUN)
                  ? submission
                      .tried(sent, sent.get(SENDER), new Operation.Perform(operation))
                      .thenApply(Created::<Optional<? extends FamilyResult>>tried)
                  : perform(asked, sent, operation)
                      .thenApply(Created::<Optional<? extends FamilyResult>>made);
            });
    return PlanFields.SCHEDULING.contains(function)
        ? method.begins(
            RpcMethod.Begins.Kind.SCHEDULES,
            asked ->
                asked.get(call).get(Created.DRY_RUN)
                    ? 0
                    : PlanFields.executions(function, asked.get(call)))
        : method;
  }

  private static ObjectFormat format(PlanFunction function) {
    return function
        .fields()
        .named(function.fields().name().replace("InMulticall", "Request"))
        .with(SENDER)
        .with(CommandFields.COMMON);
  }

  private CompletionStage<Optional<FamilyResult>> perform(
      Call call, Sent sent, PlanOperation operation) {
    return submission
        .submit(call, sent, sent.get(SENDER), new Operation.Perform(operation))
        .thenApply(Answer::result);
  }

  private CompletionStage<BatchAnswer> multicall(Call call) {
    var sent = call.get(MULTICALL);
    var calls = new ArrayList<FamilyOperation>();
    sent.get(CALLS).forEach(each -> calls.add(operations.operation(each.kind(), each.sent())));
    return submission.batch(call, sent, sent.get(SENDER), calls, sent.get(REVERT));
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
