package dev.sequitur.schedule.family;

import dev.sequitur.protocol.id.Identity;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.DueKey;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Service;
import dev.sequitur.schedule.book.HoldId;
import dev.sequitur.schedule.signing.Account;
import dev.sequitur.schedule.signing.AccountKey;
import dev.sequitur.schedule.signing.EntityId;

/**
 * What a family has the queue do: a value, carried out in the order given, all within one step.
 * Each becomes durable events, so that a replay needs no family's decision. A family asks only for
 * what the view allows: an account that has too little, a hold that is not open or a schedule that
 * was started is a mistake of the family, and throws.
 */
public sealed interface Act {
  /** The family's own state changes. */
  record Change(FamilyEvent event) implements Act {}

  /** From one account to another, such as a fee. */
  record Pay(AccountId from, AccountId to, Amount amount) implements Act {}

  /** Sets so much of {@code owner}'s money aside; opens the hold or adds to it. */
  record SetAside(HoldId hold, AccountId owner, Amount amount) implements Act {}

  /** From one hold to another one of the same owner, which is opened if need be. */
  record Shift(HoldId from, HoldId to, Amount amount) implements Act {}

  /** Pays a part of a hold to any account. */
  record Capture(HoldId hold, AccountId to, Amount amount) implements Act {}

  /** Ends a named hold: what is left goes back to its owner. */
  record Release(HoldId.Named hold) implements Act {}

  /** Takes in a schedule; its deposit comes from the owner's account. */
  record Admit(Proposal proposal, Admission.Admitted admitted) implements Act {}

  /** Gives a schedule that was not started its outcome, and settles it. */
  record End(ScheduleId schedule, OccurrenceEnding ending, String note) implements Act {}

  /**
   * Runs a schedule that waits, now: one nanosecond after what was done so far, so that it has a
   * consensus time of its own.
   *
   * @param price for each unit of gas
   */
  record Fire(ScheduleId schedule, long price) implements Act {}

  /** Has a schedule that waits stand elsewhere in the due order; its hold stays as it is. */
  record Defer(ScheduleId schedule, DueKey due) implements Act {}

  /** Has it stand with a schedule that somebody did something to it, and tells its listeners. */
  record Intervene(ScheduleId schedule, Intervention done) implements Act {}

  /**
   * Opens an account that its key moves from now on.
   *
   * @param id the ring's next number
   */
  record OpenAccount(EntityId id, Account account) implements Act {}

  /**
   * @param changed as it is from now on
   */
  record ChangeAccount(EntityId account, Account changed) implements Act {}

  /** Has a key sign what is to run from an identity of this node. */
  record BindKey(Identity identity, AccountKey key) implements Act {}

  /** Pauses or resumes the family itself. */
  record Serve(Service service) implements Act {}

  /** Tells the queue's listeners. */
  record Announce(FamilyNotice notice) implements Act {}
}
