package dev.sequitur.schedule;

import java.time.Instant;

/**
 * A time of a queue's own clock: nanoseconds since 1970 UTC, never the same twice in one queue. A
 * long holds them until the year 2262.
 */
public record ConsensusTime(long nanos) implements Comparable<ConsensusTime> {
  public static final ConsensusTime ZERO = new ConsensusTime(0);

  /** The first moment that nobody can name: a long holds the nanoseconds of few more. */
  public static final Instant END = Instant.parse("2262-01-01T00:00:00Z");

  /** What whoever names it, or a later one, is told. */
  public static final String ENDS =
      "A queue's clock ends in the year 2262: name a time before that.";

  private static final long NANOS_PER_SECOND = 1_000_000_000;

  public ConsensusTime {
    if (nanos < 0) {
      throw new IllegalArgumentException("A consensus time is not before 1970: " + nanos);
    }
  }

  /**
   * @throws ArithmeticException after the year 2262
   */
  public static ConsensusTime of(Instant instant) {
    return new ConsensusTime(
        Math.addExact(
            Math.multiplyExact(instant.getEpochSecond(), NANOS_PER_SECOND), instant.getNano()));
  }

  /** The same for any instant: one before 1970, or after the end of all time, is brought there. */
  public static ConsensusTime nearest(Instant instant) {
    var last = new ConsensusTime(Long.MAX_VALUE);
    if (instant.isBefore(Instant.EPOCH)) {
      return ZERO;
    }
    return instant.isAfter(last.toInstant()) ? last : of(instant);
  }

  /** A whole second since 1970. */
  public static ConsensusTime ofSeconds(long seconds) {
    return new ConsensusTime(Math.multiplyExact(seconds, NANOS_PER_SECOND));
  }

  public static ConsensusTime ofMillis(long millis) {
    return new ConsensusTime(Math.multiplyExact(millis, 1_000_000L));
  }

  /** The nanoseconds of so many units, or the end of all time if a long cannot hold them. */
  public static long nanosOf(long units, long unitMillis) {
    long most = Long.MAX_VALUE / 1_000_000 / unitMillis;
    return units > most ? Long.MAX_VALUE : units * unitMillis * 1_000_000;
  }

  public ConsensusTime nextNano() {
    return new ConsensusTime(Math.addExact(nanos, 1));
  }

  /** Whole milliseconds, rounded down. */
  public long millis() {
    return nanos / 1_000_000;
  }

  /** Whole seconds, rounded down. */
  public long seconds() {
    return nanos / NANOS_PER_SECOND;
  }

  public Instant toInstant() {
    return Instant.ofEpochSecond(seconds(), nanos % NANOS_PER_SECOND);
  }

  public boolean isBefore(ConsensusTime other) {
    return nanos < other.nanos;
  }

  @Override
  public int compareTo(ConsensusTime other) {
    return Long.compare(nanos, other.nanos);
  }
}
