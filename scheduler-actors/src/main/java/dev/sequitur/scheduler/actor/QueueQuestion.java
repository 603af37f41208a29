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
  record Explain(ScheduleId schedule) implements QueueQuestion {}

  record CountMoney() implements QueueQuestion {}

  record Overview() implements QueueQuestion {}

  record Find(ScheduleId schedule) implements QueueQuestion {}

  record Page(ScheduleQuery query) implements QueueQuestion {}

  record Available(AccountId account) implements QueueQuestion {}

  record FamilyKnows(FamilyKind family) implements QueueQuestion {}

  /** One of a family's own. */
  record OfFamily(FamilyQuery<?> query) implements QueueQuestion {}

  /** What has ended, from a number on. */
  record Outcomes(long from, int atMost) implements QueueQuestion {}

  record Foresee(FamilyKind family, Instant at) implements QueueQuestion {}

  /** Whether a command was done under its id; waits for one of that id which is being stored. */
  record Remembered(Command command) implements QueueQuestion {}
}
