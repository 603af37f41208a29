package dev.sequitur.schedule.port;

import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.Target;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * How schedules have transactions run: the sequencer, as a schedule sees it. Thread-safe; nothing
 * here blocks.
 */
public interface ScheduledCalls {
  /** Why this node cannot run such a call at all; empty if it can, as far as it is known now. */
  Optional<Refusal> refuses(Target.Call call);

  /**
   * Hands a call over, durably when the future completes. The same key again is the same
   * transaction, whatever has happened in between.
   *
   * @param key begins with {@code OccurrenceKey.PREFIX}, which nobody else may use
   * @return fails with {@link PrivateTransactions.RefusedIntent} if it cannot be accepted: then
   *     nothing is stored under the key. Any other failure leaves open whether it was
   */
  CompletionStage<TransactionId> submit(String key, Target.Call call);

  /** How it ended; empty as long as it has not. */
  CompletionStage<Optional<Ended>> ended(TransactionId transaction);

  /**
   * The end of a transaction.
   *
   * @param success whether it was confirmed
   * @param reason why not, without private data; empty after a success
   */
  record Ended(boolean success, String reason) {}
}
