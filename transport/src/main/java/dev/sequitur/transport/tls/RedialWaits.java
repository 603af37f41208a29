package dev.sequitur.transport.tls;

import dev.sequitur.protocol.exchange.Backoff;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** Waits that double up to a bound, each shortened by chance. Confined to one thread. */
final class RedialWaits {
  private final Backoff backoff;
  private final RandomGenerator random;
  private Duration next;

  RedialWaits(Backoff backoff, RandomGenerator random) {
    this.backoff = backoff;
    this.random = random;
    this.next = backoff.initial();
  }

  /** Between half of the wait whose turn it is and all of it. */
  Duration next() {
    var wait = next;
    next = backoff.longer(wait);
    long half = wait.toNanos() / 2;
    return Duration.ofNanos(half + random.nextLong(half + 1));
  }

  /** Begins with the shortest again. */
  void reset() {
    next = backoff.initial();
  }
}
