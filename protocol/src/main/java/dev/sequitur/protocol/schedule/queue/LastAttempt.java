package dev.sequitur.protocol.schedule.queue;

import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.schedule.Conclusion;
import dev.sequitur.protocol.schedule.execution.Execution;
import java.util.Optional;

/**
 * What is known of an occurrence's last attempt when it is settled.
 *
 * @param started whether there was one
 * @param price for each unit of gas
 * @param transaction as which the sequencer took it, if it did
 */
record LastAttempt(boolean started, long price, long gasUsed, Optional<TransactionId> transaction) {
  /** Of what was never started. */
  static final LastAttempt NONE = new LastAttempt(false, 0, 0, Optional.empty());

  /** Of what began and ended in one step. */
  static LastAttempt of(QueueEvent.Ran ran) {
    return new LastAttempt(true, ran.price(), ran.conclusion().gasUsed(), Optional.empty());
  }

  static LastAttempt of(Execution execution) {
    long gasUsed = execution.conclusion().map(Conclusion::gasUsed).orElse(0L);
    return new LastAttempt(true, execution.price(), gasUsed, execution.transaction());
  }
}
