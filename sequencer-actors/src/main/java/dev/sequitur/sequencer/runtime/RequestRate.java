package dev.sequitur.sequencer.runtime;

import dev.sequitur.protocol.id.NodeName;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;

/**
 * Lets each node ask only so often for what costs milliseconds to answer. Thread-safe by its lock.
 */
final class RequestRate {
  /** Of one node, in one second. */
  static final int REQUESTS = 20;

  private static final long WINDOW_MILLIS = 1_000;

  private final InstantSource clock;
  private final Map<NodeName, Integer> counted = new HashMap<>();
  private long windowStart;

  RequestRate(InstantSource clock) {
    this.clock = clock;
    this.windowStart = clock.millis();
  }

  /** Counts a request and says whether it may be answered. */
  synchronized boolean admits(NodeName asker) {
    long now = clock.millis();
    if (now - windowStart >= WINDOW_MILLIS || now < windowStart) {
      windowStart = now;
      counted.clear();
    }
    return counted.merge(asker, 1, Integer::sum) <= REQUESTS;
  }
}
