package dev.sequitur.schedule.recurring;

import static dev.sequitur.schedule.family.Admission.refused;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.DueKey;
import dev.sequitur.schedule.ParkedFor;
import dev.sequitur.schedule.Refusal.Code;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Service;
import dev.sequitur.schedule.family.Act;
import dev.sequitur.schedule.family.Admission;
import dev.sequitur.schedule.family.Amendment;
import dev.sequitur.schedule.family.OccurrenceEnding;
import dev.sequitur.schedule.family.Performance;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.family.QueueView;
import dev.sequitur.schedule.family.Schedule;
import dev.sequitur.schedule.family.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What series add to recurring tasks (REC-12): each occurrence books the slot of the next and pays
 * for it. One that cannot is parked, with an alarm (REC-13), and its owner resumes it. Each time of
 * it begins a slot; what a clock jumps over is served by the next slot, so that nothing runs before
 * its time.
 */
record Series(RecurringSettings settings) {
  /** Beyond what a change of a zone's offset since then explains. */
  private static final long MOST_AHEAD_MS = Duration.ofDays(2).toMillis();

  /** Beyond any outage or pause. */
  private static final long MOST_OVERDUE_MS = Duration.ofDays(3_650).toMillis();

  Optional<Admission> refusal(QueueView view, SeriesTerms terms) {
    return refusesJitter(terms.policy())
        .or(() -> refusesCadence(view, terms))
        .or(() -> refusesList(view, terms.policy()))
        .or(() -> refusesTimes(view, terms));
  }

  private Optional<Admission> refusesJitter(SeriesPolicy policy) {
    return policy.jitter().toMillis() % settings.slot().toMillis() == 0
        ? Optional.empty()
        : Optional.of(
            refused(Code.BAD_TIME, "A jitter is so many slots of " + settings.slot() + "."));
  }

  /** A list serves so many that a change of it can plan all of them anew in one step. */
  private static Optional<Admission> refusesList(QueueView view, SeriesPolicy policy) {
    var state = Recurring.state(view.state());
    var list = policy.daysOff();
    if (policy.list().isEmpty()) {
      return Optional.empty();
    } else if (!state.daysOff().containsKey(list)) {
      return Optional.of(
          refused(
              Code.BAD_STATE,
              "There is no list of days off that is called "
                  + list
                  + ": the administrator makes it (recurring_setDaysOff, or schedule days-off)."));
    }
    return state.on(list).size() < DaysOffLists.MOST_STANDING
        ? Optional.empty()
        : Optional.of(
            refused(
                Code.BAD_STATE,
                "So many series stand on this list that it takes no more: have another one made of"
                    + " the same days."));
  }

  private Optional<Admission> refusesCadence(QueueView view, SeriesTerms terms) {
    long now = view.now().millis();
    return switch (terms.cadence()) {
      case Cadence.Every every ->
          every.everyMs() % settings.slot().toMillis() == 0
              ? settings.noSlot(every.firstMs(), now)
              : Optional.of(refused(Code.BAD_TIME, crooked(every)));
      case CronCadence cron -> refusal(cron, now);
    };
  }

  /** A series of no times is none. */
  private static Optional<Admission> refusesTimes(QueueView view, SeriesTerms terms) {
    return times(view, terms).after(view.now().millis()).isPresent()
        ? Optional.empty()
        : Optional.of(
            refused(
                Code.BAD_TIME,
                "No time of it is to come between its start and its end and on no day off: name others."));
  }

  private Optional<Admission> refusal(CronCadence cron, long now) {
    var time = cron.after(now);
    return time.isEmpty()
        ? Optional.of(refused(Code.BAD_TIME, "The expression names no time to come."))
        : settings
            .noSlot(settings.begin(settings.slotFrom(time.get())), now)
            .or(() -> crooked(cron, now));
  }

  private String crooked(Cadence.Every every) {
    long slots = every.everyMs() / settings.slot().toMillis();
    long over = every.everyMs() % settings.slot().toMillis();
    long under = settings.slot().toMillis() - over;
    var fewer = Duration.ofMillis(every.everyMs() - over);
    var more = Duration.ofMillis(Math.max(every.everyMs(), every.everyMs() + under));
    return "A frequency is so many slots of "
        + settings.slot()
        + ": take "
        + (slots > 0 && over == under
            ? fewer + " or " + more
            : slots > 0 && over < under ? fewer : more)
        + ".";
  }

