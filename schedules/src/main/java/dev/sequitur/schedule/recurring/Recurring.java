package dev.sequitur.schedule.recurring;

import static dev.sequitur.schedule.family.Admission.refused;

import dev.sequitur.protocol.digest.Digests;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.DueKey;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.LatePolicy;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.ParkedFor;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Service;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.Verdict;
import dev.sequitur.schedule.book.Hold;
import dev.sequitur.schedule.family.Act;
import dev.sequitur.schedule.family.Admission;
import dev.sequitur.schedule.family.Agenda;
import dev.sequitur.schedule.family.Amendment;
import dev.sequitur.schedule.family.Family;
import dev.sequitur.schedule.family.Family.Revision;
import dev.sequitur.schedule.family.FamilyEvent;
import dev.sequitur.schedule.family.FamilyOperation;
import dev.sequitur.schedule.family.FamilyResult;
import dev.sequitur.schedule.family.FamilyState;
import dev.sequitur.schedule.family.Forecast;
import dev.sequitur.schedule.family.OccurrenceEnding;
import dev.sequitur.schedule.family.Performance;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.family.QueueView;
import dev.sequitur.schedule.family.Schedule;
import dev.sequitur.schedule.family.Settlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Tasks of 1 to 24 times, each in its slot (docs/rules/recurring.md), and series that book one slot
 * after the other. The due order is slot of series, then order of scheduling: what is in the
 * present slot is the text's task queue, what is before it the missed queue. The queue's entries
 * are the task map; the trigger map is how many each slot has been promised to.
 */
