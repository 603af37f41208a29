package dev.sequitur.laboratory.soak;

import dev.sequitur.laboratory.demo.Operation;
import dev.sequitur.protocol.id.TransactionId;
import java.util.Optional;

/**
 * An operation on its way to its receipt. Confined to the thread of its node's load until that has
 * ended.
 */
final class Submission {
  private final Operation operation;
  private final long due;
  private Optional<TransactionId> id = Optional.empty();
  private Optional<End> end = Optional.empty();

  /**
   * How it ended.
   *
   * @param nanoTime when its receipt was seen
   * @param failure why, if it was reverted
   */
  record End(long nanoTime, boolean success, String failure) {}

  /**
   * @param due when it was to be sent, as {@link System#nanoTime}
   */
  Submission(Operation operation, long due) {
    this.operation = operation;
    this.due = due;
  }

  Operation operation() {
    return operation;
  }

  long due() {
    return due;
  }

  /** By which the node knows it; empty until it has said so. */
  Optional<TransactionId> id() {
    return id;
  }

  Optional<End> end() {
    return end;
  }

  void accepted(TransactionId asId) {
    id = Optional.of(asId);
  }

  void ended(End how) {
    end = Optional.of(how);
  }
}
