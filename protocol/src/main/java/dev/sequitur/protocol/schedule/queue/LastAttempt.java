package dev.sequitur.protocol.schedule.queue;

import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.schedule.execution.Execution;
import java.util.Optional;

/**
 * What is known of an occurrence's last attempt when it is settled.
 *
 * @param started whether there was one
 * @param privateTransaction as which the sequencer took it, if it did
 */
record LastAttempt(boolean started, Optional<TransactionId> privateTransaction) {
  /** Of what was never started. */
  static final LastAttempt NONE = new LastAttempt(false, Optional.empty());

  /** Of what began and ended in one step. */
  static LastAttempt of(QueueEvent.Ran ran) {
    return new LastAttempt(true, Optional.empty());
  }

  static LastAttempt of(Execution execution) {
    return new LastAttempt(true, execution.privateTransaction());
  }
}