  /** A series runs when a slot begins: whoever wants another time is told, and not put off. */
  private Optional<Admission> crooked(CronCadence cron, long now) {
    var inSlots = new CronInSlots(cron, settings.slot(), now);
    return inSlots
        .firstMisfit()
        .map(
            misfit -> {
              var nearest = inSlots.nearest(misfit);
              var instead =
                  nearest.isEmpty()
                      ? "no expression near it fits at all offsets of its zone, so take another"
                          + " zone, such as UTC, or a frequency."
                      : "take " + String.join(" or ", nearest) + ".";
              return refused(
                  Code.BAD_TIME,
                  "A series runs when a slot of %s begins, and none begins at %s, which %s names in"
                          .formatted(
                              settings.slot(), Instant.ofEpochMilli(misfit), cron.expression())
                      + " "
                      + cron.zone()
                      + ": "
                      + instead);
            });
  }

  /** The slot of the first occurrence of one that is not refused. */
  long first(QueueView view, ScheduleId id, SeriesTerms terms) {
    var times = times(view, terms);
    long first = settings.slotFrom(times.after(view.now().millis()).orElseThrow());
    return Jitter.of(settings, id, times).planned(first);
  }

  private static Times times(QueueView view, SeriesTerms terms) {
    return terms.times(Recurring.state(view.state()));
  }

  private Jitter jitter(QueueView view, Schedule schedule, SeriesTerms terms) {
    return Jitter.of(settings, schedule.id(), times(view, terms));
  }

  /** The slot of the next occurrence, if there is to be one. */
  Optional<Long> next(QueueView view, Schedule schedule, SeriesTerms terms) {
    if (terms.hasAfter(schedule.occurrence()) && schedule.isByHand()) {
      // What was run by hand takes no time away. Of what is paused it is no slot, and none is
      // taken.
      return Optional.of(schedule.due().time());
    }
    if (!terms.hasAfter(schedule.occurrence())) {
      return Optional.empty();
    }
    var jitter = jitter(view, schedule, terms);
    return jitter
        .times()
        .after(settings.begin(jitter.time(schedule.due().time())))
        .map(settings::slotFrom)
        .map(jitter::planned);
  }

  /**
   * All that is missed with the present occurrence, found without a look at each (REC-16): those
   * that follow are missed up to one of them, and none after it.
   *
   * @return empty if a time begins no slot, which only a change of the zone's rules can bring
   *     about: then they are looked at one by one
   */
  Optional<Recurring.Passed> missed(
      QueueView view, Schedule schedule, SeriesTerms terms, Recurring.Missing missing) {
    long now = view.now().millis();
    var jitter = jitter(view, schedule, terms);
    var times = jitter.times();
    long present = jitter.time(schedule.due().time());
    if (!areSlots(terms.cadence(), present, now)) {
      return Optional.empty();
    }
    var last = last(schedule, terms, times, present, now);
    long first = present + 1;
    long end = settings.slot(now) + 1;
    while (first < end) {
      long middle = first + (end - first) / 2;
      var slot = upTo(last, from(times, middle));
      if (slot.isPresent()
          && missing.isMissed(
              jitter.planned(slot.get()),
              upTo(last, from(times, slot.get() + 1)).map(jitter::planned))) {
        first = slot.get() + 1;
      } else {
        end = middle;
      }
    }
    return Optional.of(
        new Recurring.Passed(
            1 + count(times, present, first - 1),
            upTo(last, from(times, first)).map(jitter::planned)));
  }

  /**
   * What becomes of the times that came while it ran: what was late before it began is no matter of
   * this.
   */
  List<Act> afterRun(QueueView view, Schedule next, SeriesTerms terms, ConsensusTime began) {
    long slot = next.due().time();
    boolean cameMeanwhile =
        settings.begin(slot) > began.millis() && slot <= settings.slot(view.now().millis());
    if (!cameMeanwhile) {
      return List.of();
    }
    return switch (terms.policy().overlap()) {
      case WAIT -> List.of();
      case SKIP -> List.of(overlapped(next));
      case BUFFER_ONE ->
          more(view, next, terms) == 0
              ? List.of(new Act.Defer(next.id(), passing(view, next)))
              : List.of(overlapped(next));
    };
  }

  private static Act overlapped(Schedule next) {
    return new Act.End(
        next.id(), new OccurrenceEnding.Overlapped(), "The one before it was still running.");
  }

