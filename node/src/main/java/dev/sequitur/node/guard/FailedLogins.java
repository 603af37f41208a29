package dev.sequitur.node.guard;

import dev.sequitur.cluster.admission.Network;
import dev.sequitur.protocol.limited.LimitedMap;
import java.time.Duration;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * How long who has shown something that does not hold waits for the answer, by where it comes from:
 * the first few are answered at once, for a person who mistypes. Who shows what holds waits for
 * nothing. Thread-safe.
 *
 * <p>Of more networks than it remembers the one that has not come for longest begins anew.
 */
public final class FailedLogins {
  static final int AT_ONCE = 5;
  static final Duration LONGEST = Duration.ofSeconds(5);

  /** Without a failure for so long, a network begins anew. */
  static final Duration FORGIVEN = Duration.ofMinutes(10);

  private static final Duration FIRST = Duration.ofMillis(500);
  private static final int MOST_NETWORKS = 10_000;

  private final LongSupplier nanoTime;
  private final Map<Network, Failed> networks = LimitedMap.ofLastUsed(MOST_NETWORKS);

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

  /** Another one has failed; its answer is to wait for so long. */
  public Duration failed(Network from) {
    long now = nanoTime.getAsLong();
    int times;
    synchronized (networks) {
      var before = networks.get(from);
      times = before == null || now - before.last() >= FORGIVEN.toNanos() ? 1 : before.times() + 1;
      networks.put(from, new Failed(Math.min(times, 1_000), now));
    }
    if (times <= AT_ONCE) {
      return Duration.ZERO;
    }
    var wait = FIRST.multipliedBy(1L << Math.min(times - AT_ONCE - 1, 10));
    return wait.compareTo(LONGEST) < 0 ? wait : LONGEST;
  }
}
