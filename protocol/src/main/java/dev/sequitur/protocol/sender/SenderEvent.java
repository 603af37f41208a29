package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.transaction.Receipt.Happened;
import java.time.Instant;
import java.util.Optional;

/** What a sender must not forget. Which intents there are is the node store's to remember. */
public sealed interface SenderEvent {
  /**
   * This start of the sender: its delegations are later than those of every earlier one (DLG-6).
   */
  record EpochBegun(long epoch) implements SenderEvent {}

  /**
   * A try has failed; not to be tried again before {@code notBefore} (SND-4).
   *
   * @param what its reason and when it was told, for the receipt; events of before lack it
   */
  record AttemptFailed(
      TransactionId transaction, int attempts, Instant notBefore, Optional<Happened> what)
      implements SenderEvent {}

  /** Put aside; it resumes at {@code until} at the latest (SND-5). */
  record Parked(TransactionId transaction, Instant until, String reason) implements SenderEvent {}

  record Resumed(TransactionId transaction) implements SenderEvent {}

  /** It has ended: what was remembered of it may be forgotten. */
  record Ended(TransactionId transaction) implements SenderEvent {}
}