  /** What is kept of it takes the slot that is passing, in which it is not late. */
  private DueKey passing(QueueView view, Schedule schedule) {
    return DueKey.of(settings.slot(view.now().millis()), schedule.incarnation());
  }

  /** How many came after the present occurrence, and until now. */
  private long more(QueueView view, Schedule schedule, SeriesTerms terms) {
    var jitter = jitter(view, schedule, terms);
    long now = settings.slot(view.now().millis());
    long began = count(jitter.times(), jitter.time(schedule.due().time()), now);
    return Math.min(left(schedule, terms), began - (toCome(jitter, now).isPresent() ? 1 : 0));
  }

  /** When one runs whose time has come, but not yet with its jitter. */
  private static Optional<Long> toCome(Jitter jitter, long now) {
    return jitter.find(now).map(jitter::planned).filter(slot -> slot > now);
  }

  private static long left(Schedule schedule, SeriesTerms terms) {
    return terms.runs().map(runs -> runs - schedule.occurrence() - 1).orElse(Long.MAX_VALUE);
  }

  /** Those that were skipped together, as {@link #afterRun} says. */
  Recurring.Passed overlapped(QueueView view, Schedule schedule, SeriesTerms terms) {
    long more = more(view, schedule, terms);
    if (terms.policy().overlap() == Overlap.BUFFER_ONE) {
      return new Recurring.Passed(more, Optional.of(passing(view, schedule).time()));
    }
    return new Recurring.Passed(
        1 + more,
        more == left(schedule, terms)
            ? Optional.empty()
            : firstToCome(view, jitter(view, schedule, terms)));
  }

  private Optional<Long> firstToCome(QueueView view, Jitter jitter) {
    return toCome(jitter, settings.slot(view.now().millis()))
        .or(
            () ->
                jitter
                    .times()
                    .after(view.now().millis())
                    .map(settings::slotFrom)
                    .map(jitter::planned));
  }

  /** Whether each of its times from a slot on until now begins a slot. */
  private boolean areSlots(Cadence cadence, long from, long now) {
    long slot = settings.slot().toMillis();
    return switch (cadence) {
      case Cadence.Every(var first, var every) -> first % slot == 0 && every % slot == 0;
      case CronCadence cron ->
          new CronInSlots(cron, settings.slot(), settings.begin(from))
              .areOne(Math.max(now, settings.begin(from)));
    };
  }

  /** The slot of the last occurrence, if it is not after the present time. */
  private Optional<Long> last(
      Schedule schedule, SeriesTerms terms, Times times, long present, long now) {
    long left = left(schedule, terms);
    if (count(times, present, settings.slot(now)) < left) {
      return Optional.empty();
    }
    long first = present;
    long end = settings.slot(now);
    while (first < end) {
      long middle = first + (end - first) / 2;
      if (count(times, present, middle) < left) {
        first = middle + 1;
      } else {
        end = middle;
      }
    }
    return Optional.of(first);
  }

  private static Optional<Long> upTo(Optional<Long> last, Optional<Long> slot) {
    return slot.filter(each -> last.isEmpty() || each <= last.get());
  }

  /** The first slot of an occurrence that is not before a slot. */
  private Optional<Long> from(Times times, long slot) {
    return times.after(settings.begin(slot) - 1).map(settings::slotFrom);
  }

  /** Occurrences after a slot, and up to another. */
  private long count(Times times, long after, long until) {
    return times.count(settings.begin(after), settings.begin(until));
  }

  /** See {@link Recurring.Following}. */
  Recurring.Following following(
      QueueView view, Schedule schedule, SeriesTerms terms, long untilMs, int atMost) {
    long left = left(schedule, terms);
    var jitter = jitter(view, schedule, terms);
    long present = jitter.time(schedule.due().time());
    var times = jitter.times().after(settings.begin(present), untilMs, atMost);
    return new Recurring.Following(
        times.stream()
            .map(settings::slotFrom)
            .distinct()
            .limit(Math.max(0, left))
            .map(jitter::planned)
            .toList(),
        times.size() < atMost || times.get(atMost - 1) > untilMs);
  }

