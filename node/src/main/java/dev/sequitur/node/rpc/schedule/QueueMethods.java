package dev.sequitur.node.rpc.schedule;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.sequitur.json.Field;
import dev.sequitur.json.Format;
import dev.sequitur.json.Formats;
import dev.sequitur.json.ObjectFormat;
import dev.sequitur.json.Sent;
import dev.sequitur.json.Shape;
import dev.sequitur.node.rpc.method.Call;
import dev.sequitur.node.rpc.method.JvmMethods;
import dev.sequitur.node.rpc.method.NodeContext;
import dev.sequitur.node.rpc.method.RpcMethod;
import dev.sequitur.protocol.guard.MethodGroup;
import dev.sequitur.protocol.guard.Named;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.queue.DuePlace;
import dev.sequitur.schedule.queue.Explanation;
import dev.sequitur.schedule.queue.History;
import dev.sequitur.schedule.queue.Outcomes;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.scheduler.DueQuery;
import dev.sequitur.scheduler.KnownSchedule;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.SchedulePage;
import dev.sequitur.scheduler.ScheduleQuery;
import dev.sequitur.scheduler.ScheduleState;
import dev.sequitur.scheduler.actor.QueueActor;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Stream;

/** What can be asked of a queue whatever the family. */
record QueueMethods(NodeContext context, CommandSubmission submission) {
  private static final Field<ScheduleId> ID =
      Field.of("id", CommandFields.SCHEDULE, "the schedule's, as its creation answered it")
          .mentions(Field.Mention.SCHEDULE);

  private static final Field<ScheduleState> STATE =
      Field.optional(
          "state", OutcomeFields.oneOf(ScheduleState.class, "states", "waiting"), "only in this");
  private static final Field<ScheduleId> ONLY =
      Field.optional("id", CommandFields.SCHEDULE, "only this one, if the rest of the filter fits");
  private static final Field<String> AFTER =
      Field.optional("after", Formats.TEXT, "the `next` of the page before");

  /** In which order a list is. */
  private enum Order {
    ID,
    DUE
  }

  private static final String ORDERS = "id or due";
  private static final Field<Order> ORDER =
      Field.optional(
          "order",
          Format.ofText(
              ORDERS, Shape.words(ORDERS, "due").of(Words::word), QueueMethods::parseOrder),
          "by id, or those first that are due first, which whoever may not see all has of one"
              + " `owner`; left out, it is due where a time is named and it may be, else id");
  private static final Field<Instant> DUE_SINCE =
      Field.optional("dueSince", CommandFields.INSTANT, "only those whose `next` is then or later");
  private static final Field<Instant> DUE_UNTIL =
      Field.optional("dueUntil", CommandFields.INSTANT, "only those whose `next` is before");
  private static final Field<Integer> LIMIT = CommandFields.limit(ScheduleQuery.MOST);
  private static final ObjectFormat FILTER_FORMAT =
      ObjectFormat.of(
          "ScheduleFilter",
          ONLY,
          CommandFields.OF_FAMILY,
          CommandFields.OF_OWNER,
          STATE,
          CommandFields.LABEL,
          DUE_SINCE,
          DUE_UNTIL,
          ORDER,
          AFTER,
          LIMIT,
          CommandFields.QUEUE);
  private static final Field<Sent> FILTER =
      Field.or("filter", FILTER_FORMAT, FILTER_FORMAT.empty("filter"), "which; all if left out");

  private static final ObjectFormat PAGE_FORMAT =
      ObjectFormat.of("OutcomesRequest")
          .with(OutcomeFields.WHICH)
          .with(List.of(OutcomeFields.LIMIT, CommandFields.QUEUE));
  private static final Field<Sent> PAGE =
      Field.or("page", PAGE_FORMAT, PAGE_FORMAT.empty("page"), "which; all if left out");

