package dev.sequitur.node.rpc.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.json.Fields;
import dev.sequitur.node.rpc.json.JsonText;
import dev.sequitur.node.rpc.method.Call;
import dev.sequitur.node.rpc.method.NodeContext;
import dev.sequitur.node.rpc.method.ParameterType;
import dev.sequitur.node.rpc.method.PrivateCalls;
import dev.sequitur.node.rpc.method.RpcMethod;
import dev.sequitur.node.rpc.method.RpcMethod.Parameter;
import dev.sequitur.protocol.schedule.AccountId;
import dev.sequitur.protocol.schedule.Target;
import dev.sequitur.protocol.schedule.family.RecurringTerms;
import dev.sequitur.protocol.schedule.family.Terms;
import dev.sequitur.protocol.schedule.queue.QueueInput.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** The methods of the recurring family, with the names of its extrinsics. */
final class RecurringMethods {
  private static final int MOST_TIMES_READ = 1_000;
  private static final long MILLIS_PER_SECOND = 1_000;

  private static final String TASK =
      " Fields: `owner`, who pays the fee of each time and may cancel; `providedId` (text, or 0x and"
          + " hexadecimal digits), by which its owner tells its tasks apart; `times`: 1 to 24 times on"
          + " the boundaries of slots, RFC 3339 or Unix seconds; ";

  private final NodeContext context;
  private final CommandSubmission submission;
  private final TargetFields targets;

  RecurringMethods(NodeContext context, CommandSubmission submission) {
    this.context = context;
    this.submission = submission;
    this.targets = new TargetFields(new PrivateCalls(context));
  }

  List<RpcMethod> methods() {
    return List.of(
        task(
            "recurring_scheduleNotifyTask",
            "Schedules a task that tells the queue's listeners `message` at each of its times.",
            "`message` (text, or 0x and hexadecimal digits).",
            call -> new Target.Notify(TargetFields.message(call.object(0), "message"))),
        task(
            "recurring_scheduleNativeTransferTask",
            "Schedules a task that pays `amount` from its owner to `recipientId` at each of its"
                + " times.",
            "`recipientId`, `amount`.",
            call -> {
              var fields = new CommandFields(call.object(0));
              return new Target.Transfer(fields.account("recipientId"), fields.amount("amount"));
            }),
        task(
            "recurring_schedulePrivateTransactionTask",
            "Schedules a task that runs a private transaction of the sequencer at each of its times,"
                + " each exactly once.",
            "`transaction`, as ptx_sendTransaction takes it; `from` must be a member of the group"
                + " whose key this node holds.",
            call -> targets.privateCall(call.object(0), "transaction")),
        cancel(
            "recurring_cancelTask",
            "Cancels all that is left of a task, in the name of its owner. Fees are kept unless the"
                + " node is configured to refund them. Fields: `owner`, `taskId`.",
            fields -> fields.account("owner")),
        cancel(
            "recurring_forceCancelTask",
            "As recurring_cancelTask, by the queue's administrator. Fields: `taskId`.",
            fields -> context.scheduler().setup().administrator()));
  }

  private RpcMethod task(
      String name, String doc, String action, Function<Call, Target> target) {
    return new RpcMethod(
        name,
        List.of(Parameter.of("task", ParameterType.OBJECT, "the task")),
        "`{taskId}`",
        doc + TASK + action + TargetFields.POLICY_DOC + QueueMethods.COMMON,
        true,
        call -> {
          var fields = new CommandFields(call.object(0));
          var proposal =
              targets.proposal(
                  fields, fields.account("owner"), terms(call.object(0)), target.apply(call));
          return submission
              .propose(name, fields, proposal)
              .thenApply(id -> JsonText.object().put("taskId", id.toString()));
        });
  }

  private RpcMethod cancel(
      String name,
      String doc,
      Function<CommandFields, AccountId> as) {
    return new RpcMethod(
        name,
        List.of(Parameter.of("command", ParameterType.OBJECT, "which")),
        "true",
        doc + QueueMethods.COMMON,
        true,
        call -> cancel(name, new CommandFields(call.object(0)), as));
  }

  private CompletionStage<JsonNode> cancel(
      String name,
      CommandFields fields,
      Function<CommandFields, AccountId> as) {
    return submission
        .submit(name, fields, as.apply(fields), new Operation.Cancel(fields.schedule("taskId")))
        .thenApply(taken -> BooleanNode.TRUE);
  }

  private static Terms terms(Fields fields) {
    var providedId = TargetFields.message(fields, "providedId");
    if (fields.any("times").isEmpty()) {
      throw new RpcFailure(
          ErrorCode.WRONG_TYPE,
          fields.pathOf("times") + " is missing: send an array of 1 to 24 times.");
    }
    return new RecurringTerms(providedId, times(fields));
  }

  private static List<Long> times(Fields fields) {
    var times = new ArrayList<Long>();
    for (var node : fields.list("times", MOST_TIMES_READ)) {
      var path = fields.pathOf("times") + "[" + times.size() + "]";
      times.add(
          CommandFields.isTime(node)
              ? CommandFields.instant(path, node.textValue()).toEpochMilli()
              : millis(path, CommandFields.number(path, node)));
    }
    return times;
  }

  private static long millis(String path, long seconds) {
    if (seconds > Long.MAX_VALUE / MILLIS_PER_SECOND) {
      throw new RpcFailure(
          ErrorCode.WRONG_TYPE, path + " is too far away: send Unix seconds or RFC 3339.");
    }
    return seconds * MILLIS_PER_SECOND;
  }
}
