package dev.sequitur.schedule.family;

import dev.sequitur.schedule.FamilyKind;
import java.util.Optional;
import java.util.function.BinaryOperator;

/**
 * A question to one family, answered where its queue is: a value, so that it may come from another
 * JVM of the node, and a pure function of what the family sees.
 *
 * @param <R> the answer, a value too
 */
public interface FamilyQuery<R> {
  /** Whose it is. */
  FamilyKind family();

  /**
   * The answer to one too many, if its family answers it only so often ({@link Family.Limiting}).
   */
  default Optional<R> busy() {
    return Optional.empty();
  }

  /**
   * How what two partitions of a queue answer becomes one answer (SCH-28); empty if each is true of
   * its partition alone.
   */
  default Optional<BinaryOperator<R>> together() {
    return Optional.empty();
  }

  /** At the time of the view. */
  R answer(Family family, QueueView view);
}
