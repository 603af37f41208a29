package dev.sequitur.node.rpc.schedule;

import static java.util.stream.Collectors.joining;

import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.json.Fields;
import dev.sequitur.node.rpc.json.Formats;
import dev.sequitur.node.rpc.json.JsonText;
import dev.sequitur.node.rpc.method.Call;
import dev.sequitur.node.rpc.method.NodeContext;
import dev.sequitur.node.rpc.method.RpcMethod;
import dev.sequitur.node.rpc.method.RpcMethod.Parameter;
import dev.sequitur.protocol.schedule.FamilyKind;
import dev.sequitur.protocol.schedule.queue.History;
import dev.sequitur.protocol.schedule.queue.Outcomes;
import dev.sequitur.protocol.schedule.queue.QueueInput.Operation;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.ScheduleQuery;
import dev.sequitur.scheduler.ScheduleState;
import dev.sequitur.scheduler.SchedulerNode;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Stream;

/** What can be asked of a queue whatever the family. */
final class QueueMethods {
  /** What each command takes. */
  static final String COMMON =
      " `queue` (default: `default`) names the queue; a repeat under the same `idempotencyKey` (at"
          + " most 128 characters, of this method) is not done again but answered as the first was,"
          + " for a day; another command under it is refused, and so is one whose `firstSent`"
          + " (RFC 3339) is longer ago.";

  static final Parameter<String> QUEUE =
      Parameter.optional("queue", Formats.NAME, "the queue's name (default: `default`)");

  private static final Parameter<String> ID =
      Parameter.of("id", Formats.NAME, "the schedule's id, as its creation answered it");
  private static final int DEFAULT_PAGE = 100;

  private final NodeContext context;
  private final CommandSubmission submission;

  QueueMethods(NodeContext context, CommandSubmission submission) {
    this.context = context;
    this.submission = submission;
  }

  List<RpcMethod> methods() {
    return List.of(
        RpcMethod.of(
            "schedule_list",
            List.of(Parameter.optional("filter", Formats.OBJECT, "which; all if left out")),
            ScheduleShapes.PAGE,
            "`{schedules, next}`",
            "The schedules that wait or run, ascending by id, as schedule_get shows each. Filter: `family`, `owner`, `state`, `after`"
                + " (the `next` of the page before), `limit` (1 to 1000, default 100), `queue`."
                + " `next` is null on the last page; a page may be short and not be the last.",
            this::list),
        RpcMethod.of(
            "schedule_get",
            List.of(ID, QUEUE),
            ScheduleShapes.KNOWN.orNull(),
            "the schedule, or null",
            "One schedule: where it stands, and how it ended last. `state` is waiting, parked"
                + " (until its owner acts: schedule_explain says how; `parkedFor` is the one cause:"
                + " slot-full, fee-unpaid, failed or overdue), or that of its present"
                + " occurrence: due, started, submitted, succeeded, failed, settled. `next` is"
                + " when its present occurrence is due: null if it is parked, has ended, or waits"
                + " for signatures and no time. `execution` has the `privateTransaction` as which"
                + " the sequencer took it, once it has: `ptx_getTransaction` knows that."
                + " `lastOutcome` is its newest outcome, as in schedule_explain; left out if it has"
                + " none. In the block after its end a schedule leaves the queue: then `id`,"
                + " `family`, `state` (settled) and `lastOutcome` are what is left of it. Null if"
                + " there is no such schedule, or its outcome is no longer kept.",
            this::get),
        RpcMethod.of(
            "schedule_explain",
            List.of(ID, QUEUE),
            ScheduleShapes.EXPLANATION,
            "`{why, privateTransaction, history}`",
            "Why a schedule has not run, or that it has its outcome; and each of its occurrences"
                + " with its one outcome: run, failed, missed, expired, cancelled, refunded. Times that"
                + " were missed together have one outcome for all: `occurrences` says how many,"
                + " from `occurrence` on; it is left out if it is one. The"
                + " newest outcomes of a queue are kept; `history` has the newest "
                + History.MOST_OF_ONE
                + " of this schedule, oldest first, and schedule_getOutcomes those before them."
                + " `privateTransaction` is the sequencer's id"
                + " of what its present attempt runs, and in `history` of what an occurrence ran;"
                + " left out if there is none. `cost` is what an occurrence cost: `charged` is the"
                + " gas used at `gasUnitPrice`, the fee of the time, the plan's price in the plan's"
                + " money, or the fee of the execution, as its family has it; `refunded` is what was"
                + " held for the schedule and went back with this outcome. `rescheduledAs` is the"
                + " id under which a repetition goes on: that one can be cancelled. It is left out"
                + " if none follows; `note` says why, if one should have.",
            call ->
                context
                    .scheduler()
                    .explain(
                        queue(call, 1), CommandFields.parseSchedule(call.path(0), call.text(0)))),
        RpcMethod.of(
            "schedule_getOutcomes",
            List.of(Parameter.optional("page", Formats.OBJECT, "from which number on")),
            ScheduleShapes.OUTCOMES,
            "`{outcomes, forgotten, next}`",
            "What has ended in a queue, of all its schedules, in the order in which it did. Outcomes"
                + " are numbered from 0 and keep their numbers across restarts: whoever subscribes"
                + " and asks for those from the `next` it had last, which is what it may have missed,"
                + " hears of each once, by schedule, incarnation and occurrence. Each is as in"
                + " schedule_explain. Fields: `from`"
                + " (default: 0), `limit` (1 to 1000, default 100), `queue`. `forgotten` says that"
                + " there were older ones from `from` on, which are not kept any more.",
            this::outcomes),
        command(
            "schedule_cancel",
            "Cancels a schedule that was not started, in the name of `as`: its owner, or of a"
                + " recurring one the queue's administrator too. Others' gas-priority transactions"
                + " and executions the administrator ends by schedule_shutdown, all of a family at"
                + " once and with their money back; a multi-signature schedule is deleted by its"
                + " admin key (multiSignature_scheduleDelete). Fields: `id`, `as`.",
            fields -> new Operation.Cancel(fields.schedule("id"))),
        new ForecastMethods(context).forecast(),
        RpcMethod.of(
            "schedule_overview",
            List.of(QUEUE),
            ScheduleShapes.OVERVIEW,
            "`{clock, clockNs, admissions, schedules, executing, families}`",
            "How much waits and runs in a queue, and whether each family is served: `service` is"
                + " active, paused, shutting-down or shut-down. `profile` says whose rules the"
                + " multi-signature family follows: mvp, where signatures are over the scheduled"
                + " body, or current, where they are over the transaction that brings them.",
            call ->
                context
                    .scheduler()
                    .overview(queue(call, 0))
                    .thenApply(
                        overview ->
                            new ScheduleShapes.Overview(
                                overview, MultiSignatureMethods.profile(context)))),
        RpcMethod.of(
            "schedule_audit",
            List.of(QUEUE),
            ScheduleShapes.AUDIT,
            "`{conserved, sumOfAccounts, held, sumOfHolds, owed, overdrawn}`",
            "Counts all money of a queue anew, from every account and every schedule. `conserved`"
                + " says that nothing was made or lost, that what is held is what the schedules"
                + " owe, and that nobody is overdrawn.",
            call -> context.scheduler().audit(queue(call, 0))),
        ofFamily(
            "schedule_pause",
            "Stops a family: it runs none, and takes none but recurring tasks; what waits stays and can be"
                + " cancelled.",
            Operation.Pause::new),
        ofFamily(
            "schedule_resume",
            "Starts a family again after a pause or a shutdown; also after one that does not come"
                + " to its end, once nothing of the family waits: what is out goes on as if there"
                + " had been none, and no `shutdown` event follows.",
            Operation.Resume::new),
        ofFamily(
            "schedule_shutdown",
            "Ends all that waits of a family, in batches, with its money back, and awaits what is"
                + " out; then a `shutdown` event follows. If a private transaction does not end,"
                + " schedule_resume takes it back.",
            Operation.Shutdown::new));
  }

