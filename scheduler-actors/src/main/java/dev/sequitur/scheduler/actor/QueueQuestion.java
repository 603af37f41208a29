package dev.sequitur.scheduler.actor;

import dev.sequitur.protocol.schedule.AccountId;
import dev.sequitur.protocol.schedule.FamilyKind;
import dev.sequitur.protocol.schedule.ScheduleId;
import dev.sequitur.protocol.schedule.family.FamilyQuery;
import dev.sequitur.protocol.schedule.queue.QueueInput.Command;
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

  record Available(AccountId account) implements OfState {}

  record FamilyKnows(FamilyKind family) implements OfState {}

  /** One of a family's own. */
  record OfFamily(FamilyQuery<?> query) implements OfState {}

  /** What has ended, from a number on. */
  record Outcomes(long from, int atMost) implements OfState {}

  record Foresee(FamilyKind family, Instant at) implements OfState {}

  /** Whether a command was done under its id; waits for one of that id which is being stored. */
  record Remembered(Command command) implements QueueQuestion {}
}
