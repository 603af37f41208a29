package dev.sequitur.node.rpc.listener;

import akka.actor.typed.javadsl.TimerScheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The one timer of an actor that runs a machine, set for whatever the machine waits for first. Its
 * time goes on evenly, whatever the clock is set to. Confined to its actor.
 *
 * @param <C> what the actor is told
 */
public final class WakeTimer<C> {
  private final TimerScheduler<C> timers;
  private final C due;
  private final LongSupplier nanos;
  private Optional<Instant> wake = Optional.empty();

  /**
   * @param timers which nobody else uses
   * @param due what the actor is told when the time has come
   * @param nanos goes on evenly, like {@link System#nanoTime}
   */
  public WakeTimer(TimerScheduler<C> timers, C due, LongSupplier nanos) {
    this.timers = timers;
    this.due = due;
    this.nanos = nanos;
  }

  /** Only how far two of them are apart means something. */
  public Instant now() {
    return Instant.EPOCH.plusNanos(nanos.getAsLong());
  }

  /** In place of what was asked before; nothing is due while there is nothing to wait for. */
  public void set(Optional<Instant> next) {
    if (next.equals(wake)) {
      return;
    }
    wake = next;
    if (next.isEmpty()) {
      timers.cancelAll();
    } else {
      var wait = Duration.between(now(), next.get());
      timers.startSingleTimer(due, wait.isNegative() ? Duration.ZERO : wait);
    }
  }

  /** The actor was told: there is no timer any more. */
  public void rang() {
    wake = Optional.empty();
  }
}
