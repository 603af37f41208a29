package dev.sequitur.ledger.remote;

import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the operator who was refused: a line a minute, however many there are. Thread-safe. */
final class RefusalLog {
  private static final Logger LOG = LoggerFactory.getLogger(RefusalLog.class);
  private static final long BETWEEN_NANOS = TimeUnit.MINUTES.toNanos(1);

  private long untold; // guarded by this
  private long lastTold = System.nanoTime() - BETWEEN_NANOS; // guarded by this

  /**
   * @param who with the address
   */
  synchronized void tell(String who, String why) {
    untold++;
    long now = System.nanoTime();
    if (now - lastTold >= BETWEEN_NANOS) {
      LOG.warn("Refused {} since {}. Since the last such line {} were refused.", who, why, untold);
      untold = 0;
      lastTold = now;
    }
  }
}
