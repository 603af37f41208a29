package dev.sequitur.scheduler.actor;

import java.time.Instant;
import java.util.List;

/**
 * What a JVM of the node tells the others: what its clock says, and which queues it has.
 *
 * @param jvm its address in the node's cluster
 * @param queues names of those that it has in memory, {@value #MOST_QUEUES} at most
 */
public record ClockReading(String jvm, Instant time, List<String> queues) {
  static final int MOST_QUEUES = 1_000;

  public ClockReading {
    queues = List.copyOf(queues);
  }

  /** Of a JVM without queues. */
  public ClockReading(String jvm, Instant time) {
    this(jvm, time, List.of());
  }
}
