package dev.sequitur.persistence.backup;

import java.util.concurrent.locks.LockSupport;

/** How fast a backup reads, so that it takes no more of the disk and the processor than it may. */
@FunctionalInterface
public interface Pace {
  /** As fast as it can. */
  Pace UNBOUNDED = bytes -> {};

  /** Waits after so many bytes were read. */
  void after(long bytes);

  /** On the average no more than so many bytes in a second. */
  static Pace of(long bytesPerSecond) {
    return bytes -> LockSupport.parkNanos(nanos(bytes, bytesPerSecond));
  }

  /** How long so many bytes have to take. */
  static long nanos(long bytes, long bytesPerSecond) {
    return Math.round(bytes * 1e9 / bytesPerSecond);
  }
}
