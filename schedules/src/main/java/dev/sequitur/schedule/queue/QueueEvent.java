package dev.sequitur.schedule.queue;

import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Conclusion;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.Crossing;
import dev.sequitur.schedule.DueKey;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.OccurrenceKey;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.Partition;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Service;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.book.HoldId;
import dev.sequitur.schedule.family.FamilyEvent;
import dev.sequitur.schedule.family.Intervention;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.family.Schedule;
import dev.sequitur.schedule.family.Subject;
import dev.sequitur.schedule.signing.Account;
import dev.sequitur.schedule.signing.AccountKey;
import dev.sequitur.schedule.signing.EntityId;
import java.util.Optional;

/** What a queue must not forget. */
public sealed interface QueueEvent {
  /** Comes before all others of its step; they happened at this time. */
  record ClockAdvanced(ConsensusTime time) implements QueueEvent {}

  /** From one account to another. */
  record Posted(AccountId from, AccountId to, Amount amount, Why why) implements QueueEvent {
    /** Who keeps it for the statements of the two (ACC-10): nothing is kept twice. */
    public enum Why {
      /** Nobody else does: the administrator books money in. */
      FUNDED,
      /** Nobody else does: the administrator books money out. */
      WITHDRAWN,
      /** Nobody else does: money for who begins the queue (ACC-9). */
      BEGUN,
      /** Nobody else does: an account was opened with it. */
      OPENED,
      /** The outcome of the payment, which is in another partition (SCH-29). */
      ARRIVED,
      /** An outcome of the same step, or what the family tells in it. */
      TOLD
    }
  }

  /** So much more is held; the hold is opened if it was not open. */
  record SetAside(HoldId hold, AccountId owner, Amount amount) implements QueueEvent {}

  /** From one hold to another one of the same owner. */
  record Shifted(HoldId from, HoldId to, Amount amount) implements QueueEvent {}

  /** A part of a hold was paid. */
  record Captured(HoldId hold, AccountId to, Amount amount) implements QueueEvent {}

  /** A hold that belongs to no schedule ended; the rest went back to its owner. */
  record Released(HoldId.Named hold) implements QueueEvent {}

  /** Taken in; its deposit is held from now on. */
  record Admitted(Schedule schedule, Amount deposit) implements QueueEvent {}

  /**
   * This attempt runs, at this price: before anything is handed over.
   *
   * @param request what is handed over, and again after a restart
   */
  record Started(OccurrenceKey key, Target request, long price) implements QueueEvent {}

  /** The sequencer has it, durably, as this private transaction. */
  record Submitted(OccurrenceKey key, TransactionId transaction) implements QueueEvent {}

  record Concluded(OccurrenceKey key, Conclusion conclusion) implements QueueEvent {}

  /**
   * Started, Concluded and Settled at once: what runs inside the queue has its outcome in the step
   * that starts it, unless it is to be tried again.
   *
   * @param price for each unit of gas
   * @param charge as in {@link Settled}
   * @param payee as in {@link Settled}
   * @param next as in {@link Settled}
   */
  record Ran(
      OccurrenceKey key,
      long price,
      Conclusion conclusion,
      Amount charge,
      AccountId payee,
      Optional<DueKey> next)
      implements QueueEvent {
    public Settled settled() {
      return new Settled(key, conclusion.outcome(), charge, payee, next, conclusion.note(), 1);
    }
  }

  /** The attempt failed, and another one follows. */
  record RetryPlanned(OccurrenceKey failed, ConsensusTime at) implements QueueEvent {}

  /**
   * The one outcome of an occurrence, or of several that were missed together, and its money.
   *
   * @param charge captured; without a next occurrence the rest of the hold is released
   * @param payee who gets the charge
   * @param occurrences how many it is for, from that of the key on
   */
  record Settled(
      OccurrenceKey key,
      Outcome outcome,
      Amount charge,
      AccountId payee,
      Optional<DueKey> next,
      String note,
      long occurrences)
      implements QueueEvent {}

  /**
   * What has just ended scheduled something from inside its execution, or was refused that.
   *
   * @param as empty if it was refused
   * @param why it was refused; empty if it was not
   */
  record Rescheduled(ScheduleId by, Optional<ScheduleId> as, String why) implements QueueEvent {}

  /** It stands elsewhere in its due order from now on. */
  record Deferred(ScheduleId schedule, DueKey due) implements QueueEvent {}

  /** It is as another proposal has it from now on; its hold changes by events of its own. */
  record Amended(ScheduleId schedule, Proposal proposal, DueKey due) implements QueueEvent {}

  /** Its owner did something to it; what follows of it are events of their own. */
  record Intervened(ScheduleId schedule, Intervention intervention) implements QueueEvent {}

  /**
   * What was marked for removal in earlier blocks is gone now, all of it.
   *
   * @param count how many that were, so that a wrong replay is seen
   */
  record Removed(int count) implements QueueEvent {}

  record ServiceChanged(FamilyKind family, Service service) implements QueueEvent {}

  record FamilyChanged(FamilyKind family, FamilyEvent event) implements QueueEvent {}

  /**
   * Its listeners are told this, and whoever asks later: what no outcome says.
   *
   * @param whose as in {@link QueueEffect.Publish}
   */
  record Told(QueueEffect.Notice notice, Optional<Subject> whose) implements QueueEvent {}

  /** What has happened up to this number has left memory: its store has it. */
  record OutcomesArchived(long upTo) implements QueueEvent {}

  /** An account that its key moves (ACC-5); its balance is in the book. */
  record AccountOpened(EntityId id, Account account) implements QueueEvent {}

  /**
   * @param changed as it is from now on
   */
  record AccountChanged(EntityId account, Account changed) implements QueueEvent {}

  /** The key that must sign what runs from an identity (ACC-6). */
  record KeyBound(Identity identity, AccountKey key) implements QueueEvent {}

  /** It is this partition of a queue that is spread, from its first event on. */
  record Divided(Partition place) implements QueueEvent {}

  /** What has just been started goes to another partition, under the next number. */
  record Sent(ScheduleId schedule, Crossing crossing) implements QueueEvent {}

  /**
   * A payment has come from another partition; the money is booked by an event of its own.
   *
   * @param number that is not taken again
   * @param below as in {@link Crossing}
   */
  record Taken(int from, long number, long below) implements QueueEvent {}

  /** An operation went through its throttle. */
  record Throttled(String operation) implements QueueEvent {}
}
