package dev.sequitur.protocol.exchange;

import java.time.Duration;

/**
 * Capped exponential back-off. Jitter comes from the caller's own identifier, so that the rules
 * need no randomness and two parties still do not try in step.
 *
 * @param initial the first wait
 * @param cap the longest wait
 */
public record Backoff(Duration initial, Duration cap) {
  public Backoff {
    if (initial.isNegative() || initial.isZero() || cap.compareTo(initial) < 0) {
      throw new IllegalArgumentException(
          "A back-off starts above zero and never ends below its start: " + initial + ", " + cap);
    }
  }

  /**
   * The wait before try number {@code attempt} (1 is the first repetition).
   *
   * @param salt anything that differs between parties: it takes up to a quarter off
   */
  public Duration wait(int attempt, int salt) {
    int doublings = Math.min(Math.max(attempt - 1, 0), 20);
    long millis = Math.min(initial.toMillis() << doublings, cap.toMillis());
    long jitter = Math.floorMod(salt * 0x9E3779B9, 256) * (millis / 4) / 256;
    return Duration.ofMillis(Math.max(1, millis - jitter));
  }

  /** The wait after one of this length where nobody is in step: twice as long, or the longest. */
  public Duration longer(Duration wait) {
    var twice = wait.multipliedBy(2);
    return twice.compareTo(cap) < 0 ? twice : cap;
  }
}
