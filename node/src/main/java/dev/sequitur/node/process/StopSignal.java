package dev.sequitur.node.process;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Turns Ctrl-C and SIGTERM into something to ask and to wait for, and holds the end of the process
 * back until what runs has been stopped in order. Thread-safe.
 */
public final class StopSignal {
  /** What takes longer to stop is cut off; everything promised is on disk anyway. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final CountDownLatch requested = new CountDownLatch(1);
  private final CountDownLatch finished = new CountDownLatch(1);

  /** One that the operating system's signals reach. */
  public static StopSignal ofProcess() {
    var signal = new StopSignal();
    Runtime.getRuntime().addShutdownHook(new Thread(signal::requestAndWait, "stop"));
    return signal;
  }

  /** Asks for a stop without waiting for it. */
  public void request() {
    requested.countDown();
  }

  public boolean isRequested() {
    return requested.getCount() == 0;
  }

  /** Returns when a stop is asked for. */
  public void await() {
    try {
      requested.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Waits for a stop, but not longer than this.
   *
   * @return whether it is asked for
   */
  public boolean await(Duration most) {
    try {
      return requested.await(most.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  /** Says that everything is stopped: the process may end. */
  public void finished() {
    finished.countDown();
  }

  private void requestAndWait() {
    request();
    try {
      if (!finished.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        System.err.println("Stopping took longer than " + PATIENCE.toSeconds() + " s: cut off.");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
