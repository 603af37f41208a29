package dev.sequitur.schedule;

import dev.sequitur.protocol.exchange.Backoff;
import java.time.Duration;
import java.util.List;

/**
 * What follows a failed attempt (SCH-15).
 *
 * @param maxAttempts the first one counts
 * @param backoff how long the pauses are, unless they are given
 * @param pauses one after the other, to the millisecond; the last holds for all that follow. Empty
 *     if the back-off says them
 */
public record RetryPolicy(int maxAttempts, Backoff backoff, List<Duration> pauses) {
  /** So that no planned attempt lies beyond the end of a queue's clock. Before {@link #NEVER}. */
  private static final Duration LONGEST_PAUSE = Duration.ofDays(3_660);

  /** As the texts have it: what failed is not tried again. */
  public static final RetryPolicy NEVER =
      new RetryPolicy(1, new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(1)));

  private static final int MOST_ATTEMPTS = 100;

  public RetryPolicy {
    pauses = List.copyOf(pauses);
    if (maxAttempts < 1 || maxAttempts > MOST_ATTEMPTS) {
      throw new IllegalArgumentException("Allow 1 to 100 attempts, not " + maxAttempts + ".");
    } else if (backoff.cap().compareTo(LONGEST_PAUSE) > 0) {
      throw new IllegalArgumentException("Between two attempts are ten years at most.");
    } else if (pauses.size() >= MOST_ATTEMPTS) {
      throw new IllegalArgumentException("Give at most " + (MOST_ATTEMPTS - 1) + " pauses.");
    } else if (pauses.stream().anyMatch(RetryPolicy::isNoPause)) {
      throw new IllegalArgumentException("A pause has 1 ms to ten years.");
    }
  }

  private static boolean isNoPause(Duration pause) {
    return pause.toMillis() < 1 || pause.compareTo(LONGEST_PAUSE) > 0;
  }

  /** With pauses that grow as the back-off says. */
  public RetryPolicy(int maxAttempts, Backoff backoff) {
    this(maxAttempts, backoff, List.of());
  }

  /** With just these pauses. */
  public static RetryPolicy after(int maxAttempts, List<Duration> pauses) {
    return new RetryPolicy(maxAttempts, NEVER.backoff, pauses);
  }

  /** Whether another attempt follows attempt number {@code attempt}. */
  public boolean allowsAfter(int attempt, Conclusion.Failed failed) {
    return failed.retryable() && attempt < maxAttempts;
  }

  /** When it may start. */
  public ConsensusTime retryAt(OccurrenceKey failed, ConsensusTime now) {
    var wait =
        pauses.isEmpty()
            ? backoff.wait(failed.attempt(), Long.hashCode(failed.incarnation()))
            : pauses.get(Math.min(failed.attempt(), pauses.size()) - 1);
    return new ConsensusTime(Math.addExact(now.nanos(), wait.toNanos()));
  }
}
