package dev.sequitur.node.rpc.schedule;

import dev.sequitur.json.Field;
import dev.sequitur.json.Format;
import dev.sequitur.json.Formats;
import dev.sequitur.json.ObjectFormat;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Sent;
import dev.sequitur.json.Shape;
import dev.sequitur.node.rpc.method.Call;
import dev.sequitur.node.rpc.method.NodeContext;
import dev.sequitur.node.rpc.method.RpcMethod;
import dev.sequitur.protocol.guard.MethodGroup;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.recurring.DaysOff;
import dev.sequitur.schedule.recurring.RecurringOperation;
import dev.sequitur.schedule.recurring.RecurringQuery;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The lists of days on which no series runs that stands on them. */
record DaysOffMethods(NodeContext context, CommandSubmission submission) {
  private static final Shape<Long> DAY =
      Shape.words("a day such as 2030-12-25", "2030-12-25").of(LocalDate::ofEpochDay);
  private static final Format<Long> READ_DAY =
      Format.ofText("a day such as 2030-12-25", DAY, DaysOffMethods::day);
  private static final Format<String> NAME_FORMAT =
      Format.of("the name of a list of days off", "swiss", DaysOffMethods::named);

  private static final Field<String> NAME =
      Field.of("name", NAME_FORMAT, "of the list").mentions(Field.Mention.DAYS);
  private static final Field<List<Long>> DAYS =
      Field.of("days", READ_DAY.list(DaysOff.MOST_DAYS), "in the place of those that were");
  private static final Field<String> ZONE =
      Field.or("zone", Formats.TEXT, "UTC", "whose midnights begin and end the days");
  private static final Field<Sent> LIST =
      Field.of(
          "list",
          ObjectFormat.of("DaysOffRequest", NAME, DAYS, ZONE).with(CommandFields.COMMON),
          "its name and all of its days");
  private static final Field<Sent> REMOVED =
      Field.of(
          "list",
          ObjectFormat.of("RemoveDaysOffRequest", NAME).with(CommandFields.COMMON),
          "which");
  private static final ObjectFormat QUERY = ObjectFormat.of("DaysOffQuery", CommandFields.QUEUE);
  private static final Field<Sent> ASKED =
      Field.or("query", QUERY, QUERY.empty("query"), "of which queue");

  private static final ObjectShape<RecurringQuery.Listed> LISTED =
      ObjectShape.<RecurringQuery.Listed>named("DaysOff")
          .with("name", Formats.TEXT, RecurringQuery.Listed::name)
          .with("zone", Formats.TEXT, list -> list.days().zone())
          .with("days", DAY.list(), list -> list.days().days())
          .with(
              "series",
              Shape.NUMBER,
              list -> (long) list.series(),
              "how many stand on it; at most 1,000 can");

  List<RpcMethod> methods() {
    return List.of(
        RpcMethod.of(
            MethodGroup.OPERATE,
            "recurring_setDaysOff",
            List.of(LIST),
            Formats.BOOLEAN,
            "true",
            "Makes a list of days off, or replaces its days; the administrator's. A series that names"
                + " it in `daysOff` has no time on these days. Those that stand on it are planned"
                + " anew at once: one whose next time is on a day off now goes on to its first one"
                + " after it, and one whose day is off no more comes back to it. What is running,"
                + " or whose time has come, is left to. A queue has at most 100 lists.",
            this::set),
        RpcMethod.reading(
            "recurring_daysOff",
            List.of(ASKED),
            LISTED.list(),
            "an array of `{name, zone, days, series}`",
            "The lists of days off of a queue, by name.",
            this::listed),
        RpcMethod.of(
            MethodGroup.OPERATE,
            "recurring_removeDaysOff",
            List.of(REMOVED),
            Formats.BOOLEAN,
            "true",
            "Deletes a list of days off; the administrator's. It is refused while a series stands on"
                + " it.",
            this::remove));
  }

  private CompletionStage<Boolean> set(Call call) {
    var sent = call.get(LIST);
    RecurringOperation.SetDaysOff operation;
    try {
      var days = new DaysOff(sent.get(ZONE), sent.get(DAYS));
      operation = new RecurringOperation.SetDaysOff(sent.get(NAME), days);
    } catch (IllegalArgumentException e) {
      throw sent.wrong(": " + e.getMessage());
    }
    return submit(call, sent, operation);
  }

  private CompletionStage<Boolean> remove(Call call) {
    var sent = call.get(REMOVED);
    return submit(call, sent, new RecurringOperation.RemoveDaysOff(sent.get(NAME)));
  }

  private CompletionStage<Boolean> submit(Call call, Sent sent, RecurringOperation operation) {
    var administrator = context.scheduler().setup().administrator();
    return submission
        .submit(call, sent, administrator, new Operation.Perform(operation))
        .thenApply(taken -> true);
  }

  private CompletionStage<List<RecurringQuery.Listed>> listed(Call call) {
    return context
        .scheduler()
        .ask(call.get(ASKED).get(CommandFields.QUEUE), new RecurringQuery.DaysOffListed())
        .thenApply(RecurringQuery.Lists::lists);
  }

  private static String named(String text) {
    RecurringOperation.SetDaysOff.checkName(text);
    return text;
  }

  private static long day(String text) {
    try {
      return LocalDate.parse(text).toEpochDay();
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("A day looks like 2030-12-25.");
    }
  }
}
