package dev.sequitur.node.rpc.schedule;

import static java.util.concurrent.CompletableFuture.completedFuture;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.json.Field;
import dev.sequitur.json.Formats;
import dev.sequitur.json.ObjectFormat;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Sent;
import dev.sequitur.json.Shape;
import dev.sequitur.node.rpc.method.Call;
import dev.sequitur.node.rpc.method.NodeContext;
import dev.sequitur.node.rpc.method.RpcMethod;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.family.Schedule;
import dev.sequitur.schedule.queue.CalendarPage;
import dev.sequitur.schedule.queue.CalendarPage.Planned;
import dev.sequitur.scheduler.CalendarQuery;
import dev.sequitur.scheduler.ScheduleQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** What is to run: of one schedule, and of all. */
record CalendarMethods(NodeContext context) {
  private static final Duration WEEK = Duration.ofDays(7);
  private static final int SOME = 10;

  private static final Field<ScheduleId> ID =
      Field.of(
              "id",
              CommandFields.SCHEDULE,
              "the schedule's, as its creation answered it; of a repetition any of its ids")
          .mentions(Field.Mention.SCHEDULE);
  private static final Field<Integer> COUNT =
      Field.or(
          "count",
          CommandFields.limit(ScheduleQuery.MOST).format(),
          SOME,
          "1 to " + ScheduleQuery.MOST);

  private static final Field<Instant> FROM =
      Field.optional("from", CommandFields.INSTANT, "(default: now)");
  private static final Field<Instant> UNTIL =
      Field.optional("until", CommandFields.INSTANT, "exclusive (default: a week after `from`)");
  private static final Field<Integer> LIMIT = CommandFields.limit(ScheduleQuery.MOST);
  private static final ObjectFormat PAGE_FORMAT =
      ObjectFormat.of(
          "CalendarRequest",
          FROM,
          UNTIL,
          CommandFields.OF_FAMILY,
          CommandFields.OF_OWNER,
          CommandFields.LABEL,
          LIMIT,
          CommandFields.QUEUE);
  private static final Field<Sent> PAGE =
      Field.or("page", PAGE_FORMAT, PAGE_FORMAT.empty("page"), "which; the next week if left out");

  private static final ObjectShape<Planned> PLANNED =
      ObjectShape.<Planned>named("PlannedTime")
          .with("at", Words.CONSENSUS, Planned::at)
          .with("id", Words.SCHEDULE_ID, planned -> planned.schedule().id())
          .with("family", Words.FAMILY, planned -> planned.schedule().family())
          .with("owner", Words.ACCOUNT, planned -> planned.schedule().proposal().owner())
          .with(
              "target",
              Shape.oneOf(FamilyShape.TARGETS, Function.<JsonNode>identity()),
              planned -> target(planned.schedule()))
          .all(ScheduleShapes.DESCRIPTION, planned -> planned.schedule().proposal().description());

  private static final ObjectShape<CalendarPage> CALENDAR =
      ObjectShape.<CalendarPage>named("Calendar")
          .with("times", PLANNED.list(), CalendarPage::planned)
          .with(
              "next",
              Words.CONSENSUS.orNull(),
              CalendarPage::next,
              "the `from` of the next page; null if there is none")
          .with("partial", Formats.BOOLEAN, CalendarPage::partial, "whether some may be missing");

  private static JsonNode target(Schedule schedule) {
    return FamilyShape.of(schedule.family()).target(schedule.proposal());
  }

  List<RpcMethod> methods() {
    return List.of(
        RpcMethod.reading(
            "schedule_nextTimes",
            List.of(ID, COUNT, CommandFields.QUEUE),
            Words.CONSENSUS.list(),
            "an array of times",
            "When a schedule runs, the first times to come, as things stand now. None if it is paused"
                + " or parked, waits for signatures and no time, or is not there. Before it is"
                + " created a dry run (`dryRun`) tells them.",
            this::times),
        RpcMethod.reading(
            "schedule_calendar",
            List.of(PAGE),
            CALENDAR,
            "`{times, next, partial}`",
            "What is to run between two times, of all schedules, each time of each, in order, as"
                + " things stand now: what is late by then, paused, parked, or waits for no time is"
                + " not among it. A page may be short, or empty, and not be the last: as long as `next`"
                + " is not null there may be more. `partial` says that some may be missing: so many"
                + " stand before `from` that not all of them were looked at for what runs again"
                + " later, or more stand at one time than a page takes (schedule_list has those).",
            this::calendar));
  }

  private CompletionStage<List<ConsensusTime>> times(Call call) {
    var id = call.get(ID);
    var queue = call.get(CommandFields.QUEUE);
    return context
        .scheduler()
        .schedule(queue, id)
        .thenCompose(
            known ->
                SeenSchedules.seen(call, known).view().isPresent()
                    ? context.scheduler().times(queue, id, call.get(COUNT))
                    : completedFuture(List.of()));
  }

  private CompletionStage<CalendarPage> calendar(Call call) {
    var page = call.get(PAGE);
    var from = page.find(FROM).orElseGet(() -> context.clock().instant());
    var query =
        new CalendarQuery(
            from,
            page.find(UNTIL).orElseGet(() -> from.plus(WEEK)),
            page.find(CommandFields.OF_FAMILY),
            page.find(CommandFields.OF_OWNER),
            page.find(CommandFields.LABEL),
            page.get(LIMIT));
    return context
        .scheduler()
        .calendar(page.get(CommandFields.QUEUE), query)
        .thenApply(
            found ->
                new CalendarPage(
                    found.planned().stream()
                        .filter(each -> SeenSchedules.sees(call, each.schedule().proposal()))
                        .toList(),
                    found.next(),
                    found.partial()));
  }
}
