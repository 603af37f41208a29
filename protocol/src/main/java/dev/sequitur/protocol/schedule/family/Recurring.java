package dev.sequitur.protocol.schedule.family;

import static dev.sequitur.protocol.schedule.family.Admission.refused;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.schedule.AccountId;
import dev.sequitur.protocol.schedule.Amount;
import dev.sequitur.protocol.schedule.ConsensusTime;
import dev.sequitur.protocol.schedule.DueKey;
import dev.sequitur.protocol.schedule.FamilyKind;
import dev.sequitur.protocol.schedule.LatePolicy;
import dev.sequitur.protocol.schedule.Outcome;
import dev.sequitur.protocol.schedule.Refusal;
import dev.sequitur.protocol.schedule.ScheduleId;
import dev.sequitur.protocol.schedule.Service;
import dev.sequitur.protocol.schedule.Verdict;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Tasks of 1 to 24 times, each in its slot ({@code oak-recurring-tasks.md}; DECISIONS D). The due
 * order is slot, then order of scheduling: what is in the present slot is the text's task queue,
 * what is before it the missed queue. The queue's entries are the task map; the trigger map is how
 * many each slot has been promised to.
 */
public final class Recurring implements Family {
  private final RecurringSettings settings;
  private final Function<Bytes, Hash> blake2b256;

  /**
   * @param blake2b256 BLAKE2b-256, which the JDK has not
   */
  public Recurring(RecurringSettings settings, Function<Bytes, Hash> blake2b256) {
    this.settings = settings;
    this.blake2b256 = blake2b256;
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
    var times = terms(proposal).timesMs();
    if (view.service() != Service.ACTIVE) {
      return refused(
          Refusal.Code.SERVICE_NOT_ACTIVE, "Recurring tasks are stopped: try again later.");
    } else if (!signer.equals(proposal.owner())) {
      return refused(Refusal.Code.NOT_ALLOWED, "Only its owner can schedule a task.");
    } else if (times.isEmpty() || times.size() > settings.maxTimes()) {
      return refused(Refusal.Code.BAD_TIME, "Name 1 to " + settings.maxTimes() + " times.");
    } else if (proposal.late() instanceof LatePolicy.ExpireAndRefund) {
      return refused(Refusal.Code.BAD_STATE, "The fee of a time is not refunded: choose another.");
    }
    for (long time : times) {
      if (time % settings.slot().toMillis() != 0
          || time - view.now().millis() > settings.horizon().toMillis()) {
        return refused(
            Refusal.Code.BAD_TIME,
            "A time must begin a slot of "
                + settings.slot()
                + " and be within "
                + settings.horizon()
                + " from now.");
      } else if (slot(time) <= slot(view.now().millis())) {
        return refused(Refusal.Code.TIME_NOT_IN_FUTURE, "A time must be after the present slot.");
      }
    }
    return admitIfRoom(view, proposal, times);
  }

  private Admission admitIfRoom(QueueView view, Proposal proposal, List<Long> times) {
    var id = new ScheduleId(kind(), taskId(proposal));
    if (view.schedule(id).isPresent()) {
      return refused(Refusal.Code.DUPLICATE, "A task of this id is live: choose another id.");
    }
    for (long time : times) {
      if (state(view.state()).in(slot(time)) >= settings.tasksPerSlot()) {
        return refused(Refusal.Code.SLOT_FULL, "A slot is full: leave out " + time + ".");
      }
    }
    try {
      var fees = Amount.product(times.size(), settings.feePerTime());
      return view.book().canPay(proposal.owner(), fees)
          ? new Admission.Admitted(id, DueKey.of(slot(times.get(0)), view.nextIncarnation()), fees)
          : refused(
              Refusal.Code.INSUFFICIENT_BALANCE, "The fees are " + fees + ": fund the account.");
    } catch (ArithmeticException e) {
      return refused(Refusal.Code.OVERFLOW, "The fees are too high for any account.");
    }
  }

  /** BLAKE2b-256 over SCALE(owner, provided id), both as byte strings (D8). */
  private Hash taskId(Proposal proposal) {
    return blake2b256.apply(
        Scale.byteStrings(Bytes.utf8(proposal.owner().value()), terms(proposal).providedId()));
  }

