package dev.sequitur.persistence.backup;

import java.util.concurrent.locks.LockSupport;

/** How fast a backup reads, so that it takes no more of the disk and the processor than it may. */
@FunctionalInterface
public interface Pace {
  /** As fast as it can. */
  Pace UNBOUNDED = bytes -> {};

  /** Waits after so many bytes were read, on the thread that reads. */
  void after(long bytes);

  /**
   * No more than so many bytes in a second, and no more of the processors than others leave.
   *
   * @param bytesPerSecond at most, on the average
   * @param processors as they are seen now
   */
  static Pace sparing(long bytesPerSecond, SparingPace.Processors processors) {
    var sparing = new SparingPace(processors);
    return bytes ->
        LockSupport.parkNanos(Math.max(nanos(bytes, bytesPerSecond), sparing.pauseNanos()));
  }

  /** How long so many bytes have to take. */
  static long nanos(long bytes, long bytesPerSecond) {
    return Math.round(bytes * 1e9 / bytesPerSecond);
  }
}
