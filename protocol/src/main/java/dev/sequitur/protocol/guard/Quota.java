package dev.sequitur.protocol.guard;

/**
 * How much one caller may ask for: requests a second on average, and so many at once after a pause.
 * As the generic cell rate algorithm (GCRA) counts: each request fills a vessel that empties
 * evenly.
 *
 * @param perSecond requests, at least 1
 * @param burst requests at once, at least 1
 * @param inFlight requests that are being answered at a time, at least 1
 * @param pending transactions and schedules that it has begun and that have not ended, at least 1
 */
public record Quota(int perSecond, int burst, int inFlight, int pending) {
  private static final long SECOND = 1_000_000_000;

  public Quota {
    if (perSecond < 1 || burst < 1 || inFlight < 1 || pending < 1) {
      throw new IllegalArgumentException("A quota allows at least one of everything.");
    }
  }

  /**
   * What a caller has used.
   *
   * @param emptyAt when the vessel will be empty, in nanoseconds of a clock that only runs forward
   */
  public record Used(long emptyAt) {}

  /** What comes of a request. */
  public sealed interface Taken {
    /**
     * It may be made.
     *
     * @param remaining more that could be made at once
     * @param emptyAfter nanoseconds until all could be
     */
    record Given(Used used, int remaining, long emptyAfter) implements Taken {}

    /**
     * It must not, and has used nothing.
     *
     * @param retryAfter nanoseconds until it may; never if it asks for more than may ever be at
     *     once
     */
    record Refused(long retryAfter) implements Taken {}
  }

  /** Of a caller that comes for the first time. */
  public static Used nothing(long now) {
    return new Used(now);
  }

  /**
   * Takes so many requests together, all or none.
   *
   * @param now of the same clock
   */
  public Taken take(Used before, long now, int requests) {
    long interval = SECOND / perSecond;
    long filled = Math.max(0, before.emptyAt() - now);
    long after = filled + requests * interval;
    long room = burst * interval;
    if (requests > burst) {
      return new Taken.Refused(Long.MAX_VALUE);
    } else if (after > room) {
      return new Taken.Refused(after - room);
    }
    return new Taken.Given(new Used(now + after), (int) ((room - after) / interval), after);
  }
}