  private static final Field<AccountId> AS =
      Field.of("as", CommandFields.ACCOUNT, "in whose name").mentions(Field.Mention.ACCOUNT);
  private static final Field<Sent> CANCEL =
      Field.of(
          "command",
          ObjectFormat.of("CancelRequest", ID, AS).with(CommandFields.COMMON),
          "what and in whose name");
  private static final Field<Sent> FAMILY =
      Field.of(
          "family",
          ObjectFormat.of("FamilyRequest", CommandFields.FAMILY).with(CommandFields.COMMON),
          "which");

  List<RpcMethod> methods() {
    return List.of(
        RpcMethod.reading(
            "schedule_queues",
            List.of(),
            Formats.NAME.list(),
            "an array of names",
            "The queues that there are, those that are granted to the caller. A queue is there once"
                + " somebody has named it; of one that another JVM of the node has, it takes some"
                + " seconds until it is known here.",
            this::queues),
        RpcMethod.reading(
            "schedule_where",
            List.of(CommandFields.QUEUE),
            JvmMethods.WHEREABOUTS,
            "`{awake, silent}`",
            "In which JVM of the node a queue is in memory, and since when. One that nothing waits"
                + " in, and nobody asks, is not in memory.",
            call -> {
              var queue = call.get(CommandFields.QUEUE);
              var entity = queue.entity(queue.partition().orElse(0));
              return context.node().jvms().where(QueueActor.KEY.name(), entity.value());
            }),
        RpcMethod.reading(
            "schedule_list",
            List.of(FILTER),
            ScheduleShapes.PAGE,
            "`{schedules, next}`",
            "The schedules that wait or run, as schedule_get shows each: ascending by id, or in the"
                + " order in which they are due, what is parked last and without what has ended."
                + " `next` is null on the last page; a page may be short and not be the last. In the"
                + " order of due times it is a place in that order, so pages go on whatever has run"
                + " meanwhile: what runs again later may come again at its next time.",
            this::list),
        RpcMethod.reading(
            "schedule_get",
            List.of(ID, CommandFields.QUEUE),
            ScheduleShapes.KNOWN.orNull(),
            "the schedule, or null",
            "One schedule: where it stands, and how it ended last. `state` is waiting, parked"
                + " (until its owner acts: schedule_explain says how; `parkedFor` is the one cause:"
                + " slot-full, fee-unpaid, failed, overdue or paused), or that of its present"
                + " occurrence: due, started, submitted, succeeded, failed, settled. `next` is"
                + " when its present occurrence is due: null if it is parked, has ended, or waits"
                + " for signatures and no time. `execution` has the `transaction`, private or public,"
                + " as which the sequencer took it, once it has: `ptx_getTransaction` knows that."
                + " `lastOutcome` is its newest outcome, as in schedule_explain; left out if it has"
                + " none. In the block after its end a schedule leaves the queue: then `id`,"
                + " `family`, `state` (settled) and `lastOutcome` are what is left of it. Null if"
                + " there is no such schedule, or its outcome is no longer kept.",
            this::get),
        RpcMethod.reading(
            "schedule_explain",
            List.of(ID, CommandFields.QUEUE),
            ScheduleShapes.EXPLANATION,
            "`{why, transaction, history}`",
            "Why a schedule has not run, or that it has its outcome; and each of its occurrences"
                + " with its one outcome: run, failed, missed, expired, cancelled, refunded. Times that"
                + " were missed together have one outcome for all: `occurrences` says how many,"
                + " from `occurrence` on; it is left out if it is one. The"
                + " newest outcomes of a queue are kept; `history` has the newest "
                + History.MOST_OF_ONE
                + " of this schedule, oldest first, and schedule_getOutcomes those before them."
                + " `transaction` is the sequencer's id of what its present attempt runs, private or"
                + " public, and in `history` of what an occurrence ran;"
                + " left out if there is none. `cost` is what an occurrence cost: `charged` is the"
                + " gas used at `gasUnitPrice`, the fee of the time, the plan's price in the plan's"
                + " money, or the fee of the execution, as its family has it; `refunded` is what was"
                + " held for the schedule and went back with this outcome. `rescheduledAs` is the"
                + " id of the run that follows in a repetition. It is left out"
                + " if none follows; `note` says why, if one should have. What it was about is"
                + " `owner`, `terms` (with the caller's key) and `target`, as in schedule_get;"
                + " `asked` is when it was wanted, and `attempts` has each attempt: when, how many"
                + " milliseconds after that (`lateMs`), and the `reason` if it failed.",
            this::explain),
        RpcMethod.reading(
            "schedule_getOutcomes",
            List.of(PAGE),
            ScheduleShapes.OUTCOMES,
            "`{outcomes, forgotten, next}`",
            "What has ended in a queue, of all its schedules, in the order in which it did. Outcomes"
                + " are numbered from 0, with what else happens, and keep their numbers across restarts: whoever subscribes"
                + " and asks for those from the `next` it had last, which is what it may have missed,"
                + " hears of each once, by schedule, incarnation and occurrence. Each is as in"
                + " schedule_explain. Those that the filter does not want are left out, those of"
                + " schedules that the caller may not see too, and their numbers with them: as long"
                + " as `next` is above `from`, there may be"
                + " more. `forgotten` says that"
                + " there were older ones from `from` on, which are not kept any more.",
            this::outcomes),
        RpcMethod.submitting(
            "schedule_cancel",
            List.of(CANCEL),
            Formats.BOOLEAN,
            "true",
            "Cancels a schedule that was not started; a repetition by any of its ids, such as that"
                + " of its creation, whatever its next one is. In the name of `as`: its owner, or of a"
                + " recurring one the queue's administrator too. Others' gas-priority transactions"
                + " and executions the administrator ends by schedule_shutdown, all of a family at"
                + " once and with their money back; a multi-signature schedule is deleted by its"
                + " admin key (multiSignature_scheduleDelete).",
            this::cancel),
        new ForecastMethods(context).forecast(),
        RpcMethod.reading(
            "schedule_overview",
            List.of(CommandFields.QUEUE),
            ScheduleShapes.OVERVIEW,
            "`{clock, clockNs, admissions, schedules, executing, families, firstDue, partitions}`",
            "How much waits and runs in a queue, and whether each family is served: `service` is"
                + " active, paused, shutting-down or shut-down. `profile` says whose rules the"
                + " multi-signature family follows: mvp, where signatures are over the scheduled"
                + " body, or current, where they are over the transaction that brings them.",
            call ->
                context
                    .scheduler()
                    .overview(call.get(CommandFields.QUEUE))
                    .thenApply(
                        overview ->
                            new ScheduleShapes.Overview(
                                overview, MultiSignatureMethods.profile(context)))),
        RpcMethod.reading(
            "schedule_audit",
            List.of(CommandFields.QUEUE),
            ScheduleShapes.AUDIT,
            "`{conserved, sumOfAccounts, held, sumOfHolds, owed, overdrawn}`",
            "Counts all money of a queue anew, from every account and every schedule. `conserved`"
                + " says that nothing was made or lost, that what is held is what the schedules"
                + " owe, and that nobody is overdrawn.",
            call -> context.scheduler().audit(call.get(CommandFields.QUEUE))),
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
        MethodGroup.OPERATE,
        name,
        List.of(FAMILY),
        Formats.BOOLEAN,
        "true",
        doc + " The administrator's.",
        call -> {
          var sent = call.get(FAMILY);
          return submission
              .administer(call, sent, operation.apply(sent.get(CommandFields.FAMILY)))
              .thenApply(taken -> true);
        });
  }

