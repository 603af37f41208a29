package dev.sequitur.node.guard;

import dev.sequitur.links.admission.Network;
import dev.sequitur.protocol.limited.LimitedMap;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * How long who has shown something that does not hold waits for the answer, by where it comes from:
 * the first few are answered at once, for a person who mistypes. Who shows what holds waits for
 * nothing. Thread-safe.
 *
 * <p>What waits keeps its connection, and a proxy has few for all who come through it: of one
 * network only some wait at a time, and the others are answered at once.
 *
 * <p>Of more networks than it remembers the one that has not come for longest begins anew.
 */
public final class FailedLogins {
  static final int AT_ONCE = 5;
  static final Duration LONGEST = Duration.ofSeconds(5);

  /** Without a failure for so long, a network begins anew. */
  static final Duration FORGIVEN = Duration.ofMinutes(10);

  /** Of one network at a time, far fewer than it may have connections. */
  static final int MOST_WAITING = 16;

  private static final Duration FIRST = Duration.ofMillis(500);
  private static final int MOST_NETWORKS = 10_000;

  private final LongSupplier nanoTime;
  private final Map<Network, Failed> networks = LimitedMap.ofLastUsed(MOST_NETWORKS);

  /** As many at most as there are connections. */
  private final Map<Network, Integer> waiting = new HashMap<>();

  /**
   * @param last when, by the clock
   */
  private record Failed(int times, long last) {}

  /**
   * @param nanoTime as {@link System#nanoTime}
   */
  public FailedLogins(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /**
   * Another one has failed; its answer is to wait for so long. Unless that is zero, {@link
   * #answered} is told when the wait is over.
   */
  public Duration failed(Network from) {
    long now = nanoTime.getAsLong();
    synchronized (networks) {
      var before = networks.get(from);
      int times =
          before == null || now - before.last() >= FORGIVEN.toNanos() ? 1 : before.times() + 1;
      networks.put(from, new Failed(Math.min(times, 1_000), now));
      if (times <= AT_ONCE || waiting.getOrDefault(from, 0) >= MOST_WAITING) {
        return Duration.ZERO;
      }
      waiting.merge(from, 1, Integer::sum);
      return afterFailures(times);
    }
  }

  /** One that had to wait does so no more. */
  public void answered(Network from) {
    synchronized (networks) {
      waiting.computeIfPresent(from, (any, count) -> count == 1 ? null : count - 1);
    }
  }

  private static Duration afterFailures(int times) {
    var wait = FIRST.multipliedBy(1L << Math.min(times - AT_ONCE - 1, 10));
    return wait.compareTo(LONGEST) < 0 ? wait : LONGEST;
  }
}
