package dev.sequitur.schedule;

import dev.sequitur.protocol.exchange.Backoff;
import java.time.Duration;

/**
 * What follows a failed attempt (SCH-15).
 *
 * @param maxAttempts the first one counts
 */
public record RetryPolicy(int maxAttempts, Backoff backoff) {
  /** So that no planned attempt lies beyond the end of a queue's clock. Before {@link #NEVER}. */
  private static final Duration LONGEST_PAUSE = Duration.ofDays(3_660);

  /** As the texts have it: what failed is not tried again. */
  public static final RetryPolicy NEVER =
      new RetryPolicy(1, new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(1)));

  private static final int MOST_ATTEMPTS = 100;

  public RetryPolicy {
    if (maxAttempts < 1 || maxAttempts > MOST_ATTEMPTS) {
      throw new IllegalArgumentException("Allow 1 to 100 attempts, not " + maxAttempts + ".");
    } else if (backoff.cap().compareTo(LONGEST_PAUSE) > 0) {
      throw new IllegalArgumentException("Between two attempts are ten years at most.");
    }
  }

  /** Whether another attempt follows attempt number {@code attempt}. */
  public boolean allowsAfter(int attempt, Conclusion.Failed failed) {
    return failed.retryable() && attempt < maxAttempts;
  }

  /** When it may start. */
  public ConsensusTime retryAt(OccurrenceKey failed, ConsensusTime now) {
    var wait = backoff.wait(failed.attempt(), Long.hashCode(failed.incarnation()));
    return new ConsensusTime(Math.addExact(now.nanos(), wait.toNanos()));
  }
}
