package dev.sequitur.node.rpc.server;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/** Lets one line a minute into the log: whoever comes often must not fill a disk. Thread-safe. */
final class SeldomLine {
  private static final Duration BETWEEN = Duration.ofMinutes(1);

  private final LongSupplier nanos;
  private long untold;
  private long lastTold;
  private boolean told;

  /**
   * @param nanos a clock such as {@link System#nanoTime}
   */
  SeldomLine(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** How many lines were left out since the last one; empty if this one is to be left out, too. */
  synchronized OptionalLong due() {
    long now = nanos.getAsLong();
    if (told && now - lastTold < BETWEEN.toNanos()) {
      untold++;
      return OptionalLong.empty();
    }
    long leftOut = untold;
    told = true;
    lastTold = now;
    untold = 0;
    return OptionalLong.of(leftOut);
  }
}