  /** What is missed gets what the present slot leaves of the block's budget (D5). */
  @Override
  public Agenda agenda(QueueView view) {
    long now = slot(view.now().millis());
    var readyFrom = DueKey.from(now);
    var end = DueKey.from(now + 1);
    int budget = settings.blockBudget();
    return new Agenda(readyFrom, end, budget - view.waiting(readyFrom, end, budget), budget);
  }

  @Override
  public Verdict onDue(QueueView view, Schedule schedule) {
    long now = view.now().millis();
    if (schedule.due().time() >= slot(now)) {
      return Verdict.FIRE;
    }
    var times = terms(schedule.proposal()).timesMs();
    int occurrence = Math.toIntExact(schedule.occurrence());
    boolean newest = occurrence + 1 == times.size() || times.get(occurrence + 1) > now;
    return schedule
        .proposal()
        .late()
        .or(new LatePolicy.Skip())
        .judge(Duration.ofMillis(now - times.get(occurrence)), newest);
  }

  /** Fees are per time, not per gas. */
  @Override
  public List<Long> price(QueueView view, List<Schedule> selected) {
    return Collections.nCopies(selected.size(), 0L);
  }

  @Override
  public long gasLimit(Schedule schedule) {
    return Long.MAX_VALUE;
  }

  @Override
  public Settlement settle(QueueView view, Schedule schedule, Ending ending) {
    if (ending.outcome() == Outcome.CANCELLED) {
      return Settlement.last(settings.refundOnCancel() ? Amount.ZERO : owed(schedule));
    }
    var times = terms(schedule.proposal()).timesMs();
    int next = Math.toIntExact(schedule.occurrence()) + 1;
    var due =
        next < times.size()
            ? Optional.of(DueKey.of(slot(times.get(next)), schedule.incarnation()))
            : Optional.<DueKey>empty();
    return new Settlement(new Amount(settings.feePerTime()), due, List.of());
  }

  @Override
  public Amount owed(Schedule schedule) {
    long left = terms(schedule.proposal()).timesMs().size() - schedule.occurrence();
    return Amount.product(left, settings.feePerTime());
  }

  @Override
  public Optional<FamilyEvent> onBlockEnd(QueueView view, Optional<Schedule> firstLeft) {
    return Optional.empty();
  }

  @Override
  public FamilyState evolve(FamilyState state, FamilyEvent event) {
    return state;
  }

  @Override
  public FamilyState onAdmitted(FamilyState state, Schedule schedule) {
    var next = state(state);
    for (long time : terms(schedule.proposal()).timesMs()) {
      next = next.add(slot(time), 1);
    }
    return next;
  }

  @Override
  public FamilyState onSettled(FamilyState state, Schedule schedule, boolean last) {
    var times = terms(schedule.proposal()).timesMs();
    int from = Math.toIntExact(schedule.occurrence());
    var next = state(state);
    for (long time : times.subList(from, last ? times.size() : from + 1)) {
      next = next.add(slot(time), -1);
    }
    return next;
  }

  @Override
  public OptionalLong dueNanos(DueKey first) {
    return OptionalLong.of(ConsensusTime.nanosOf(first.time(), settings.slot().toMillis()));
  }

  @Override
  public Optional<Forecast> forecast(QueueView view, ConsensusTime at) {
    long slot = slot(at.millis());
    int taken = state(view.state()).in(slot);
    int capacity = settings.tasksPerSlot();
    var begin = new ConsensusTime(ConsensusTime.nanosOf(slot, settings.slot().toMillis()));
    return Optional.of(
        new Forecast(begin, taken, capacity, settings.feePerTime(), taken >= capacity));
  }

  @Override
  public String whyWaiting(QueueView view, Schedule schedule) {
    return schedule.due().time() > slot(view.now().millis())
        ? "It is not due yet."
        : "Others of its slot were scheduled before it: its turn comes in a later block.";
  }

  private long slot(long millis) {
    return millis / settings.slot().toMillis();
  }

  private static RecurringState state(FamilyState state) {
    if (state instanceof RecurringState recurring) {
      return recurring;
    }
    throw new IllegalStateException("Not this family's state: " + state);
  }

  private static RecurringTerms terms(Proposal proposal) {
    if (proposal.terms() instanceof RecurringTerms recurring) {
      return recurring;
    }
    throw new IllegalStateException("Not this family's terms: " + proposal.terms());
  }
}
