package dev.sequitur.laboratory.soak;

import dev.sequitur.laboratory.demo.Operation;
import java.util.List;

/**
 * The operations of a load and when each is due.
 *
 * @param operations in the order in which they are due
 * @param rate of them a second; 0 if all are due at once
 */
record TimedOperations(List<Operation> operations, int rate) {
  private static final long NANOS = 1_000_000_000;

  TimedOperations {
    operations = List.copyOf(operations);
  }

  /** After the start of the load. */
  long dueNanos(int index) {
    return rate == 0 ? 0 : index * NANOS / rate;
  }
}
