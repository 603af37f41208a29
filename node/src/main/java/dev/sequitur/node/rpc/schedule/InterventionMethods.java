package dev.sequitur.node.rpc.schedule;

import dev.sequitur.json.Field;
import dev.sequitur.json.Format;
import dev.sequitur.json.Formats;
import dev.sequitur.json.ObjectFormat;
import dev.sequitur.json.Sent;
import dev.sequitur.node.rpc.method.RpcMethod;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.family.Intervention;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import java.util.List;

/** What the owner of one schedule can do to it while it is there. */
record InterventionMethods(CommandSubmission submission) {
  private static final Field<ScheduleId> ID =
      Field.of(
              "id",
              CommandFields.SCHEDULE,
              "the schedule's, as its creation answered it; of a repetition any of its ids")
          .mentions(Field.Mention.SCHEDULE);
  private static final Field<AccountId> AS =
      Field.of("as", CommandFields.ACCOUNT, "in whose name: its owner")
          .mentions(Field.Mention.ACCOUNT);
  private static final Field<String> NOTE =
      Field.or(
          "note",
          Format.of(
              "text of at most " + Intervention.LONGEST_NOTE + " characters",
              "a holiday",
              InterventionMethods::note),
          "",
          "why, for whoever reads its history");
  private static final Field<Sent> COMMAND =
      Field.of(
          "command",
          ObjectFormat.of("InterventionRequest", ID, AS, NOTE).with(CommandFields.COMMON),
          "what, in whose name and why");

  List<RpcMethod> methods() {
    return List.of(
        method(
            "schedule_pauseSchedule",
            Intervention.Kind.PAUSE,
            "Nothing of one schedule begins until schedule_resumeSchedule; what has begun goes on to"
                + " its outcome, with its further attempts. Its state is parked, for the cause"
                + " paused. What is set aside for it stays so, but a series gives back the place"
                + " in its next slot. It can be cancelled."),
        method(
            "schedule_resumeSchedule",
            Intervention.Kind.RESUME,
            "One schedule goes on that was paused, or a series that was parked. A series or a"
                + " repetition does so at its first time from now on: those that passed meanwhile"
                + " are no occurrences. A transaction or a task keeps its own time; if that has"
                + " passed it is late, and its `late` says what becomes of it. A series books and"
                + " pays its next slot, and is refused if it cannot."),
        method(
            "schedule_runNow",
            Intervention.Kind.RUN_NOW,
            "Starts one schedule at once. A series or a repetition runs once more, and its next"
                + " time stays as it is; of a limited number of runs this is one, so that nobody"
                + " is paid more often than was agreed. Of a transaction or a task the next time is"
                + " brought forward. A paused one runs too, and stays paused. A gas-priority one"
                + " pays as if it were due in this tick, and is refused if as many as a block runs"
                + " offer more. It is refused while its present occurrence runs."),
        method(
            "schedule_skipNext",
            Intervention.Kind.SKIP_NEXT,
            "The next time of one schedule ends as cancelled, alone, and the one after it is next."
                + " Its fee is that of a cancelled time, the deposit of a repetition goes back. It is"
                + " refused if nothing is to come after it (cancel it instead), and while it is"
                + " parked."));
  }

  private RpcMethod method(String name, Intervention.Kind kind, String doc) {
    return RpcMethod.submitting(
        name,
        List.of(COMMAND),
        Formats.BOOLEAN,
        "true",
        doc + " For gas-priority and recurring schedules.",
        call -> {
          var sent = call.get(COMMAND);
          var operation = new Operation.Intervene(sent.get(ID), kind, sent.get(NOTE));
          return submission.submit(call, sent, sent.get(AS), operation).thenApply(taken -> true);
        });
  }

  private static String note(String text) {
    if (text.length() > Intervention.LONGEST_NOTE
        || text.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          "Write a note in one line of at most " + Intervention.LONGEST_NOTE + " characters.");
    }
    return text;
  }
}
