package dev.sequitur.schedule.recurring;

import java.time.Duration;
import java.util.Optional;

/**
 * What an owner has said of a series beyond its cadence.
 *
 * @param notBeforeMs its start: no time of it is earlier; 0 if it has none
 * @param notAfterMs its end: no time of it is later; {@link #NO_END} if it has none
 * @param daysOff the name of a list of days on which it does not run; empty for none
 * @param overlap what becomes of what is due while it runs
 * @param jitter each time runs up to so much later, so that many series do not run at once; always
 *     as much for the same time
 * @param pauseAfter after how many runs in a row that have failed it is paused; 0 for never
 */
public record SeriesPolicy(
    long notBeforeMs,
    long notAfterMs,
    String daysOff,
    Overlap overlap,
    Duration jitter,
    int pauseAfter) {
  public static final long NO_START = 0;
  public static final long NO_END = Long.MAX_VALUE;
  public static final String NO_LIST = "";
  public static final Duration MOST_JITTER = Duration.ofDays(1);
  public static final int MOST_FAILURES = 1_000;

  /** Nothing: almost all series share it. */
  public static final SeriesPolicy NONE =
      new SeriesPolicy(NO_START, NO_END, NO_LIST, Overlap.WAIT, Duration.ZERO, 0);

  /**
   * @throws IllegalArgumentException if nothing lies between start and end, or a number is out of
   *     its bounds
   */
  public SeriesPolicy {
    if (notBeforeMs < 0 || notAfterMs < notBeforeMs) {
      throw new IllegalArgumentException("A series ends after it starts, and starts after 1970.");
    } else if (jitter.isNegative() || jitter.compareTo(MOST_JITTER) > 0) {
      throw new IllegalArgumentException("A jitter is a day at most.");
    } else if (!jitter.isZero() && overlap == Overlap.BUFFER_ONE) {
      throw new IllegalArgumentException("A series with a jitter buffers none: wait or skip.");
    } else if (pauseAfter < 0 || pauseAfter > MOST_FAILURES) {
      throw new IllegalArgumentException(
          "A series is paused after 1 to " + MOST_FAILURES + " failures in a row, or after none.");
    }
  }

  /** Whether it leaves a cadence the same times. */
  boolean hasTimesOf(SeriesPolicy other) {
    return notBeforeMs == other.notBeforeMs
        && notAfterMs == other.notAfterMs
        && daysOff.equals(other.daysOff)
        && jitter.equals(other.jitter);
  }

  /** The list of days off on which it stands, if it stands on one. */
  public Optional<String> list() {
    return daysOff.isEmpty() ? Optional.empty() : Optional.of(daysOff);
  }

  /** Its start, if it has one. */
  public Optional<Long> start() {
    return notBeforeMs == NO_START ? Optional.empty() : Optional.of(notBeforeMs);
  }

  /** Its end, if it has one. */
  public Optional<Long> end() {
    return notAfterMs == NO_END ? Optional.empty() : Optional.of(notAfterMs);
  }

  /**
   * What is to be other than it is; what is empty stays.
   *
   * @param notBeforeMs {@link #NO_START} takes it away
   * @param notAfterMs {@link #NO_END} takes it away
   * @param daysOff {@link #NO_LIST} takes it away
   * @param jitter zero takes it away
   * @param pauseAfter 0 takes it away
   */
  public record Revision(
      Optional<Long> notBeforeMs,
      Optional<Long> notAfterMs,
      Optional<String> daysOff,
      Optional<Overlap> overlap,
      Optional<Duration> jitter,
      Optional<Integer> pauseAfter) {
    public static final Revision NONE =
        new Revision(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    /**
     * @throws IllegalArgumentException if what comes of it is no policy
     */
    public SeriesPolicy of(SeriesPolicy before) {
      return new SeriesPolicy(
          notBeforeMs.orElse(before.notBeforeMs()),
          notAfterMs.orElse(before.notAfterMs()),
          daysOff.orElse(before.daysOff()),
          overlap.orElse(before.overlap()),
          jitter.orElse(before.jitter()),
          pauseAfter.orElse(before.pauseAfter()));
    }
  }
}
