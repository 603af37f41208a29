package dev.sequitur.node.rpc.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.json.Fields;
import dev.sequitur.node.rpc.json.Formats;
import dev.sequitur.node.rpc.json.ObjectShape;
import dev.sequitur.node.rpc.method.Call;
import dev.sequitur.node.rpc.method.NodeContext;
import dev.sequitur.node.rpc.method.PrivateCalls;
import dev.sequitur.node.rpc.method.RpcMethod;
import dev.sequitur.node.rpc.method.RpcMethod.Parameter;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.schedule.AccountId;
import dev.sequitur.protocol.schedule.ConsensusTime;
import dev.sequitur.protocol.schedule.FamilyKind;
import dev.sequitur.protocol.schedule.ScheduleId;
import dev.sequitur.protocol.schedule.Target;
import dev.sequitur.protocol.schedule.family.Forecast;
import dev.sequitur.protocol.schedule.family.Terms;
import dev.sequitur.protocol.schedule.queue.QueueEffect.Answer;
import dev.sequitur.protocol.schedule.queue.QueueInput.Operation;
import dev.sequitur.protocol.schedule.recurring.Cadence;
import dev.sequitur.protocol.schedule.recurring.CronCadence;
import dev.sequitur.protocol.schedule.recurring.RecurringQuery;
import dev.sequitur.protocol.schedule.recurring.RecurringResult;
import dev.sequitur.protocol.schedule.recurring.RecurringTerms;
import dev.sequitur.protocol.schedule.recurring.ResumeSeries;
import dev.sequitur.protocol.schedule.recurring.SeriesTerms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Stream;

/** The methods of the recurring family, with the names of its extrinsics. */
final class RecurringMethods {
  private static final int MOST_TIMES_READ = 1_000;
  private static final int MOST_SLOTS = 1_000;
  private static final long MILLIS_PER_SECOND = 1_000;

