package dev.sequitur.trace;

import dev.sequitur.protocol.id.TransactionId;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Decides which transactions are traced: all while few messages pass, a share of them under load.
 *
 * <p>A transaction is sampled if the hash of its id lies below the share, so that several processes
 * choose the same ones. What was decided is remembered, so that a change of load does not cut off
 * the trace of a transaction that is under way. Thread-safe.
 */
final class TraceSampler {
  private static final long WINDOW_MILLIS = 1_000;

  private final int messagesPerSecond;
  private final RecentFlags decided = new RecentFlags(1 << 16);
  private final AtomicLong offered = new AtomicLong();
  private final AtomicLong windowStart = new AtomicLong(Long.MIN_VALUE);
  private volatile double share = 1;

  TraceSampler(int messagesPerSecond) {
    this.messagesPerSecond = messagesPerSecond;
  }

  /** Counts messages, sampled or not; the share for the next second comes of it. */
  void offer(long messages, long nowMillis) {
    long start = windowStart.get();
    long elapsed = nowMillis - start;
    boolean over = start == Long.MIN_VALUE || elapsed >= WINDOW_MILLIS || elapsed < 0;
    if (over && windowStart.compareAndSet(start, nowMillis)) {
      long counted = offered.getAndSet(0);
      double perSecond = start == Long.MIN_VALUE || elapsed <= 0 ? 0 : counted * 1_000.0 / elapsed;
      share = perSecond <= messagesPerSecond ? 1 : messagesPerSecond / perSecond;
    }
    offered.addAndGet(messages);
  }

  boolean isSampled(TransactionId transaction) {
    long hash = RecentFlags.hash(transaction.value());
    return switch (decided.get(hash)) {
      case YES -> true;
      case NO -> false;
      case UNKNOWN -> decide(hash);
    };
  }

  private boolean decide(long hash) {
    boolean sampled = isBelow(hash, share);
    decided.put(hash, sampled);
    return sampled;
  }

  private static boolean isBelow(long hash, double share) {
    return (hash >>> 11) < share * (1L << 53);
  }

  /** From 0 to 1. */
  double share() {
    return share;
  }

  /** Which of two shares would take it; for tests. */
  static boolean wouldTake(UUID transaction, double share) {
    return isBelow(RecentFlags.hash(transaction), share);
  }
}
