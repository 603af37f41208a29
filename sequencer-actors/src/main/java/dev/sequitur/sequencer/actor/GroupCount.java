package dev.sequitur.sequencer.actor;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * How many groups a node has, as its store counts them. A caller is told what was read last, and
 * has it read anew if that is old: a count that comes from the store is right in each JVM, whatever
 * it was told of. Thread-safe; nobody waits.
 */
public final class GroupCount {
  private static final long OLD = Duration.ofSeconds(1).toNanos();

  private final Supplier<CompletionStage<Long>> stored;
  private final LongSupplier nanos;
  private long count;
  private long readAt;
  private boolean reading;

  /**
   * @param stored reads it
   * @param nanos a steady clock
   * @param count as it was read just now
   */
  GroupCount(Supplier<CompletionStage<Long>> stored, LongSupplier nanos, long count) {
    this.stored = stored;
    this.nanos = nanos;
    this.count = count;
    this.readAt = nanos.getAsLong();
  }

  /** As it was when it was read last. */
  public int now() {
    if (begins()) {
      stored.get().whenComplete((read, failure) -> ended(failure == null ? read : count()));
    }
    return (int) Math.min(Integer.MAX_VALUE, count());
  }

  private synchronized boolean begins() {
    if (reading || nanos.getAsLong() - readAt < OLD) {
      return false;
    }
    reading = true;
    return true;
  }

  private synchronized void ended(long now) {
    count = now;
    readAt = nanos.getAsLong();
    reading = false;
  }

  private synchronized long count() {
    return count;
  }
}
