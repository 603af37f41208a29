package dev.sequitur.node.rpc.schedule;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.sequitur.json.Field;
import dev.sequitur.json.Formats;
import dev.sequitur.json.ObjectFormat;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Sent;
import dev.sequitur.node.rpc.method.Call;
import dev.sequitur.node.rpc.method.NodeContext;
import dev.sequitur.node.rpc.method.PrivateCalls;
import dev.sequitur.node.rpc.method.RpcMethod;
import dev.sequitur.protocol.guard.MethodGroup;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Forecast;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.family.Terms;
import dev.sequitur.schedule.queue.QueueEffect.Answer;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.recurring.Cadence;
import dev.sequitur.schedule.recurring.CronCadence;
import dev.sequitur.schedule.recurring.Recurring;
import dev.sequitur.schedule.recurring.RecurringQuery;
import dev.sequitur.schedule.recurring.RecurringResult;
import dev.sequitur.schedule.recurring.RecurringTerms;
import dev.sequitur.schedule.recurring.ResumeSeries;
import dev.sequitur.schedule.recurring.SeriesTerms;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Stream;

/** The methods of the recurring family, with the names of its extrinsics. */
final class RecurringMethods {
  private static final int MOST_TIMES_READ = 1_000;
  private static final int MOST_SLOTS = 1_000;

  private static final Field<Bytes> PROVIDED_ID =
      Field.of("providedId", CommandFields.MESSAGE, "by which its owner tells its tasks apart");
  private static final Field<List<Long>> TIMES =
      Field.optional(
          "times",
          SeriesFields.TIME.list(MOST_TIMES_READ),
          "1 to 24, on the boundaries of slots of tasks, an hour by default: or a series");
  private static final Field<Duration> FREQUENCY =
      Field.optional(
          "frequency",
          CommandFields.DURATION,
          "of a series, from `first` on, in whole slots of a minute by default");
  private static final Field<Long> FIRST =
      Field.optional("first", SeriesFields.TIME, "of `frequency`: the first time");
  private static final Field<String> CRON =
      Field.optional(
          "cron",
          Formats.TEXT,
          "a series: minute, hour, day of month or L, month, day of week, each of whose times must"
              + " begin a slot, a minute by default");
  private static final Field<String> ZONE =
      Field.or("zone", Formats.TEXT, "UTC", "of `cron`, such as Europe/Zurich");
  private static final Field<Long> RUNS =
      Field.optional("runs", CommandFields.NUMBER, "of a series (default: until it is cancelled)");

  private static final ObjectFormat TASK =
      ObjectFormat.of(
              "TaskRequest",
              CommandFields.OWNER,
              PROVIDED_ID,
              TIMES,
              FREQUENCY,
              FIRST,
              CRON,
              ZONE,
              RUNS,
              TargetFields.LATE_OF_TASK,
              TargetFields.RETRY,
              CommandFields.DESCRIPTION,
              CommandFields.LABELS,
              Created.DRY_RUN)
          .with(SeriesFields.ALL)
          .with(CommandFields.COMMON);
  private static final Field<AccountId> RECIPIENT =
      Field.of("recipientId", CommandFields.ACCOUNT, "who is paid");

  private static final Field<ScheduleId> TASK_ID =
      Field.of("taskId", CommandFields.schedule(FamilyKind.RECURRING), "")
          .mentions(Field.Mention.SCHEDULE);
  private static final ObjectFormat FORCED_FORMAT =
      ObjectFormat.of("TaskIdRequest", TASK_ID).with(CommandFields.COMMON);
  private static final Field<Sent> FORCED = Field.of("command", FORCED_FORMAT, "which");
  private static final Field<Sent> OWNED =
      Field.of(
          "command", FORCED_FORMAT.named("OwnedTaskRequest").with(CommandFields.OWNER), "which");