public final class Recurring
    implements Family.Operated,
        Family.Following,
        Family.Steered,
        Family.Overlapping,
        Family.Partitioned {
  /** Of times that are looked at one by one in one step, so that no outage makes it endless. */
  private static final int MOST_LOOKED_AT = 1_000;

  /** Of so many a creation tells. */
  static final int FIRST_TIMES = 5;

  private final RecurringSettings settings;
  private final Series series;
  private final DaysOffLists lists;

  public Recurring(RecurringSettings settings) {
    this.settings = settings;
    this.series = new Series(settings);
    this.lists = new DaysOffLists(settings, series);
  }

  /** Held for each time that is booked from now on. */
  public Amount feePerTime() {
    return new Amount(settings.feePerTime());
  }

  @Override
  public FamilyKind kind() {
    return FamilyKind.RECURRING;
  }

  @Override
  public FamilyState initial() {
    return RecurringState.INITIAL;
  }

  @Override
  public Admission admit(QueueView view, Proposal proposal, AccountId signer) {
    if (view.service() != Service.ACTIVE && view.service() != Service.PAUSED) {
      return refused(
          Refusal.Code.SERVICE_NOT_ACTIVE, "Recurring tasks are shut down: try again later.");
    } else if (!signer.equals(proposal.owner())) {
      return refused(Refusal.Code.NOT_ALLOWED, "Only its owner can schedule a task.");
    } else if (proposal.late() instanceof LatePolicy.ExpireAndRefund) {
      return refused(Refusal.Code.BAD_STATE, "The fee of a time is not refunded: choose another.");
    } else if (size(proposal) > settings.maxSize()) {
      return refused(
          Refusal.Code.TOO_LARGE,
          "Send at most " + settings.maxSize() + " bytes of content and id together.");
    }
    return switch (terms(proposal)) {
      case SeriesTerms terms ->
          series
              .refusal(view, terms)
              .orElseGet(
                  () -> admit(view, proposal, List.of(series.first(view, id(proposal), terms))));
      case RecurringTerms(var id, var times, var fills) ->
          refusal(view, times)
              .orElseGet(() -> admit(view, proposal, times.stream().map(settings::slot).toList()));
    };
  }

  private Optional<Admission> refusal(QueueView view, List<Long> times) {
    if (times.isEmpty() || times.size() > settings.maxTimes()) {
      return Optional.of(
          refused(Refusal.Code.BAD_TIME, "Name 1 to " + settings.maxTimes() + " times."));
    }
    return times.stream()
        .map(time -> settings.refusal(time, view.now().millis()))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private Admission admit(QueueView view, Proposal proposal, List<Long> slots) {
    var missing = missing(proposal);
    if (missing.isPresent()) {
      return refused(Refusal.Code.BAD_STATE, missing.get());
    }
    var id = id(proposal);
    if (view.schedule(id).isPresent()) {
      return refused(Refusal.Code.DUPLICATE, "A task of this id is live: choose another id.");
    }
    for (long slot : slots) {
      if (state(view.state()).in(slot) >= settings.tasksPerSlot()) {
        return refused(
            Refusal.Code.SLOT_FULL, "A slot is full: leave out " + settings.beginTime(slot) + ".");
      }
    }
    try {
      var fees = Amount.product(slots.size(), settings.feePerTime());
      return view.book().canPay(proposal.owner(), fees)
          ? new Admission.Admitted(id, DueKey.of(slots.get(0), view.nextIncarnation()), fees)
          : refused(
              Refusal.Code.INSUFFICIENT_BALANCE, "The fees are " + fees + ": fund the account.");
    } catch (ArithmeticException e) {
      return refused(Refusal.Code.OVERFLOW, "The fees are too high for any account.");
    }
  }

  /** Its first times: they are what its owner meant, or the owner sees that they are not. */
  @Override
  public Optional<FamilyResult> answer(QueueView view, Schedule admitted) {
    var slots = new ArrayList<Long>();
    slots.add(admitted.due().time());
    slots.addAll(following(view, admitted, Long.MAX_VALUE, FIRST_TIMES - 1).slots());
    return Optional.of(
        new RecurringResult.FirstTimes(slots.stream().map(settings::begin).toList()));
  }

  /** What the text's extrinsics refuse of a task: no id, no message, nobody else to pay (REC-9). */
  private static Optional<String> missing(Proposal proposal) {
    return terms(proposal).providedId().isEmpty()
        ? Optional.of("Its provided id is empty: choose one.")
        : missing(proposal.target(), proposal.owner());
  }

  private static Optional<String> missing(Target target, AccountId owner) {
    return switch (target) {
      case Target.Repeat repeat -> missing(repeat.action(), owner);
      case Target.Notify(var message) when message.isEmpty() ->
          Optional.of("Its message is empty: say what to tell.");
      case Target.Transfer transfer when transfer.to().equals(owner) ->
          Optional.of("It pays its own owner: name another account.");
      case Target.Notify ignored -> Optional.empty();
      case Target.Transfer ignored -> Optional.empty();
      case Target.Call ignored -> Optional.empty();
      case Target.ByFamily() -> Optional.empty();
    };
  }

  private ScheduleId id(Proposal proposal) {
    return new ScheduleId(kind(), taskId(proposal));
  }

  /** BLAKE2b-256 over SCALE(owner, provided id), both as byte strings (REC-7). */
  private static Hash taskId(Proposal proposal) {
    return taskId(proposal.owner(), terms(proposal).providedId());
  }

  private static int size(Proposal proposal) {
    return Math.addExact(terms(proposal).providedId().size(), proposal.target().size());
  }

  /** The id of the task that {@code owner} calls so. */
  public static Hash taskId(AccountId owner, Bytes providedId) {
    return Digests.blake2b256(Scale.byteStrings(Bytes.utf8(owner.value()), providedId));
  }

  /** Its owner may, and so may the administrator (REC-6). */
  @Override
  public Optional<Refusal> refusesCancel(QueueView view, Schedule schedule, AccountId signer) {
    return signer.equals(schedule.proposal().owner()) || signer.equals(view.administrator())
        ? Optional.empty()
        : Optional.of(
            new Refusal(
                Refusal.Code.NOT_ALLOWED, "Only its owner or the administrator can cancel it."));
  }

  @Override
  public Performance perform(QueueView view, FamilyOperation operation, AccountId signer) {
    return switch (Family.own(RecurringOperation.class, operation)) {
      case ResumeSeries(var resumed) -> series.resume(view, resumed, signer);
      case RecurringOperation.SetDaysOff set -> lists.set(view, set, signer);
      case RecurringOperation.RemoveDaysOff remove -> lists.remove(view, remove, signer);
      case RecurringOperation.BackFill fill -> new BackFilling(settings).fill(view, fill, signer);
    };
  }

  /** What is missed gets what the present slot leaves of the block's budget (REC-5). */
  @Override
  public Agenda agenda(QueueView view) {
    long now = settings.slot(view.now().millis());
    var readyFrom = DueKey.from(now);
    var end = DueKey.from(now + 1);
    int budget = settings.blockBudget();
    return new Agenda(readyFrom, end, budget - view.waiting(readyFrom, end, budget), budget);
  }

  @Override
  public boolean servesOverdueLast() {
    return true;
  }

  @Override
  public Verdict onDue(QueueView view, Schedule schedule) {
    return judge(
        view.now().millis(),
        schedule.proposal().late(),
        schedule.due().time(),
        next(view, schedule));
  }

  private Verdict judge(long now, LatePolicy late, long slot, Optional<Long> next) {
    var lateBy = Duration.ofMillis(now - settings.begin(slot));
    boolean newest = next.isEmpty() || settings.begin(next.get()) > now;
    boolean onTime = newest && lateBy.compareTo(settings.taskSlot()) < 0;
    // What is on time is not late, unless its owner has said so.
    return onTime && !late.hasWindow()
        ? Verdict.FIRE
        : late.or(new LatePolicy.Skip()).judge(lateBy, newest);
  }

  /**
   * What ends in one step, and what comes after it.
   *
   * @param occurrences the present one, and those after it that are missed with it
   * @param next the slot of the one after them, if there is to be one
   */
  record Passed(long occurrences, Optional<Long> next) {}

  /** Tells whether an occurrence that is due is missed, of those that have waited too long. */
  @FunctionalInterface
  interface Missing {
    /**
     * @param next the slot of the occurrence after it, if there is to be one
     */
    boolean isMissed(long slot, Optional<Long> next);
  }

  /** The present occurrence is missed, and with it all that follow and would be, too. */
  private Passed missed(QueueView view, Schedule schedule) {
    long now = view.now().millis();
    var late = schedule.proposal().late();
    Missing missing = (slot, next) -> judge(now, late, slot, next) == Verdict.MISS;
    var counted =
        switch (terms(schedule.proposal())) {
          case SeriesTerms terms -> series.missed(view, schedule, terms, missing);
          case RecurringTerms ignored -> Optional.<Passed>empty();
        };
    return counted.orElseGet(() -> oneByOne(view, schedule, missing));
  }

  private Passed oneByOne(QueueView view, Schedule schedule, Missing missing) {
    var following = following(view, schedule, view.now().millis(), MOST_LOOKED_AT);
    var slots = following.slots();
    // Of the last one it is not known what comes after it, if there is more than was looked at.
    int judged = following.complete() ? slots.size() : Math.max(0, slots.size() - 1);
    int missed = 0;
    while (missed < judged && missing.isMissed(slots.get(missed), at(slots, missed + 1))) {
      missed++;
    }
    return new Passed(1L + missed, at(slots, missed));
  }

  private static Optional<Long> at(List<Long> slots, int place) {
    return place < slots.size() ? Optional.of(slots.get(place)) : Optional.empty();
  }

  /**
   * The slots of the occurrences after the present one.
   *
   * @param complete whether none is left out of those until the time that was asked for
   */
  record Following(List<Long> slots, boolean complete) {}

  /**
   * @param untilMs of slots that begin after it, only the first
   */
  private Following following(QueueView view, Schedule schedule, long untilMs, int atMost) {
    return switch (terms(schedule.proposal())) {
      case SeriesTerms terms -> series.following(view, schedule, terms, untilMs, atMost);
      case RecurringTerms task -> following(task.timesMs(), schedule.occurrence(), atMost);
    };
  }

  private Following following(List<Long> times, long occurrence, int atMost) {
    int next = Math.min(Math.toIntExact(occurrence) + 1, times.size());
    return new Following(
        times.subList(next, times.size()).stream().limit(atMost).map(settings::slot).toList(),
        times.size() - next <= atMost);
  }

  /** Fees are per time, not per gas. */
  @Override
  public List<Long> price(QueueView view, List<Schedule> selected) {
    return Collections.nCopies(selected.size(), 0L);
  }

  @Override
  public long gasLimit(QueueView view, Schedule schedule) {
    return Long.MAX_VALUE;
  }

  @Override
  public Settlement settle(QueueView view, Schedule schedule, OccurrenceEnding ending) {
    return switch (ending) {
      case OccurrenceEnding.Skipped() -> skip(view, schedule);
      case OccurrenceEnding.CalledOff() -> settle(view, schedule, ending, true);
      case OccurrenceEnding.NotRun(var outcome) ->
          settle(view, schedule, ending, outcome == Outcome.CANCELLED && settings.refundOnCancel());
      case OccurrenceEnding.Overlapped() -> settle(view, schedule, ending, false);
      case OccurrenceEnding.Ran ignored -> settle(view, schedule, ending, false);
    };
  }

  private Settlement settle(
      QueueView view, Schedule schedule, OccurrenceEnding ending, boolean refunded) {
    var fee = refunded ? Amount.ZERO : fee(schedule, held(view, schedule));
    return switch (terms(schedule.proposal())) {
      case SeriesTerms ignored when ending.outcome() == Outcome.CANCELLED -> Settlement.last(fee);
      case SeriesTerms ignored ->
          series.settle(view, schedule, passed(view, schedule, ending), fee);
      case RecurringTerms ignored -> settle(schedule, passed(view, schedule, ending), fee);
    };
  }

  /** As a cancel of this time alone: its fee is paid, or goes back at once. */
  private Settlement skip(QueueView view, Schedule schedule) {
    var fee = fee(schedule, held(view, schedule));
    var passed = new Passed(1, next(view, schedule));
    var settlement =
        switch (terms(schedule.proposal())) {
          case SeriesTerms ignored -> series.settle(view, schedule, passed, fee);
          case RecurringTerms ignored -> settle(schedule, passed, fee);
        };
    return settings.refundOnCancel() ? settlement.refunding(schedule, fee) : settlement;
  }

  private Passed passed(QueueView view, Schedule schedule, OccurrenceEnding ending) {
    if (ending instanceof OccurrenceEnding.Overlapped
        && terms(schedule.proposal()) instanceof SeriesTerms terms) {
      return series.overlapped(view, schedule, terms);
    }
    return ending.outcome() == Outcome.MISSED
        ? missed(view, schedule)
        : new Passed(1, next(view, schedule));
  }

  @Override
  public List<Act> afterRun(QueueView view, Schedule next, ConsensusTime began) {
    return terms(next.proposal()) instanceof SeriesTerms terms
        ? series.afterRun(view, next, terms, began)
        : List.of();
  }

  private static Settlement settle(Schedule schedule, Passed passed, Amount fee) {
    return new Settlement(
        Amount.product(passed.occurrences(), fee.units()),
        AccountId.FEES,
        List.of(),
        passed.next().map(slot -> schedule.isPaused() ? paused(schedule) : due(schedule, slot)),
        Optional.empty(),
        passed.occurrences());
  }

  static DueKey paused(Schedule schedule) {
    return DueKey.parked(schedule.incarnation(), ParkedFor.PAUSED);
  }

  private static DueKey due(Schedule schedule, long slot) {
    return DueKey.of(slot, schedule.incarnation());
  }

  @Override
  public boolean goesOn(QueueView view, Schedule schedule) {
    return next(view, schedule).isPresent();
  }

  /** A task at its own time, which may be late by then; a series at its first time to come. */
  @Override
  public Performance resume(QueueView view, Schedule schedule) {
    return switch (terms(schedule.proposal())) {
      case SeriesTerms terms -> series.resume(view, schedule, terms);
      case RecurringTerms ignored ->
          new Performance.Performed(
              List.of(new Act.Defer(schedule.id(), due(schedule, booked(schedule).getFirst()))),
              Optional.empty());
    };
  }

  @Override
  public Amendment amend(
      QueueView view, Schedule schedule, Proposal to, Optional<Revision> revision) {
    if (to.late() instanceof LatePolicy.ExpireAndRefund) {
      return Amendment.refused(
          Refusal.Code.BAD_STATE, "The fee of a time is not refunded: choose another.");
    } else if (size(to) > settings.maxSize()) {
      return Amendment.refused(
          Refusal.Code.TOO_LARGE,
          "Send at most " + settings.maxSize() + " bytes of content and id together.");
    }
    var missing = missing(to);
    if (missing.isPresent()) {
      return Amendment.refused(Refusal.Code.BAD_STATE, missing.get());
    }
    var held = held(view, schedule);
    var asked = revision.map(each -> Family.own(RecurringRevision.class, each));
    if (asked.isEmpty()) {
      return new Amendment.Amended(to, schedule.due(), held);
    }
    return switch (terms(to)) {
      case SeriesTerms terms -> series.amend(view, schedule, to, terms, asked.get());
      case RecurringTerms terms -> amend(view, schedule, to, terms, asked.get());
    };
  }

  /** The times that it has had stay, since its occurrences are counted from the first. */
  private Amendment amend(
      QueueView view,
      Schedule schedule,
      Proposal to,
      RecurringTerms before,
      RecurringRevision asked) {
    if (asked.cadence().isPresent()
        || asked.runs().isPresent()
        || !asked.policy().equals(SeriesPolicy.Revision.NONE)
        || asked.timesMs().isEmpty()) {
      return Amendment.refused(
          Refusal.Code.BAD_STATE, "It is a task with times of its own: name all that are to come.");
    }
    int had = Math.toIntExact(schedule.occurrence());
    var coming = new RecurringTerms(before.providedId(), asked.timesMs().get()).timesMs();
    var refused = refusal(view, coming);
    if (refused.isPresent() && refused.get() instanceof Admission.Refused(var why)) {
      return new Amendment.Refused(why);
    }
    var booked = booked(schedule);
    for (long time : coming) {
      long slot = settings.slot(time);
      if (!booked.contains(slot) && state(view.state()).in(slot) >= settings.tasksPerSlot()) {
        return Amendment.refused(
            Refusal.Code.SLOT_FULL, "A slot is full: leave out " + settings.beginTime(slot) + ".");
      }
    }
    var times = new ArrayList<>(before.timesMs().subList(0, had));
    times.addAll(coming);
    var terms = new RecurringTerms(before.providedId(), times, before.fills());
    var fee = fee(schedule, held(view, schedule));
    var due =
        schedule.due().isParked()
            ? schedule.due()
            : due(schedule, settings.slot(coming.getFirst()));
    try {
      return new Amendment.Amended(
          to.with(terms, to.target()), due, Amount.product(coming.size(), fee.units()));
    } catch (ArithmeticException e) {
      return Amendment.refused(Refusal.Code.OVERFLOW, "The fees are too high for any account.");
    }
  }

  /**
   * A task's next time is brought forward. A series runs once more, and its next time stays as it
   * is; if it has a number of runs, this is one of them.
   */
  @Override
  public Performance runNow(QueueView view, Schedule schedule) {
    var acts = new ArrayList<Act>();
    if (terms(schedule.proposal()) instanceof SeriesTerms && schedule.due().isParked()) {
      var unpaid = series.refusesFee(view, schedule);
      if (unpaid.isPresent()) {
        return unpaid.get();
      }
      acts.addAll(series.missingFee(view, schedule));
    }
    acts.add(new Act.Fire(schedule.id(), 0));
    return new Performance.Performed(acts, Optional.empty());
  }

  static Amount held(QueueView view, Schedule schedule) {
    return view.book().hold(schedule.hold()).map(Hold::amount).orElse(Amount.ZERO);
  }

  /**
   * Of the present occurrence: its part of what is held for all that were booked, since the
   * operator may have set another fee for what is booked from now on.
   */
  private Amount fee(Schedule schedule, Amount held) {
    if (terms(schedule.proposal()) instanceof SeriesTerms && schedule.isByHand()) {
      return held;
    }
    int booked = booked(schedule).size();
    return booked == 0 ? Amount.ZERO : new Amount(held.units() / booked);
  }

  /** The slot of the next occurrence. */
  private Optional<Long> next(QueueView view, Schedule schedule) {
    return switch (terms(schedule.proposal())) {
      case SeriesTerms terms -> series.next(view, schedule, terms);
      case RecurringTerms(var id, var times, var fills) ->
          at(times, Math.toIntExact(schedule.occurrence()) + 1).map(settings::slot);
    };
  }

  /** As many equal fees as there are times left; of what is parked, what it has kept. */
  @Override
  public Amount owed(Schedule schedule, Amount held) {
    if (schedule.proposal().terms() instanceof SeriesTerms && schedule.due().isParked()) {
      return held;
    }
    return Amount.product(booked(schedule).size(), fee(schedule, held).units());
  }

  @Override
  public Optional<String> refusesKey(Schedule schedule, ConsensusTime last) {
    long slot = schedule.due().time();
    boolean kept =
        schedule.due().isParked()
            || switch (terms(schedule.proposal())) {
              case SeriesTerms terms -> series.mayBeSlot(slot, terms, last.millis());
              case RecurringTerms ignored -> slot == booked(schedule).get(0);
            };
    return kept
        ? Optional.empty()
        : Optional.of(
            "It holds recurring schedules that were taken by slots of another length than the "
                + settings.slot()
                + " that is set now: set scheduler.recurring.slot as it was. It can be changed"
                + " while none of them waits, so after a shutdown of the family.");
  }

  @Override
  public Optional<FamilyEvent> onBlockEnd(QueueView view, Optional<Schedule> firstLeft) {
    return Optional.empty();
  }

  @Override
  public FamilyState evolve(FamilyState state, FamilyEvent event) {
    return switch (Family.own(RecurringEvent.class, event)) {
      case RecurringEvent.DaysOffSet(var name, var list) -> state(state).with(name, list);
      case RecurringEvent.DaysOffRemoved(var name) -> state(state).without(name);
    };
  }

  @Override
  public FamilyState onAdmitted(FamilyState state, Schedule schedule) {
    var next = standing(state(state).add(booked(schedule), 1), schedule);
    return fills(schedule).map(next::filling).orElse(next);
  }

  /** The past time of a series that a task runs again. */
  private static Optional<RecurringTerms.BackFilled> fills(Schedule schedule) {
    return schedule.proposal().terms() instanceof RecurringTerms terms
        ? terms.fills()
        : Optional.empty();
  }

  private static RecurringState standing(RecurringState state, Schedule schedule) {
    return list(schedule).map(list -> state.standing(list, schedule.id())).orElse(state);
  }

  private static RecurringState leaving(RecurringState state, Schedule schedule) {
    return list(schedule).map(list -> state.leaving(list, schedule.id())).orElse(state);
  }

  /** The list of days off on which it stands. */
  private static Optional<String> list(Schedule schedule) {
    return schedule.proposal().terms() instanceof SeriesTerms terms
        ? terms.policy().list()
        : Optional.empty();
  }

  @Override
  public FamilyState onSettled(FamilyState state, Schedule schedule, Ended settled) {
    var left =
        settled
            .next()
            .map(due -> booked(schedule.next(due, settled.occurrences(), settled.outcome())))
            .orElse(List.of());
    var next = state(state).add(booked(schedule), -1).add(left, 1);
    if (!settled.last()) {
      return next;
    }
    var gone = leaving(next, schedule).without(schedule.id());
    return settled.outcome() == Outcome.RUN
        ? gone
        : fills(schedule).map(gone::unfilled).orElse(gone);
  }

  @Override
  public FamilyState onAmended(FamilyState state, Schedule before, Schedule after) {
    var next = state(state).add(booked(before), -1).add(booked(after), 1);
    return standing(leaving(next, before), after);
  }

  @Override
  public FamilyState onDeferred(FamilyState state, Schedule schedule, DueKey to) {
    return state(state).add(booked(schedule), -1).add(booked(schedule.deferred(to)), 1);
  }

  @Override
  public Iterator<ConsensusTime> coming(QueueView view, Schedule schedule) {
    return Stream.iterate(
            Optional.of(schedule).filter(each -> !each.due().isParked()),
            Optional::isPresent,
            each -> after(view, each.get()))
        .map(each -> new ConsensusTime(dueNanos(each.get().due())))
        .iterator();
  }

  /** As it will be when its present occurrence has ended. */
  private Optional<Schedule> after(QueueView view, Schedule schedule) {
    return next(view, schedule).map(slot -> schedule.next(due(schedule, slot), 1, Outcome.RUN));
  }

  /** The slots that it was promised: of a task all that are left, of a series the next one. */
  private List<Long> booked(Schedule schedule) {
    return switch (terms(schedule.proposal())) {
      case SeriesTerms ignored ->
          schedule.due().isParked() ? List.of() : List.of(schedule.due().time());
      case RecurringTerms(var id, var times, var fills) ->
          times.subList(Math.toIntExact(schedule.occurrence()), times.size()).stream()
              .map(settings::slot)
              .toList();
    };
  }

  @Override
  public long dueNanos(DueKey first) {
    return ConsensusTime.nanosOf(first.time(), settings.slot().toMillis());
  }

  @Override
  public Forecast forecast(QueueView view, ConsensusTime at) {
    return forecast(view, settings.slot(at.millis()));
  }

  /** See {@link RecurringQuery.FreeSlots}. */
  List<Forecast> freeSlots(QueueView view, RecurringQuery.FreeSlots asked) {
    var free = new ArrayList<Forecast>();
    long step = asked.ofSeries() ? 1 : settings.slotsOfTask();
    long present = settings.slot(view.now().millis()) / step;
    long from = Math.max(present + 1, settings.slot(asked.from().millis()) / step);
    long last = settings.slot(view.now().millis() + settings.horizon().toMillis());
    for (long slot = from * step; slot <= last && free.size() < asked.atMost(); slot += step) {
      var forecast = forecast(view, slot);
      if (!forecast.full()) {
        free.add(forecast);
      }
    }
    return free;
  }

  private Forecast forecast(QueueView view, long slot) {
    int taken = state(view.state()).in(slot);
    int capacity = settings.tasksPerSlot();
    var begin = new ConsensusTime(ConsensusTime.nanosOf(slot, settings.slot().toMillis()));
    long now = view.now().millis();
    boolean outside =
        slot <= settings.slot(now) || settings.begin(slot) - now > settings.horizon().toMillis();
    return new Forecast(
        begin, taken, capacity, settings.feePerTime(), outside || taken >= capacity);
  }

  @Override
  public String whyWaiting(QueueView view, Schedule schedule) {
    var parked = schedule.due().parkedFor();
    if (parked.isPresent()) {
      return series.whyParked(view, schedule, parked.get());
    }
    return schedule.due().time() > settings.slot(view.now().millis())
        ? "It is not due yet: its slot begins at " + settings.beginTime(schedule.due().time()) + "."
        : whyNotServed(
            view,
            schedule,
            "Others of its slot were scheduled before it: its turn comes in a later block.");
  }

  static RecurringState state(FamilyState state) {
    return Family.own(RecurringState.class, state);
  }

  private static TaskTerms terms(Proposal proposal) {
    return Family.own(TaskTerms.class, proposal.terms());
  }
}