  private RpcMethod ofFamily(String name, String doc, Function<FamilyKind, Operation> operation) {
    return RpcMethod.of(
        name,
        List.of(Parameter.of("family", Formats.OBJECT, "which")),
        Formats.BOOLEAN,
        "true",
        doc + " The administrator's. Fields: `family`." + COMMON,
        call -> {
          var fields = new CommandFields(call.object(0));
          return submission
              .administer(name, fields, operation.apply(fields.family()))
              .thenApply(taken -> true);
        });
  }

  private RpcMethod command(String name, String doc, Function<CommandFields, Operation> operation) {
    return RpcMethod.of(
        name,
        List.of(Parameter.of("command", Formats.OBJECT, "what and in whose name")),
        Formats.BOOLEAN,
        "true",
        doc + COMMON,
        call -> {
          var fields = new CommandFields(call.object(0));
          return submission
              .submit(name, fields, fields.account("as"), operation.apply(fields))
              .thenApply(taken -> true);
        });
  }

  private CompletionStage<ScheduleShapes.Page> list(Call call) {
    var filter = fields(call);
    var query =
        new ScheduleQuery(
            filter.optionalFamily(),
            filter.optionalAccount("owner"),
            filter.fields().parsed("state", QueueMethods::parseState),
            filter.fields().parsed("after", CommandFields::parseSchedule),
            limit(filter, ScheduleQuery.MOST));
    return context
        .scheduler()
        .schedules(filter.queue(), query)
        .thenApply(page -> ScheduleShapes.Page.of(page, context.scheduler().setup()));
  }

  private CompletionStage<Outcomes> outcomes(Call call) {
    var page = fields(call);
    long from = page.optionalNumber("from").orElse(0L);
    return context
        .scheduler()
        .outcomes(page.queue(), from, limit(page, SchedulerNode.MOST_OUTCOMES));
  }

  private static ScheduleState parseState(String text) {
    var states = ScheduleState.values();
    return Stream.of(states)
        .filter(state -> Words.word(state).equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "The states are "
                        + Stream.of(states).map(Words::word).collect(joining(", "))
                        + "."));
  }

  /** Of an object that may be left out. */
  static CommandFields fields(Call call) {
    return new CommandFields(
        call.has(0) ? call.object(0) : new Fields("params[0]", JsonText.object()));
  }

  static int limit(CommandFields fields, int most) {
    long limit = fields.optionalNumber("limit").orElse((long) DEFAULT_PAGE);
    if (limit < 1 || limit > most) {
      throw new RpcFailure(
          ErrorCode.WRONG_TYPE,
          "%s must be from 1 to %d.".formatted(fields.fields().pathOf("limit"), most));
    }
    return (int) limit;
  }

  private CompletionStage<Optional<ScheduleShapes.Known>> get(Call call) {
    var id = CommandFields.parseSchedule(call.path(0), call.text(0));
    return context
        .scheduler()
        .schedule(queue(call, 1), id)
        .thenApply(known -> ScheduleShapes.Known.of(id, known, context.scheduler().setup()));
  }

  static QueueName queue(Call call, int index) {
    return call.has(index)
        ? Fields.parse(call.path(index), call.text(index), QueueName::new)
        : QueueName.DEFAULT;
  }
}
