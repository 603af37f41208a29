package dev.sequitur.sequencer.transport.tls;

import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * What is told of refused connections: each address with each reason once in ten minutes, and no
 * more than twenty lines of them, whatever strangers do. Thread-safe.
 */
final class RefusalLog {
  static final int LINES = 20;
  static final Duration SPAN = Duration.ofMinutes(10);

  private final LongSupplier nanoTime;
  private final Set<String> told = new HashSet<>();
  private long began;
  private long untold;

  /**
   * @param nanoTime as {@link System#nanoTime}
   */
  RefusalLog(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.began = nanoTime.getAsLong();
  }

  /** The line to write, if any. */
  synchronized Optional<String> line(String address, String reason) {
    long now = nanoTime.getAsLong();
    if (now - began >= SPAN.toNanos()) {
      began = now;
      told.clear();
    }
    var line = "a connection of " + address + ": " + reason;
    if (told.size() >= LINES || !told.add(line)) {
      untold++;
      return Optional.empty();
    }
    var before = untold == 0 ? "" : " (and " + untold + " refusals before that are not told)";
    untold = 0;
    return Optional.of(line + before);
  }
}
