package dev.sequitur.node.rpc.schedule;

import dev.sequitur.json.Field;
import dev.sequitur.json.Format;
import dev.sequitur.json.Formats;
import dev.sequitur.json.ObjectFormat;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Sent;
import dev.sequitur.json.Shape;
import dev.sequitur.node.rpc.method.Call;
import dev.sequitur.node.rpc.method.RpcMethod;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.family.Family.Revision;
import dev.sequitur.schedule.family.Intervention;
import dev.sequitur.schedule.gaspriority.GasPriorityRevision;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.recurring.Cadence;
import dev.sequitur.schedule.recurring.CronCadence;
import dev.sequitur.schedule.recurring.RecurringOperation;
import dev.sequitur.schedule.recurring.RecurringResult;
import dev.sequitur.schedule.recurring.RecurringRevision;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** What the owner of one schedule can do to it while it is there. */
record InterventionMethods(CommandSubmission submission, TargetFields targets) {
  private static final int MOST_TIMES_READ = 1_000;

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

  private static final Field<List<Instant>> TIMES =
      Field.optional(
          "times",
          CommandFields.INSTANT.list(MOST_TIMES_READ),
          "of a task all that are to come, of a gas-priority transaction its one");
  private static final Field<Duration> FREQUENCY =
      Field.optional("frequency", CommandFields.DURATION, "of a series, from `first` on");
  private static final Field<Instant> FIRST =
      Field.optional("first", CommandFields.INSTANT, "of `frequency`: the first time");
  private static final Field<String> CRON =
      Field.optional("cron", Formats.TEXT, "of a series, in `zone`");
  private static final Field<String> ZONE =
      Field.optional("zone", Formats.TEXT, "of `cron`, such as Europe/Zurich");
  private static final Field<Long> RUNS =
      Field.optional("runs", CommandFields.NUMBER, "of a series, with those that it has had");
  private static final Field<Long> GAS =
      Field.optional("maxGasAmount", CommandFields.NUMBER, "of a gas-priority transaction");
  private static final Field<Long> PRICE =
      Field.optional("maxGasUnitPrice", CommandFields.NUMBER, "of a gas-priority transaction");
  private static final Field<Boolean> SET_ASIDE =
      Field.optional(
          "setAside",
          Formats.BOOLEAN,
          "of a gas-priority transaction, whether what it pays is set aside");
  private static final Field<Sent> CHANGE =
      Field.of(
          "command",
          ObjectFormat.of(
                  "ChangeRequest",
                  ID,
                  AS,
                  NOTE,
                  TIMES,
                  FREQUENCY,
                  FIRST,
                  CRON,
                  ZONE,
                  RUNS,
                  GAS,
                  PRICE,
                  SET_ASIDE,
                  TargetFields.OTHER_TARGET,
                  TargetFields.OTHER_LATE,
                  TargetFields.OTHER_RETRY,
                  CommandFields.OTHER_DESCRIPTION,
                  CommandFields.OTHER_LABELS)
              .with(SeriesFields.ALL)
              .with(CommandFields.COMMON),
          "what, in whose name and why; what is left out stays");

  private static final Field<Instant> FROM =
      Field.of("from", CommandFields.INSTANT, "the first time, inclusive");
  private static final Field<Instant> UNTIL =
      Field.of("until", CommandFields.INSTANT, "the last time, inclusive; it must have passed");
  private static final Field<Sent> BACK_FILL =
      Field.of(
          "command",
          ObjectFormat.of("BackFillRequest", ID, AS, FROM, UNTIL, NOTE).with(CommandFields.COMMON),
          "of which series, which times, in whose name and why");

