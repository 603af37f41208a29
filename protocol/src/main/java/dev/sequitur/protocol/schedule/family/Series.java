package dev.sequitur.protocol.schedule.family;

import static dev.sequitur.protocol.schedule.family.Admission.refused;

import dev.sequitur.protocol.schedule.AccountId;
import dev.sequitur.protocol.schedule.Amount;
import dev.sequitur.protocol.schedule.DueKey;
import dev.sequitur.protocol.schedule.Refusal.Code;
import dev.sequitur.protocol.schedule.ScheduleId;
import dev.sequitur.protocol.schedule.Service;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What series add to recurring tasks (DECISIONS D7): each occurrence books the slot of the next and
 * pays for it. One that cannot is parked, with an alarm, and its owner resumes it. A time that does
 * not begin a slot is served by the next slot, so that nothing runs before its time.
 */
final class Series {
  /** How far ahead a cron expression is looked at for two times in one slot. */
  private static final int TIMES_CHECKED = 24;

  /** Beyond what a change of a zone's offset since then explains. */
  private static final long MOST_AHEAD_MS = Duration.ofDays(2).toMillis();

  /** Beyond any outage or pause. */
  private static final long MOST_OVERDUE_MS = Duration.ofDays(3_650).toMillis();

  private final RecurringSettings settings;

  Series(RecurringSettings settings) {
    this.settings = settings;
  }

  Optional<Admission> refusal(QueueView view, SeriesTerms terms) {
    long now = view.now().millis();
    if (terms.cadence() instanceof Cadence.Every every) {
      return every.everyMs() % settings.slot().toMillis() == 0
          ? settings.refusal(every.firstMs(), now)
          : Optional.of(
              refused(Code.BAD_TIME, "A frequency is so many slots of " + settings.slot() + "."));
    }
    var time = terms.cadence().after(now);
    if (time.isEmpty()) {
      return Optional.of(refused(Code.BAD_TIME, "The expression names no time to come."));
    }
    var first = settings.refusal(settings.begin(settings.slotFrom(time.get())), now);
    if (first.isPresent()) {
      return first;
    }
    for (int i = 0; i < TIMES_CHECKED && time.isPresent(); i++) {
      var next = terms.cadence().after(time.get());
      if (next.isPresent() && settings.slotFrom(next.get()) == settings.slotFrom(time.get())) {
        return Optional.of(
            refused(
                Code.BAD_TIME, "A series runs once in a slot of " + settings.slot() + " at most."));
      }
      time = next;
    }
    return Optional.empty();
  }

  /** The slot of the first occurrence of one that is not refused. */
  long first(QueueView view, SeriesTerms terms) {
    return settings.slotFrom(terms.cadence().after(view.now().millis()).orElseThrow());
  }

  /** The slot of the next occurrence, if there is to be one. */
  Optional<Long> next(Schedule schedule, SeriesTerms terms) {
    return terms.hasAfter(schedule.occurrence())
        ? terms.cadence().after(settings.begin(schedule.due().time())).map(settings::slotFrom)
        : Optional.empty();
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
        !(terms.cadence() instanceof Cadence.Every every)
            || (begin >= every.firstMs() && (begin - every.firstMs()) % every.everyMs() == 0);
    boolean ahead =
        terms
            .cadence()
            .after(lastMs)
            .map(next -> begin > settings.begin(settings.slotFrom(next)) + MOST_AHEAD_MS)
            .orElse(false);
    return isTime && !ahead && begin >= lastMs - MOST_OVERDUE_MS;
  }

  /**
   * Pays for this occurrence and books the next, or parks it.
   *
   * @param next a slot; one that has passed, or is passing, takes what comes to it
   * @param fee of this occurrence; that of the next is the one that is set now
   */
  Settlement settle(QueueView view, Schedule schedule, long next, Amount fee) {
    if ((next > settings.slot(view.now().millis()) && isFull(view, next))
        || !canPay(view, schedule, settings.feePerTime())) {
      var parked = DueKey.parked(schedule.incarnation());
      return new Settlement(fee, Optional.of(parked), Optional.empty());
    }
    return new Settlement(
        fee,
        AccountId.FEES,
        aside(schedule, new Amount(settings.feePerTime())),
        Optional.of(DueKey.of(next, schedule.incarnation())),
        Optional.empty());
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

  private Performance resume(QueueView view, Schedule schedule, SeriesTerms terms) {
    var next = terms.cadence().after(view.now().millis()).map(settings::slotFrom);
    if (next.isEmpty()) {
      return Performance.refused(Code.BAD_TIME, "No time of it is to come: cancel it.");
    } else if (isFull(view, next.get())) {
      return Performance.refused(
          Code.SLOT_FULL,
          "Its next slot is full: resume it after " + settings.beginTime(next.get()) + ".");
    } else if (!canPay(view, schedule, missing(view, schedule))) {
      return Performance.refused(
          Code.INSUFFICIENT_BALANCE,
          "The fee of a time is " + settings.feePerTime() + ": fund the account.");
    }
    var acts = new ArrayList<Act>();
    acts.add(new Act.Defer(schedule.id(), DueKey.of(next.get(), schedule.incarnation())));
    acts.addAll(aside(schedule, new Amount(missing(view, schedule))));
    return new Performance.Performed(acts, Optional.empty());
  }

  String whyParked(QueueView view, Schedule schedule) {
    return canPay(view, schedule, missing(view, schedule))
        ? "It is parked: its next slot was full, its fee could not be paid, or the node failed over"
            + " it. Resume it."
        : "It is parked: its owner cannot pay the fee of "
            + settings.feePerTime()
            + ". Fund the account, then resume it.";
  }

  private static List<Act> aside(Schedule schedule, Amount fee) {
    return fee.isZero()
        ? List.of()
        : List.of(new Act.SetAside(schedule.hold(), schedule.proposal().owner(), fee));
  }

  private boolean isFull(QueueView view, long slot) {
    return Recurring.state(view.state()).in(slot) >= settings.tasksPerSlot();
  }

  private static boolean canPay(QueueView view, Schedule schedule, long fee) {
    return view.book().canPay(schedule.proposal().owner(), new Amount(fee));
  }

  /** Of the fee of a parked one's next time: it kept what it had set aside if the rules failed. */
  private long missing(QueueView view, Schedule schedule) {
    return Math.max(0, settings.feePerTime() - Recurring.held(view, schedule).units());
  }
}
