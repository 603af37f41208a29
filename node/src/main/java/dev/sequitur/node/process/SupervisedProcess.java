package dev.sequitur.node.process;

import dev.sequitur.protocol.port.NodeStore.Hindrance;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import jnr.ffi.LibraryLoader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the service manager that has started this process how it is: {@code sd_notify} of systemd,
 * for a unit of {@code Type=notify}. Where nobody listens, nothing is said and no library is
 * loaded. Thread-safe.
 */
public final class SupervisedProcess implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SupervisedProcess.class);

  /** Of libsystemd; the names are its own. */
  public interface Systemd {
    /**
     * @param unset 0: keep the environment as it is
     * @return negative if it could not be said
     */
    int sd_notify(int unset, String state);
  }

  private final Optional<Systemd> systemd;
  private final Optional<Duration> patience;
  private final ScheduledExecutorService signs =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("signs of life").factory());
  private boolean ends; // guarded by this

  /**
   * @param patience after how long without a sign of life the process is killed; empty if it never
   *     is
   */
  SupervisedProcess(Optional<Systemd> systemd, Optional<Duration> patience) {
    this.systemd = systemd;
    this.patience = patience;
  }

  /** The one of this process, if there is one. */
  public static SupervisedProcess ofProcess() {
    var environment = System.getenv();
    return environment.containsKey("NOTIFY_SOCKET")
        ? new SupervisedProcess(library(), patience(environment, ProcessHandle.current().pid()))
        : new SupervisedProcess(Optional.empty(), Optional.empty());
  }

  private static Optional<Systemd> library() {
    try {
      return Optional.of(LibraryLoader.create(Systemd.class).load("systemd"));
    } catch (LinkageError e) {
      LOG.warn(
          "The service manager waits to be told that the node is up, and libsystemd is not there to"
              + " tell it: install libsystemd0, or use Type=exec in the unit.");
      return Optional.empty();
    }
  }

  /** As sd_watchdog_enabled(3) reads it: a variable that was meant for another process is none. */
  static Optional<Duration> patience(Map<String, String> environment, long pid) {
    var meant = environment.get("WATCHDOG_PID");
    if (meant != null && !meant.equals(Long.toString(pid))) {
      return Optional.empty();
    }
    return Optional.ofNullable(environment.get("WATCHDOG_USEC"))
        .filter(micros -> micros.matches("[1-9][0-9]{0,17}"))
        .map(micros -> Duration.of(Long.parseLong(micros), ChronoUnit.MICROS));
  }

  /**
   * Says that the process serves, and from then on gives a sign of life twice in the time after
   * which it would be killed, unless a new start is what it needs.
   *
   * @param hindrance what keeps the node from storing anything; silence is no reason to start anew
   */
  public void ready(Supplier<CompletionStage<Optional<Hindrance>>> hindrance) {
    say("READY=1");
    if (systemd.isPresent() && patience.isPresent()) {
      long period = patience.get().toNanos() / 2;
      signs.scheduleAtFixedRate(
          () -> giveSign(hindrance.get(), period), period, period, TimeUnit.NANOSECONDS);
    }
  }

  private void giveSign(CompletionStage<Optional<Hindrance>> hindrance, long period) {
    hindrance
        .toCompletableFuture()
        .copy()
        .completeOnTimeout(Optional.empty(), period / 2, TimeUnit.NANOSECONDS)
        .exceptionally(failure -> Optional.empty())
        .thenAccept(
            found -> {
              if (found.filter(Hindrance::endsWithRestart).isEmpty()) {
                sayOfLife();
              }
            });
  }

  private synchronized void sayOfLife() {
    if (!ends) {
      say("WATCHDOG=1");
    }
  }

  /** Says that the process ends, so that nobody waits for signs of life; none comes after that. */
  @Override
  public synchronized void close() {
    signs.shutdownNow();
    ends = true;
    say("STOPPING=1");
  }

  private void say(String state) {
    systemd.ifPresent(
        library -> {
          int said = library.sd_notify(0, state);
          if (said < 0) {
            LOG.warn("The service manager could not be told {}: error {}", state, -said);
          }
        });
  }
}