  private static final String TASK =
      " Fields: `owner`, who pays the fee of each time and may cancel; `providedId` (text, or 0x"
          + " and hexadecimal digits), by which its owner tells its tasks apart; `times`: 1 to 24"
          + " times on the boundaries of slots, RFC 3339 or Unix seconds; or, beyond the"
          + " specification, in place of `times` a series, which goes on until it is cancelled or"
          + " has had as many `runs` as it names: `first` (a time like those) and `frequency` (such as"
          + " PT24H), or"
          + " `cron` (minute, hour, day of month or L, month, day of week) and `zone` (such as"
          + " Europe/Zurich), each of whose times must begin a slot. The answer has its first times,"
          + " five at most; ";

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
            "Schedules a task that runs a private transaction of the sequencer at each of its"
                + " times, each exactly once.",
            "`transaction`, as ptx_sendTransaction takes it; `from` must be a member of the group"
                + " whose key this node holds.",
            call -> targets.privateCall(call.object(0), "transaction")),
        RpcMethod.of(
            "recurring_resumeSeries",
            List.of(Parameter.of("command", Formats.OBJECT, "which")),
            Formats.BOOLEAN,
            "true",
            "Has a series go on that was parked, since a slot was full or a fee could not be paid,"
                + " in the name of its owner. Fields: `owner`, `taskId`."
                + QueueMethods.COMMON,
            this::resume),
        RpcMethod.of(
            "recurring_freeSlots",
            List.of(Parameter.optional("page", Formats.OBJECT, "from which time on")),
            ScheduleShapes.FORECAST.list(),
            "an array of `{from, fromNs, taken, capacity, price, full}`",
            "The first slots that still take a task, beyond the specification, as it stands now:"
                + " those after the present one and within the horizon. `price` is the fee of a"
                + " time. Fields: `from` (RFC 3339; default: now), `limit` (1 to 1000, default 100), `queue`.",
            this::freeSlots),
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

  private RpcMethod task(String name, String doc, String action, Function<Call, Target> target) {
    return RpcMethod.of(
        name,
        List.of(Parameter.of("task", Formats.OBJECT, "the task")),
        SCHEDULED,
        "`{taskId, firstTimes}`",
        doc + TASK + action + TargetFields.TASK_POLICY_DOC + QueueMethods.COMMON,
        call -> {
          var fields = new CommandFields(call.object(0));
          var proposal =
              targets.proposal(
                  fields, fields.account("owner"), terms(call.object(0)), target.apply(call));
          return submission.proposed(name, fields, proposal).thenApply(Task::of);
        });
  }

  /** A task and when it runs first. */
  private record Task(ScheduleId id, Optional<List<Long>> firstTimes) {
    static Task of(Answer answer) {
      return new Task(
          CommandSubmission.admitted(answer),
          answer.result().orElse(null) instanceof RecurringResult.FirstTimes first
              ? Optional.of(first.timesMs())
              : Optional.empty());
    }
  }

  private static final ObjectShape<Task> SCHEDULED =
      ObjectShape.<Task>named("Task")
          .with("taskId", Words.SCHEDULE_ID, Task::id)
          .maybe("firstTimes", Words.MILLIS.list(), Task::firstTimes, "five at most");

  private CompletionStage<Boolean> resume(Call call) {
    var fields = new CommandFields(call.object(0));
    var operation = new ResumeSeries(fields.schedule("taskId", FamilyKind.RECURRING));
    return submission
        .submit(
            "recurring_resumeSeries",
            fields,
            fields.account("owner"),
            new Operation.Perform(operation))
        .thenApply(taken -> true);
  }

  private CompletionStage<List<Forecast>> freeSlots(Call call) {
    var page = QueueMethods.fields(call);
    var from =
        page.fields().any("from").isPresent()
            ? ConsensusTime.nearest(page.time("from"))
            : ConsensusTime.ofMillis(0);
    var query = new RecurringQuery.FreeSlots(from, QueueMethods.limit(page, MOST_SLOTS));
    return context.scheduler().ask(page.queue(), query).thenApply(RecurringQuery.Slots::slots);
  }

  private RpcMethod cancel(String name, String doc, Function<CommandFields, AccountId> as) {
    return RpcMethod.of(
        name,
        List.of(Parameter.of("command", Formats.OBJECT, "which")),
        Formats.BOOLEAN,
        "true",
        doc + QueueMethods.COMMON,
        call -> cancel(name, new CommandFields(call.object(0)), as));
  }

  private CompletionStage<Boolean> cancel(
      String name, CommandFields fields, Function<CommandFields, AccountId> as) {
    var task = fields.schedule("taskId", FamilyKind.RECURRING);
    return submission
        .submit(name, fields, as.apply(fields), new Operation.Cancel(task))
        .thenApply(taken -> true);
  }

  private static Terms terms(Fields fields) {
    var providedId = TargetFields.message(fields, "providedId");
    if (fields.any("frequency").isPresent() || fields.any("cron").isPresent()) {
      return series(fields, providedId);
    }
    if (fields.any("times").isEmpty()) {
      throw new RpcFailure(
          ErrorCode.WRONG_TYPE,
          fields.pathOf("times")
              + " is missing: send an array of 1 to 24 times, or a frequency, or cron.");
    }
    return new RecurringTerms(providedId, times(fields));
  }

  private static Terms series(Fields fields, Bytes providedId) {
    long ways =
        Stream.of("times", "frequency", "cron")
            .filter(each -> fields.any(each).isPresent())
            .count();
    if (ways != 1) {
      throw new RpcFailure(
          ErrorCode.WRONG_TYPE,
          fields.path() + " has more than one of times, frequency and cron. Send one of them.");
    }
    try {
      var runs = new CommandFields(fields).optionalNumber("runs");
      return new SeriesTerms(providedId, cadence(fields), runs);
    } catch (IllegalArgumentException e) {
      throw new RpcFailure(ErrorCode.WRONG_TYPE, fields.path() + ": " + e.getMessage());
    }
  }

  private static Cadence cadence(Fields fields) {
    if (fields.any("cron").isPresent()) {
      return new CronCadence(fields.requiredText("cron"), fields.text("zone").orElse("UTC"));
    }
    var command = new CommandFields(fields);
    long every = command.duration("frequency").map(Duration::toMillis).orElse(0L);
    return new Cadence.Every(first(fields), every);
  }

  private static long first(Fields fields) {
    var path = fields.pathOf("first");
    return fields
        .any("first")
        .map(node -> time(path, node))
        .orElseThrow(
            () ->
                new RpcFailure(
                    ErrorCode.WRONG_TYPE,
                    path + " is missing: send the first time, in RFC 3339 or Unix seconds."));
  }

  private static List<Long> times(Fields fields) {
    var times = new ArrayList<Long>();
    for (var node : fields.list("times", MOST_TIMES_READ)) {
      times.add(time(fields.pathOf("times") + "[" + times.size() + "]", node));
    }
    return times;
  }

  /** RFC 3339 or Unix seconds, as milliseconds. */
  private static long time(String path, JsonNode node) {
    return CommandFields.isTime(node)
        ? CommandFields.millis(path, node.textValue())
        : CommandFields.beforeEnd(path, CommandFields.number(path, node)) * MILLIS_PER_SECOND;
  }
}