  private CompletionStage<Boolean> cancel(Call call) {
    var sent = call.get(CANCEL);
    return submission
        .submit(call, sent, sent.get(AS), new Operation.Cancel(sent.get(ID)))
        .thenApply(taken -> true);
  }

  private CompletionStage<ScheduleShapes.Page> list(Call call) {
    var filter = call.get(FILTER);
    var all =
        new ScheduleQuery(
            filter.find(CommandFields.OF_FAMILY),
            filter.find(CommandFields.OF_OWNER),
            filter.find(STATE),
            filter.find(CommandFields.LABEL),
            filter.find(DUE_SINCE),
            filter.find(DUE_UNTIL),
            Optional.empty(),
            filter.get(LIMIT),
            Optional.of(context.settings().limits().queryScan()));
    var queue = filter.get(CommandFields.QUEUE);
    var setup = context.scheduler().setup();
    if (filter.find(ONLY).isPresent()) {
      return only(call, queue, filter.get(ONLY), all)
          .thenApply(page -> ScheduleShapes.Page.of(page, setup));
    }
    boolean seesAll = SeenSchedules.seesAll(call);
    boolean mayOrder = seesAll || all.owner().isPresent();
    var order = all.namesTime() && mayOrder ? Order.DUE : Order.ID;
    if (filter.find(ORDER).orElse(order) == Order.DUE) {
      var query = new DueQuery(all, after(filter, DuePlace::parse));
      return (seesAll
              ? FullByDue.of(call, context.scheduler(), queue, query)
              : SeenByDue.of(call, context, queue, query))
          .thenApply(page -> ScheduleShapes.Page.of(page, setup));
    }
    var query = after(filter, ScheduleMethods::scheduleId).map(all::after).orElse(all);
    return (seesAll
            ? context.scheduler().schedules(queue, query)
            : SeenPage.of(call, context, queue, query))
        .thenApply(page -> ScheduleShapes.Page.of(page, setup));
  }