  /**
   * Whether the next occurrence may stand in a slot: its terms do not say which it is, but a key
   * that was counted in slots of another length means a time far from any that it could be.
   *
   * @param lastMs of the queue's clock
   */
  boolean mayBeSlot(long slot, SeriesTerms terms, long lastMs) {
    long begin = settings.begin(slot);
    boolean isTime =
        switch (terms.cadence()) {
          case Cadence.Every(var first, var every) ->
              // What is buffered runs in the slot that is passing, and a jitter moves any.
              terms.policy().overlap() == Overlap.BUFFER_ONE
                  || !terms.policy().jitter().isZero()
                  || (begin >= first && (begin - first) % every == 0);
          case CronCadence ignored -> true;
        };
    boolean ahead =
        // How many days may lie before it that are off is not known here.
        terms.policy().list().isEmpty()
            && terms
                .times(RecurringState.INITIAL)
                .after(lastMs)
                .map(next -> begin > settings.begin(settings.slotFrom(next)) + MOST_AHEAD_MS)
                .orElse(false);
    return isTime && !ahead && begin >= lastMs - MOST_OVERDUE_MS;
  }

  /**
   * Pays for this occurrence and books the next, or parks it. What is missed with this occurrence
   * was never booked, so it costs nothing.
   *
   * @param passed its next slot, if that has passed, or is passing, takes what comes to it
   * @param fee of this occurrence; that of the next is the one that is set now
   */
  Settlement settle(QueueView view, Schedule schedule, Recurring.Passed passed, Amount fee) {
    if (schedule.isPaused()) {
      var parked = passed.next().map(next -> Recurring.paused(schedule));
      return new Settlement(
          fee, AccountId.FEES, List.of(), parked, Optional.empty(), passed.occurrences());
    }
    var cause = passed.next().flatMap(next -> parksFor(view, schedule, next));
    var due =
        cause
            .map(each -> DueKey.parked(schedule.incarnation(), each))
            .or(() -> passed.next().map(next -> DueKey.of(next, schedule.incarnation())));
    boolean books = passed.next().isPresent() && cause.isEmpty();
    return new Settlement(
        fee,
        AccountId.FEES,
        books ? aside(schedule, new Amount(settings.feePerTime())) : List.of(),
        due,
        Optional.empty(),
        passed.occurrences());
  }

  private Optional<ParkedFor> parksFor(QueueView view, Schedule schedule, long next) {
    boolean booked = schedule.due().time() == next;
    if (!booked && next > settings.slot(view.now().millis()) && isFull(view, next)) {
      return Optional.of(ParkedFor.SLOT_FULL);
    }
    return canPay(view, schedule, settings.feePerTime())
        ? Optional.empty()
        : Optional.of(ParkedFor.FEE_UNPAID);
  }

  /** At the first time from now on: those that passed while it was parked are no occurrences. */
  Performance resume(QueueView view, ScheduleId id, AccountId signer) {
    var schedule = view.schedule(id);
    if (schedule.isEmpty() || !(schedule.get().proposal().terms() instanceof SeriesTerms terms)) {
      return Performance.refused(Code.UNKNOWN_SCHEDULE, "No such series waits here: " + id + ".");
    } else if (!signer.equals(schedule.get().proposal().owner())) {
      return Performance.refused(Code.NOT_ALLOWED, "Only its owner can resume a series.");
    } else if (view.service() != Service.ACTIVE) {
      return Performance.refused(
          Code.SERVICE_NOT_ACTIVE, "Recurring tasks are stopped: try again later.");
    } else if (!schedule.get().due().isParked()) {
      return Performance.refused(Code.BAD_STATE, "It is not parked.");
    }
    return resume(view, schedule.get(), terms);
  }

  /** See {@link Recurring#resume}. */
  Performance resume(QueueView view, Schedule schedule, SeriesTerms terms) {
    var jitter = jitter(view, schedule, terms);
    var next =
        jitter.times().after(view.now().millis()).map(settings::slotFrom).map(jitter::planned);
    if (next.isEmpty()) {
      return Performance.refused(Code.BAD_TIME, "No time of it is to come: cancel it.");
    } else if (isFull(view, next.get())) {
      return Performance.refused(
          Code.SLOT_FULL,
          "Its next slot is full: resume it after " + settings.beginTime(next.get()) + ".");
    }
    var unpaid = refusesFee(view, schedule);
    if (unpaid.isPresent()) {
      return unpaid.get();
    }
    var acts = new ArrayList<Act>();
    acts.add(new Act.Defer(schedule.id(), DueKey.of(next.get(), schedule.incarnation())));
    acts.addAll(missingFee(view, schedule));
    return new Performance.Performed(acts, Optional.empty());
  }

