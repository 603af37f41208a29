package dev.sequitur.node.guard;

import dev.sequitur.protocol.limited.LimitedMap;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * Which refusals of a caller are written down one by one: the first ones, so that it is seen who
 * tries what; after that they are counted together, or who may do nothing would fill the disk.
 * Thread-safe.
 */
public final class CallerRefusals {
  static final int EACH = 20;
  static final Duration SPAN = Duration.ofMinutes(10);

  /** Between two entries of one who has had those. */
  static final Duration TOGETHER = Duration.ofMinutes(1);

  private static final int MOST_CALLERS = 10_000;

  private final LongSupplier nanoTime;
  private final int each;
  private final Map<String, Caller> callers = LimitedMap.ofLastUsed(MOST_CALLERS);

  private static final class Caller {
    private long began;
    private int written;
    private long last;
    private long leftOut;

    private Caller(long began) {
      this.began = began;
    }
  }

  /**
   * @param nanoTime as {@link System#nanoTime}
   */
  public CallerRefusals(LongSupplier nanoTime) {
    this(nanoTime, EACH);
  }

  /**
   * @param nanoTime as {@link System#nanoTime}
   * @param each so many are written one by one
   */
  public CallerRefusals(LongSupplier nanoTime, int each) {
    this.nanoTime = nanoTime;
    this.each = each;
  }

  /**
   * A caller was refused.
   *
   * @param who as it is written down
   * @return how many of its refusals were left out since the last that was written; empty if this
   *     one is left out, too
   */
  public OptionalLong due(String who) {
    return due(who, 1);
  }

  /**
   * A caller was refused so many times at once; they have one entry.
   *
   * @param who as it is written down
   * @return as {@link #due(String)}
   */
  public OptionalLong due(String who, long times) {
    long now = nanoTime.getAsLong();
    synchronized (callers) {
      var caller = callers.computeIfAbsent(who, name -> new Caller(now));
      if (now - caller.began >= SPAN.toNanos()) {
        caller.began = now;
        caller.written = 0;
      }
      if (caller.written >= each && now - caller.last < TOGETHER.toNanos()) {
        caller.leftOut += times;
        return OptionalLong.empty();
      }
      caller.written++;
      caller.last = now;
      long leftOut = caller.leftOut;
      caller.leftOut = 0;
      return OptionalLong.of(leftOut);
    }
  }
}