  private static <T> Optional<T> after(Sent filter, Function<String, T> read) {
    try {
      return filter.find(AFTER).map(read);
    } catch (IllegalArgumentException e) {
      throw filter.wrong(
          AFTER, " must be the `next` of the page before, of a list in the same order.");
    }
  }

  private CompletionStage<List<String>> queues(Call call) {
    return completedFuture(
        context.scheduler().queues().stream()
            .map(QueueName::value)
            .filter(name -> call.refusal(List.of(new Named(Named.Kind.QUEUES, name))).isEmpty())
            .toList());
  }

  private CompletionStage<SchedulePage> only(
      Call call, QueueName queue, ScheduleId id, ScheduleQuery query) {
    return context
        .scheduler()
        .schedule(queue, id)
        .thenApply(
            known ->
                new SchedulePage(
                    SeenSchedules.seen(call, known).view().stream()
                        .filter(view -> query.matches(view, context.scheduler().setup()))
                        .toList(),
                    Optional.empty(),
                    1));
  }

  private CompletionStage<KnownSchedule> known(Call call) {
    return context
        .scheduler()
        .schedule(call.get(CommandFields.QUEUE), call.get(ID))
        .thenApply(known -> SeenSchedules.seen(call, known));
  }

  private CompletionStage<Explanation> explain(Call call) {
    return known(call)
        .thenCombine(
            context.scheduler().explain(call.get(CommandFields.QUEUE), call.get(ID)),
            (known, explained) -> {
              var history =
                  explained.history().stream()
                      .filter(recorded -> SeenSchedules.sees(call, recorded))
                      .toList();
              return known.view().isPresent()
                  ? new Explanation(explained.sentence(), explained.transaction(), history)
                  : Explanation.ofGone(history);
            });
  }

  private CompletionStage<Outcomes> outcomes(Call call) {
    var page = call.get(PAGE);
    return context
        .scheduler()
        .outcomes(
            page.get(CommandFields.QUEUE), OutcomeFields.query(page, page.get(OutcomeFields.LIMIT)))
        .thenApply(
            found ->
                new Outcomes(
                    found.outcomes().stream()
                        .filter(each -> SeenSchedules.sees(call, each.recorded()))
                        .toList(),
                    found.forgotten(),
                    found.next()));
  }

  private static Order parseOrder(String text) {
    return Stream.of(Order.values())
        .filter(order -> Words.word(order).equals(text))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("The orders are " + ORDERS + "."));
  }

  private CompletionStage<Optional<ScheduleShapes.Known>> get(Call call) {
    var id = call.get(ID);
    return known(call)
        .thenApply(known -> ScheduleShapes.Known.of(id, known, context.scheduler().setup()));
  }
}
