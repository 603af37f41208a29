package dev.sequitur.schedule.family;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.DueKey;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.OccurrenceKey;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.book.HoldId;

/**
 * A schedule that waits or runs: the queue's compact entry.
 *
 * @param incarnation the queue's count of admissions when it was admitted, from 1
 * @param occurrence the present one, from 0
 * @param due where the present occurrence stands in the family's due order
 */
public record Schedule(
    ScheduleId id, long incarnation, Proposal proposal, long occurrence, DueKey due) {
  public Schedule {
    due = due.sharing(id.value());
  }

  /** With {@code same} in the place of its equal owner: a million schedules have few owners. */
  public Schedule sharing(AccountId same) {
    return new Schedule(id, incarnation, proposal.sharing(same), occurrence, due);
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
    return new Schedule(id, incarnation, proposal, occurrence, to);
  }

  /** When so many occurrences have ended, from the present one on. */
  public Schedule next(DueKey nextDue, long ended) {
    return new Schedule(id, incarnation, proposal, Math.addExact(occurrence, ended), nextDue);
  }
}
