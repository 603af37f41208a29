package dev.sequitur.console;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Turns Ctrl-C and SIGTERM into something to ask and to wait for, and holds the end of the process
 * back until what runs has been stopped in order. Thread-safe.
 */
public final class StopSignal {
  /** What takes longer to stop is cut off; everything promised is on disk anyway. */
  private static final Duration PATIENCE = Duration.ofSeconds(45);

  private static final Duration SAME_SIGNAL = Duration.ofSeconds(1);

  private final CountDownLatch requested = new CountDownLatch(1);
  private final CountDownLatch finished = new CountDownLatch(1);
  private volatile Optional<String> starting = Optional.empty();

  /** One that the operating system's signals reach. */
  public static StopSignal ofProcess() {
    var signal = new StopSignal();
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> signal.requestAndWait(System.err), "stop"));
    return signal;
  }

  /**
   * Runs a start of which nothing has to be stopped in order before it is over: it is crash-safe,
   * and nobody is served yet. Until then a signal ends the process at once.
   *
   * @param sentence what is said to whoever stops it in the middle
   */
  public <T> T whileStarting(String sentence, Supplier<T> start) {
    starting = Optional.of(sentence);
    if (isRequested()) {
      // The signal came before, and waits: there is nothing to stop.
      finished();
    }
    try {
      return start.get();
    } finally {
      starting = Optional.empty();
    }
  }

  /** Asks for a stop without waiting for it. */
  public void request() {
    requested.countDown();
  }

  public boolean isRequested() {
    return requested.getCount() == 0;
  }

  /**
   * Whether a stop is asked for, or is within a second: Ctrl-C reaches the processes that this one
   * has started, too, and their end may be seen before it.
   */
  public boolean hasEndedOthers() {
    return await(SAME_SIGNAL);
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

  /** What a signal does; when it returns, the process ends. */
  void requestAndWait(PrintStream err) {
    request();
    try {
      if (starting.isEmpty() && !finished.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        err.println("Stopping took longer than " + PATIENCE.toSeconds() + " s: cut off.");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    starting.ifPresent(err::println);
  }
}