  private static final Field<Instant> FROM =
      Field.optional("from", CommandFields.INSTANT, "(default: now)");
  private static final Field<Boolean> OF_SERIES =
      Field.or(
          "series",
          Formats.BOOLEAN,
          false,
          "whether slots of series are meant, a minute each by default, and not those of tasks, an"
              + " hour each");
  private static final Field<Integer> LIMIT = CommandFields.limit(MOST_SLOTS);
  private static final ObjectFormat PAGE_FORMAT =
      ObjectFormat.of("FreeSlotsRequest", FROM, OF_SERIES, LIMIT, CommandFields.QUEUE);
  private static final Field<Sent> PAGE =
      Field.or("page", PAGE_FORMAT, PAGE_FORMAT.empty("page"), "from which time on");

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
            TASK.named("NotifyTaskRequest").with(TargetFields.MESSAGE),
            sent -> new Target.Notify(sent.get(TargetFields.MESSAGE))),
        task(
            "recurring_scheduleNativeTransferTask",
            "Schedules a task that pays `amount` from its owner to `recipientId` at each of its"
                + " times.",
            TASK.named("TransferTaskRequest").with(RECIPIENT, TargetFields.AMOUNT),
            sent -> new Target.Transfer(sent.get(RECIPIENT), sent.get(TargetFields.AMOUNT))),
        task(
            "recurring_schedulePrivateTransactionTask",
            "Schedules a task that runs a private transaction of the sequencer at each of its"
                + " times, each exactly once.",
            TASK.named("PrivateTaskRequest").with(TargetFields.TRANSACTION),
            sent -> targets.privateCall(sent.get(TargetFields.TRANSACTION))),
        task(
            "recurring_schedulePublicTransactionTask",
            "Schedules a task that calls a contract of the base ledger, or makes one, at each of"
                + " its times, each exactly once.",
            TASK.named("PublicTaskRequest").with(TargetFields.PUBLIC_TRANSACTION),
            sent -> targets.target(sent.get(TargetFields.PUBLIC_TRANSACTION))),
        RpcMethod.submitting(
            "recurring_resumeSeries",
            List.of(OWNED),
            Formats.BOOLEAN,
            "true",
            "Has a series go on that was parked, since a slot was full or a fee could not be paid,"
                + " in the name of its owner.",
            this::resume),
        RpcMethod.reading(
            "recurring_freeSlots",
            List.of(PAGE),
            ScheduleShapes.FORECAST.list(),
            "an array of `{from, fromNs, taken, capacity, price, full}`",
            "The first slots that still take a task, beyond the specification, as it stands now:"
                + " those after the present one and within the horizon. `price` is the fee of a"
                + " time.",
            this::freeSlots),
        cancel(
            MethodGroup.SUBMIT,
            "recurring_cancelTask",
            OWNED,
            "Cancels all that is left of a task, in the name of its owner. Fees are kept unless the"
                + " node is configured to refund them.",
            sent -> sent.get(CommandFields.OWNER)),
        cancel(
            MethodGroup.OPERATE,
            "recurring_forceCancelTask",
            FORCED,
            "As recurring_cancelTask, by the queue's administrator.",
            sent -> context.scheduler().setup().administrator()));
  }

  private RpcMethod task(
      String name, String doc, ObjectFormat format, Function<Sent, Target> target) {
    var task = Field.of("task", format, "the task");
    return RpcMethod.submitting(
            name,
            List.of(task),
            Created.shape(SCHEDULED),
            "`{taskId, firstTimes, fee}`",
            doc
                + " It runs at the `times`; or, beyond the specification, as a series by `frequency` or"
                + " `cron`, until it is cancelled or has had its `runs`. The answer has its first"
                + " times, five at most, and the fee of each time.",
            call -> {
              var sent = call.get(task);
              var proposal =
                  new Proposal(
                      sent.get(CommandFields.OWNER),
                      terms(sent),
                      target.apply(sent),
                      sent.get(TargetFields.LATE_OF_TASK),
                      sent.get(TargetFields.RETRY),
                      CommandFields.description(sent));
              return submission.create(
                  call, sent, proposal, answer -> completedFuture(Task.of(answer, fee())));
            })
        .begins(RpcMethod.Begins.Kind.SCHEDULES, call -> Created.begun(call.get(task)));
  }

  /** A task, when it runs first, and what each of its times costs. */
  private record Task(ScheduleId id, Optional<List<Long>> firstTimes, Amount fee) {
    static Task of(Answer answer, Amount fee) {
      return new Task(
          CommandSubmission.admitted(answer),
          answer.result().orElse(null) instanceof RecurringResult.FirstTimes first
              ? Optional.of(first.timesMs())
              : Optional.empty(),
          fee);
    }
  }

  private Amount fee() {
    return context.scheduler().setup().family(Recurring.class).orElseThrow().feePerTime();
  }

  private static final ObjectShape<Task> SCHEDULED =
      ObjectShape.<Task>named("Task")
          .with("taskId", Words.SCHEDULE_ID, Task::id)
          .maybe("firstTimes", Words.MILLIS.list(), Task::firstTimes, "five at most")
          .with("fee", Words.DIGITS, Task::fee, "of each time");

  private CompletionStage<Boolean> resume(Call call) {
    var sent = call.get(OWNED);
    var operation = new Operation.Perform(new ResumeSeries(sent.get(TASK_ID)));
    return submission
        .submit(call, sent, sent.get(CommandFields.OWNER), operation)
        .thenApply(taken -> true);
  }

  private CompletionStage<List<Forecast>> freeSlots(Call call) {
    var page = call.get(PAGE);
    var from = page.find(FROM).map(ConsensusTime::nearest).orElse(ConsensusTime.ofMillis(0));
    return context
        .scheduler()
        .ask(
            page.get(CommandFields.QUEUE),
            new RecurringQuery.FreeSlots(from, page.get(LIMIT), page.get(OF_SERIES)))
        .thenApply(RecurringQuery.Slots::slots);
  }

  private RpcMethod cancel(
      MethodGroup group,
      String name,
      Field<Sent> command,
      String doc,
      Function<Sent, AccountId> as) {
    return RpcMethod.of(
        group,
        name,
        List.of(command),
        Formats.BOOLEAN,
        "true",
        doc,
        call -> {
          var sent = call.get(command);
          return submission
              .submit(call, sent, as.apply(sent), new Operation.Cancel(sent.get(TASK_ID)))
              .thenApply(taken -> true);
        });
  }

  private static Terms terms(Sent sent) {
    long ways = Stream.of(TIMES, FREQUENCY, CRON).filter(sent::has).count();
    if (ways == 0) {
      throw sent.wrong(
          TIMES, " is missing: send an array of 1 to 24 times, or a frequency, or cron.");
    } else if (ways > 1) {
      throw sent.wrong(" has more than one of times, frequency and cron. Send one of them.");
    } else if (sent.has(TIMES)) {
      sent.refuseBeside(TIMES, SeriesFields.and(FIRST, ZONE, RUNS));
      return new RecurringTerms(sent.get(PROVIDED_ID), sent.get(TIMES));
    }
    try {
      return new SeriesTerms(
          sent.get(PROVIDED_ID), cadence(sent), sent.find(RUNS), SeriesFields.policy(sent));
    } catch (IllegalArgumentException e) {
      throw sent.wrong(": " + e.getMessage());
    }
  }

  private static Cadence cadence(Sent sent) {
    if (sent.has(CRON)) {
      sent.refuseBeside(CRON, FIRST);
      return new CronCadence(sent.get(CRON), sent.get(ZONE));
    }
    sent.refuseBeside(FREQUENCY, ZONE);
    long first =
        sent.find(FIRST)
            .orElseThrow(
                () ->
                    sent.wrong(
                        FIRST, " is missing: send the first time, in RFC 3339 or Unix seconds."));
    return new Cadence.Every(first, sent.get(FREQUENCY).toMillis());
  }
}
