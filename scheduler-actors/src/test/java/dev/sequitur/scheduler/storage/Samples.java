package dev.sequitur.scheduler.storage;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Conclusion;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.DueKey;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.LatePolicy;
import dev.sequitur.schedule.OccurrenceKey;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.RetryPolicy;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Service;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.book.HoldId;
import dev.sequitur.schedule.family.Intervention;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.family.Schedule;
import dev.sequitur.schedule.gaspriority.GasPriorityEvent;
import dev.sequitur.schedule.gaspriority.GasPriorityTerms;
import dev.sequitur.schedule.queue.QueueEffect.Answer;
import dev.sequitur.schedule.queue.QueueEvent;
import dev.sequitur.schedule.recurring.RecurringTerms;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A value of each kind of event. */
final class Samples {
  static final AccountId ALICE = new AccountId("alice");
  static final ScheduleId GAS =
      new ScheduleId(FamilyKind.GAS_PRIORITY, new Hash(1, 2, 3, Long.MAX_VALUE));
  static final ScheduleId TASK = new ScheduleId(FamilyKind.RECURRING, new Hash(-1, 0, 7, 8));
  static final OccurrenceKey FIRST = new OccurrenceKey(GAS, 7, 0, 1);

  static final TransactionId PRIVATE_TRANSACTION =
      TransactionId.parse("6f1c6f0e-0000-4000-8000-000000000001");

  private Samples() {}

  static Proposal call() {
    var target =
        new Target.PrivateCall(
            new ContractAddress("0x00000000000000000000000000000000000000aa"),
            "token",
            "transfer",
            Identity.parse("alice@node1"),
            Bytes.utf8("{\"amount\":\"1\"}"));
    return Proposal.of(ALICE, new GasPriorityTerms(1_800_000_000_000L, 300, 5), target);
  }

  private static Proposal task() {
    return new Proposal(
        ALICE,
        new RecurringTerms(Bytes.utf8("rent"), List.of(3_600_000L, 7_200_000L)),
        new Target.Repeat(
            new Target.Transfer(new AccountId("bob"), new Amount(12)), 86_400_000L, 3),
        new LatePolicy.RunWithin(Duration.ofMinutes(5)),
        RetryPolicy.NEVER);
  }

  static List<QueueEvent> events() {
    var due = DueKey.of(18_000_000_000L, ~5L, GAS.value());
    var hold = new HoldId.OfSchedule(GAS, 7);
    var named = new HoldId.Named(FamilyKind.PLAN_EXECUTION, "alice/1");
    return List.of(
        new QueueEvent.ClockAdvanced(new ConsensusTime(1_795_257_932_123_456_789L)),
        new QueueEvent.Posted(
            AccountId.OUTSIDE, ALICE, new Amount(1_000_000), QueueEvent.Posted.Why.FUNDED),
        new QueueEvent.Admitted(new Schedule(GAS, 7, call(), 0, due), new Amount(1_500)),
        new QueueEvent.Admitted(new Schedule(TASK, 8, task(), 1, DueKey.of(2, 8)), Amount.ZERO),
        new QueueEvent.Started(FIRST, call().target(), 5),
        new QueueEvent.Submitted(FIRST, PRIVATE_TRANSACTION),
        new QueueEvent.Concluded(FIRST, new Conclusion.Failed(100, "It reverted.", true)),
        new QueueEvent.RetryPlanned(FIRST, new ConsensusTime(1_795_257_933_000_000_000L)),
        new QueueEvent.Concluded(FIRST.nextAttempt(), new Conclusion.Succeeded(100)),
        new QueueEvent.Settled(
            FIRST.nextAttempt(),
            Outcome.RUN,
            new Amount(500),
            AccountId.FEES,
            Optional.of(DueKey.of(3, 8)),
            "",
            1),
        new QueueEvent.Ran(
            FIRST,
            5,
            new Conclusion.Succeeded(10),
            new Amount(50),
            AccountId.FEES,
            Optional.empty()),
        new QueueEvent.Deferred(TASK, DueKey.of(4, 8)),
        new QueueEvent.Amended(TASK, task(), DueKey.of(5, 8)),
        new QueueEvent.Intervened(
            TASK,
            new Intervention(
                Intervention.Kind.PAUSE, ALICE, new ConsensusTime(77), 1, "on holiday")),
        new QueueEvent.Rescheduled(GAS, Optional.of(TASK), ""),
        new QueueEvent.Removed(2),
        new QueueEvent.ServiceChanged(FamilyKind.RECURRING, Service.PAUSED),
        new QueueEvent.FamilyChanged(
            FamilyKind.GAS_PRIORITY, new GasPriorityEvent.TickCut(17_952_579_321L)),
        new QueueEvent.Throttled("Propose"),
        new QueueEvent.SetAside(named, ALICE, new Amount(9)),
        new QueueEvent.Shifted(named, hold, new Amount(8)),
        new QueueEvent.Captured(hold, AccountId.FEES, new Amount(7)),
        new QueueEvent.Released(named));
  }

  static QueueRecord record() {
    var stored = new java.util.ArrayList<StoredEvent>();
    events().forEach(event -> stored.add(new StoredEvent.Happened(event)));
    stored.add(new StoredEvent.StartedAsProposed(FIRST, 5));
    var answer = new Answer("command-1", Optional.of(GAS), Optional.empty(), Optional.empty());
    return new QueueRecord(
        42, stored, List.of(new QueueRecord.Answered("command-1", 7, answer)), 3);
  }
}
