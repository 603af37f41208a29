package dev.sequitur.scheduler.actor;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.family.FamilyQuery;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.scheduler.CalendarQuery;
import dev.sequitur.scheduler.DueQuery;
import dev.sequitur.scheduler.OutcomeQuery;
import dev.sequitur.scheduler.ScheduleQuery;
import java.time.Instant;

/** What can be asked of a queue without changing it. */
public sealed interface QueueQuestion {
  /** One that the queue's state answers alone. */
  sealed interface OfState extends QueueQuestion {}

  record Explain(ScheduleId schedule) implements OfState {}

  record CountMoney() implements OfState {}

  record Overview() implements OfState {}

  record Find(ScheduleId schedule) implements OfState {}

  record Page(ScheduleQuery query) implements OfState {}

  /** As {@link Page}, in the order in which they are due. */
  record ByDue(DueQuery query) implements OfState {}

  record Available(AccountId account) implements OfState {}

  record FamilyKnows(FamilyKind family) implements OfState {}

  /** One of a family's own. */
  record OfFamily(FamilyQuery<?> query) implements OfState {}

  /** What has ended, as far as it is in memory. */
  record Outcomes(OutcomeQuery query) implements OfState {}

  /** Of the account that the query names, as far as it is in memory. */
  record Statement(OutcomeQuery query) implements OfState {}

  /** All that has happened, as far as it is in memory. */
  record Happened(long from, int limit) implements OfState {}

  record Foresee(FamilyKind family, Instant at) implements OfState {}

  /** What would come of a command; it is not done. */
  record Try(Command command) implements OfState {}

  record Times(ScheduleId schedule, int atMost) implements OfState {}

  record Comes(CalendarQuery query) implements OfState {}

  /** Whether a command was done under its id; waits for one of that id which is being stored. */
  record Remembered(Command command) implements QueueQuestion {}
}