  private static final ObjectShape<RecurringResult.Filled> FILLED =
      ObjectShape.<RecurringResult.Filled>named("BackFilledTime")
          .with("taskId", Words.SCHEDULE_ID, RecurringResult.Filled::task)
          .with("time", Words.MILLIS, RecurringResult.Filled::timeMs);
  private static final ObjectShape<RecurringResult.Filling> FILLING =
      ObjectShape.<RecurringResult.Filling>named("BackFill")
          .with("runs", FILLED.list(), RecurringResult.Filling::runs)
          .with(
              "already",
              Shape.NUMBER,
              filling -> (long) filling.already(),
              "times of the range that were filled before");

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
                + " parked."),
        RpcMethod.submitting(
                "schedule_backFill",
                List.of(BACK_FILL),
                FILLING,
                "`{runs, already}`",
                "Runs a series again for its times from `from` to `until`, which have passed: at most"
                    + " 100 at once, and 1,000 of a series. Each is a task of its own with the fee"
                    + " of a time, the attempts of the series and one outcome, runs as soon as"
                    + " blocks come to it, and has `backFillOf` and `backFillTime` in its terms."
                    + " A time that a back-fill has run, or runs, is passed over, so that the same"
                    + " one again doubles nothing; one whose back-fill has not run is filled"
                    + " again. Days off are passed over, too. For recurring series.",
                this::backFill)
            .begins(
                RpcMethod.Begins.Kind.SCHEDULES, call -> RecurringOperation.BackFill.MOST_TIMES),
        RpcMethod.submitting(
            "schedule_change",
            List.of(CHANGE),
            Formats.BOOLEAN,
            "true",
            "Changes when one schedule runs, what, and how: what is left out stays. It keeps its id,"
                + " and what was paid is paid. What is to be held for it more is set aside, and what is"
                + " held too much goes back. Occurrences are counted on. A repetition is repeated on,"
                + " with what it runs then. It is refused while it runs and once its time has come:"
                + " pause it then, and change it when it has its outcome. For gas-priority and"
                + " recurring schedules.",
            this::change));
  }

  private CompletionStage<RecurringResult.Filling> backFill(Call call) {
    var sent = call.get(BACK_FILL);
    var id = sent.get(ID);
    if (id.family() != FamilyKind.RECURRING) {
      throw sent.wrong(ID, " is no series, which alone has past times that can run again.");
    }
    var operation =
        new RecurringOperation.BackFill(
            id, sent.get(FROM).toEpochMilli(), sent.get(UNTIL).toEpochMilli(), sent.get(NOTE));
    return submission
        .submit(call, sent, sent.get(AS), new Operation.Perform(operation))
        .thenApply(answer -> (RecurringResult.Filling) answer.result().orElseThrow());
  }

  private CompletionStage<Boolean> change(Call call) {
    var sent = call.get(CHANGE);
    var id = sent.get(ID);
    var operation =
        new Operation.Change(
            id,
            revision(id.family(), sent),
            sent.find(TargetFields.OTHER_TARGET).map(targets::target),
            sent.find(TargetFields.OTHER_LATE),
            sent.find(TargetFields.OTHER_RETRY),
            sent.get(NOTE),
            sent.find(CommandFields.OTHER_DESCRIPTION),
            sent.find(CommandFields.OTHER_LABELS));
    boolean same =
        operation.revision().isEmpty()
            && operation.target().isEmpty()
            && operation.late().isEmpty()
            && operation.retry().isEmpty()
            && operation.text().isEmpty()
            && operation.labels().isEmpty();
    if (same) {
      throw sent.wrong(" changes nothing. Send what is to be other than it is.");
    }
    return submission.submit(call, sent, sent.get(AS), operation).thenApply(taken -> true);
  }

  private static Optional<Revision> revision(FamilyKind family, Sent sent) {
    boolean offer = sent.has(GAS) || sent.has(PRICE) || sent.has(SET_ASIDE);
    boolean cadence =
        sent.has(FREQUENCY) || sent.has(CRON) || sent.has(RUNS) || SeriesFields.isIn(sent);
    if (!offer && !cadence && !sent.has(TIMES)) {
      return Optional.empty();
    } else if (family == FamilyKind.GAS_PRIORITY) {
      return Optional.of(offer(sent, cadence));
    } else if (offer) {
      throw sent.wrong(" has gas, a price or setAside, which only a gas-priority transaction has.");
    }
    return Optional.of(
        new RecurringRevision(
            sent.find(TIMES).map(times -> times.stream().map(Instant::toEpochMilli).toList()),
            cadence(sent),
            sent.find(RUNS),
            SeriesFields.revision(sent)));
  }

  private static Revision offer(Sent sent, boolean cadence) {
    var times = sent.find(TIMES).orElse(List.of());
    if (cadence || times.size() > 1 || (sent.has(TIMES) && times.isEmpty())) {
      throw sent.wrong(" is about a gas-priority transaction, which has one time and no cadence.");
    }
    return new GasPriorityRevision(
        times.stream().map(Instant::toEpochMilli).findFirst(),
        sent.find(GAS),
        sent.find(PRICE),
        sent.find(SET_ASIDE));
  }

  private static Optional<Cadence> cadence(Sent sent) {
    if (sent.has(CRON)) {
      sent.refuseBeside(CRON, FIRST, FREQUENCY);
      var zone = sent.find(ZONE);
      return Optional.of(
          new CronCadence(
              sent.get(CRON),
              zone.orElseThrow(
                  () -> sent.wrong(ZONE, " is missing: send that of cron, such as UTC."))));
    } else if (!sent.has(FREQUENCY)) {
      return Optional.empty();
    }
    sent.refuseBeside(FREQUENCY, ZONE);
    long first =
        sent.find(FIRST)
            .orElseThrow(() -> sent.wrong(FIRST, " is missing: send the first time."))
            .toEpochMilli();
    return Optional.of(new Cadence.Every(first, sent.find(FREQUENCY).get().toMillis()));
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
