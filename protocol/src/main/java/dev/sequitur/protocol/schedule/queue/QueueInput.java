package dev.sequitur.protocol.schedule.queue;

import dev.sequitur.protocol.schedule.AccountId;
import dev.sequitur.protocol.schedule.Amount;
import dev.sequitur.protocol.schedule.Conclusion;
import dev.sequitur.protocol.schedule.FamilyKind;
import dev.sequitur.protocol.schedule.OccurrenceKey;
import dev.sequitur.protocol.schedule.ScheduleId;
import dev.sequitur.protocol.schedule.family.Proposal;

/** What a queue answers to. */
public sealed interface QueueInput {
  /** The actor has recovered: what was started goes out again, unchanged. */
  record Recovered() implements QueueInput {}

  /** The block step. Without anything to do it stores nothing. */
  record CutBlock() implements QueueInput {}

  /** Whoever runs this attempt has it, durably. */
  record HandedOver(OccurrenceKey key, String reference) implements QueueInput {}

  /** The final outcome of this attempt. */
  record Answered(OccurrenceKey key, Conclusion conclusion) implements QueueInput {}

  /**
   * Somebody asks for something.
   *
   * @param command by which the answer is told apart from others
   * @param signer whose signature was verified
   */
  record Command(String command, AccountId signer, Operation operation) implements QueueInput {}

  /** What somebody can ask for. */
  sealed interface Operation {
    /** Money comes into the queue; by the administrator, who has it outside. */
    record Fund(AccountId account, Amount amount) implements Operation {}

    /** Money leaves the queue; by the administrator, who pays it out outside. */
    record Withdraw(AccountId account, Amount amount) implements Operation {}

    /** The specifications' insert, create, schedule. */
    record Propose(Proposal proposal) implements Operation {}

    /** By the owner or the administrator, before it is started. */
    record Cancel(ScheduleId schedule) implements Operation {}

    /** The administrator's. */
    record Pause(FamilyKind family) implements Operation {}

    /** After a pause or a shutdown; the administrator's. */
    record Resume(FamilyKind family) implements Operation {}

    /** Ends all that waits, in batches; the administrator's. */
    record Shutdown(FamilyKind family) implements Operation {}
  }
}
