package dev.sequitur.schedule.family;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.DueKey;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.OccurrenceKey;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.book.HoldId;

/**
 * A schedule that waits or runs: the queue's compact entry.
 *
 * @param incarnation the queue's count of admissions when it was admitted, from 1
 * @param occurrence the present one, from 0
 * @param due where the present occurrence stands in the family's due order
 * @param interventions what its owner has done to it
 */
public record Schedule(
    ScheduleId id,
    long incarnation,
    Proposal proposal,
    long occurrence,
    DueKey due,
    Interventions interventions) {
  /** Almost none has any, and there may be a million schedules. */
  public Schedule {
    due = due.sharing(id.value());
    interventions = interventions.equals(Interventions.NONE) ? Interventions.NONE : interventions;
  }

  /** One to which nobody has done anything. */
  public Schedule(ScheduleId id, long incarnation, Proposal proposal, long occurrence, DueKey due) {
    this(id, incarnation, proposal, occurrence, due, Interventions.NONE);
  }

  /** With {@code same} in the place of its equal owner: a million schedules have few owners. */
  public Schedule sharing(AccountId same) {
    return new Schedule(id, incarnation, proposal.sharing(same), occurrence, due, interventions);
  }

  public FamilyKind family() {
    return id.family();
  }

  /** The first attempt of the present occurrence. */
  public OccurrenceKey firstAttempt() {
    return new OccurrenceKey(id, incarnation, occurrence, 1);
  }

  public HoldId hold() {
    return new HoldId.OfSchedule(id, incarnation);
  }

  public Schedule deferred(DueKey to) {
    return new Schedule(id, incarnation, proposal, occurrence, to, interventions);
  }

  /** When so many occurrences have ended, from the present one on. */
  public Schedule next(DueKey nextDue, long ended, Outcome outcome) {
    return new Schedule(
        id,
        incarnation,
        proposal,
        Math.addExact(occurrence, ended),
        nextDue,
        interventions.settled(outcome, proposal.terms().pauseAfter()));
  }

  /** As another proposal has it, from the present occurrence on. */
  public Schedule amended(Proposal to, DueKey at) {
    return new Schedule(id, incarnation, to, occurrence, at, interventions);
  }

  public Schedule after(Intervention done) {
    return new Schedule(id, incarnation, proposal, occurrence, due, interventions.plus(done));
  }

  /** Whether nothing of it is to begin until its owner resumes it. */
  public boolean isPaused() {
    return interventions.paused();
  }

  /** Whether so many of its runs in a row have failed that it is to be paused. */
  public boolean isFailing() {
    int most = proposal.terms().pauseAfter();
    return most > 0 && interventions.failures() >= most;
  }

  /** Whether its owner has started the present occurrence, before or beside its time. */
  public boolean isByHand() {
    return interventions.byHand();
  }
}