  /** Its occurrences are counted on; what is booked is paid, and the fee goes with it. */
  Amendment amend(
      QueueView view, Schedule schedule, Proposal to, SeriesTerms before, RecurringRevision asked) {
    if (asked.timesMs().isPresent()) {
      return Amendment.refused(
          Code.BAD_STATE, "It is a series: name another frequency or cron expression, or runs.");
    } else if (asked.runs().isPresent() && asked.runs().get() <= schedule.occurrence()) {
      return Amendment.refused(
          Code.BAD_STATE,
          "It has had " + schedule.occurrence() + " runs: name more, or cancel it.");
    }
    SeriesTerms terms;
    try {
      terms =
          new SeriesTerms(
              before.providedId(),
              asked.cadence().orElse(before.cadence()),
              asked.runs().or(before::runs),
              asked.policy().of(before.policy()));
    } catch (IllegalArgumentException e) {
      return Amendment.refused(Code.BAD_TIME, e.getMessage());
    }
    var proposal = to.with(terms, to.target());
    var held = Recurring.held(view, schedule);
    if (terms.cadence().equals(before.cadence()) && terms.policy().hasTimesOf(before.policy())) {
      return new Amendment.Amended(proposal, schedule.due(), held);
    }
    var refused =
        refusesJitter(terms.policy())
            .or(
                () ->
                    (terms.cadence().equals(before.cadence())
                        ? Optional.<Admission>empty()
                        : refusesCadence(view, terms)))
            .or(
                () ->
                    terms.policy().daysOff().equals(before.policy().daysOff())
                        ? Optional.empty()
                        : refusesList(view, terms.policy()))
            .or(() -> refusesTimes(view, terms));
    if (refused.isPresent() && refused.get() instanceof Admission.Refused(var why)) {
      return new Amendment.Refused(why);
    } else if (schedule.due().isParked()) {
      return new Amendment.Amended(proposal, schedule.due(), held);
    }
    long slot = first(view, schedule.id(), terms);
    return slot != schedule.due().time() && isFull(view, slot)
        ? Amendment.refused(
            Code.SLOT_FULL, "Its first slot is full: begin after " + settings.beginTime(slot) + ".")
        : new Amendment.Amended(proposal, DueKey.of(slot, schedule.incarnation()), held);
  }

  /** Why one that is parked cannot have a time that is to be paid. */
  Optional<Performance> refusesFee(QueueView view, Schedule schedule) {
    return canPay(view, schedule, missing(view, schedule))
        ? Optional.empty()
        : Optional.of(
            Performance.refused(
                Code.INSUFFICIENT_BALANCE,
                "The fee of a time is " + settings.feePerTime() + ": fund the account."));
  }

  List<Act> missingFee(QueueView view, Schedule schedule) {
    return aside(schedule, new Amount(missing(view, schedule)));
  }

  /** The one cause, and what its owner is to do now. */
  String whyParked(QueueView view, Schedule schedule, ParkedFor cause) {
    var why =
        switch (cause) {
          case SLOT_FULL -> "the slot of its next time was full";
          case FEE_UNPAID ->
              "its owner could not pay the fee of its next time, which is " + settings.feePerTime();
          case FAILED -> "the node failed over it, and its log says more";
          case OVERDUE -> "it is overdue";
          case PAUSED -> "its owner has paused it";
        };
    return "It is parked: "
        + why
        + (canPay(view, schedule, missing(view, schedule))
            ? ". Resume it."
            : ". Fund the account, then resume it.");
  }

  private static List<Act> aside(Schedule schedule, Amount fee) {
    return fee.isZero()
        ? List.of()
        : List.of(new Act.SetAside(schedule.hold(), schedule.proposal().owner(), fee));
  }

  private boolean isFull(QueueView view, long slot) {
    return isFull(Recurring.state(view.state()), slot);
  }

  boolean isFull(RecurringState state, long slot) {
    return state.in(slot) >= settings.tasksPerSlot();
  }

  private static boolean canPay(QueueView view, Schedule schedule, long fee) {
    return view.book().canPay(schedule.proposal().owner(), new Amount(fee));
  }

  /** Of the fee of a parked one's next time: it kept what it had set aside if the rules failed. */
  private long missing(QueueView view, Schedule schedule) {
    return Math.max(0, settings.feePerTime() - Recurring.held(view, schedule).units());
  }
}
