package dev.sequitur.links.admission;

import java.time.Duration;
import java.util.HashSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Lets few lines into the log, for whoever comes often must not fill a disk: each subject once in
 * ten minutes, and no more than twenty of them. Thread-safe.
 */
public final class SeldomLines {
  static final int LINES = 20;
  static final Duration SPAN = Duration.ofMinutes(10);

  private final LongSupplier nanoTime;
  private final Set<String> told = new HashSet<>();
  private long began;
  private long untold;

  /**
   * @param nanoTime as {@link System#nanoTime}
   */
  public SeldomLines(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.began = nanoTime.getAsLong();
  }

  /**
   * Whether a line is to be written.
   *
   * @param subject of what it tells: who was refused and why, or what has failed
   * @return how many lines were left out since the last one; empty if this one is left out, too
   */
  public synchronized OptionalLong due(String subject) {
    long now = nanoTime.getAsLong();
    if (now - began >= SPAN.toNanos()) {
      began = now;
      told.clear();
    }
    if (told.size() >= LINES || !told.add(subject)) {
      untold++;
      return OptionalLong.empty();
    }
    long leftOut = untold;
    untold = 0;
    return OptionalLong.of(leftOut);
  }
}
