package dev.sequitur.sequencer.setup;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * A clock that follows another one and never goes back. What waits does so until a time: with a
 * clock that was set back by an hour a node would send nothing again, and no heartbeat, for an
 * hour, and take whoever died just then for alive. While it is ahead of the other one it goes on at
 * nine tenths of the pace, until that one has come to it. Thread-safe.
 */
public final class SteadyClock implements InstantSource {
  /** What is left out of so many nanoseconds is one of them. */
  private static final long SLOWER_BY = 10;

  private final InstantSource followed;
  private final LongSupplier nanos;

  // By this.
  private Instant last;
  private long lastNanos;

  /**
   * @param nanos goes on evenly whatever a clock is set to, like {@link System#nanoTime}
   */
  public SteadyClock(InstantSource followed, LongSupplier nanos) {
    this.followed = followed;
    this.nanos = nanos;
    this.last = followed.instant();
    this.lastNanos = nanos.getAsLong();
  }

  /** Follows that of this JVM. */
  public static SteadyClock ofSystem() {
    return new SteadyClock(InstantSource.system(), System::nanoTime);
  }

  @Override
  public synchronized Instant instant() {
    long now = nanos.getAsLong();
    long elapsed = now - lastNanos;
    var slow = last.plusNanos(elapsed - elapsed / SLOWER_BY);
    var told = followed.instant();
    last = told.isAfter(slow) ? told : slow;
    lastNanos = now;
    return last;
  }

  /**
   * How far it is ahead of the one that it follows, which was set back by so much at least. Who is
   * not asked for long has gone on slowly meanwhile, and says less.
   */
  public synchronized Duration ahead() {
    var ahead = Duration.between(followed.instant(), instant());
    return ahead.isNegative() ? Duration.ZERO : ahead;
  }
}
