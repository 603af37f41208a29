package dev.sequitur.sequencer.transport.tls;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** Waits that double up to a bound, each shortened by chance. Confined to one thread. */
final class RedialWaits {
  private final Duration first;
  private final Duration last;
  private final RandomGenerator random;
  private Duration next;

  RedialWaits(Duration first, Duration last, RandomGenerator random) {
    this.first = first;
    this.last = last;
    this.random = random;
    this.next = first;
  }

  /** Between half of the wait whose turn it is and all of it. */
  Duration next() {
    var wait = next;
    var doubled = wait.multipliedBy(2);
    next = doubled.compareTo(last) > 0 ? last : doubled;
    long half = wait.toNanos() / 2;
    return Duration.ofNanos(half + random.nextLong(half + 1));
  }

  /** Begins with the shortest again. */
  void reset() {
    next = first;
  }
}
