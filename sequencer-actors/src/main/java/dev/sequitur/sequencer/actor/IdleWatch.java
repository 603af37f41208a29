package dev.sequitur.sequencer.actor;

import java.time.Duration;
import java.time.Instant;

/** Tells when an entity has been without work for long enough to leave memory. */
final class IdleWatch {
  private final Duration idleAfter;
  private Instant lastBusy;
  private boolean hasBeenOver;

  IdleWatch(Duration idleAfter, Instant now) {
    this.idleAfter = idleAfter;
    this.lastBusy = now;
  }

  boolean isOver(boolean idle, Instant now) {
    if (!idle) {
      lastBusy = now;
    }
    boolean over = idle && lastBusy.plus(idleAfter).isBefore(now);
    hasBeenOver |= over;
    return over;
  }

  /**
   * Whether the entity has asked to leave memory. One that is stopped without having asked comes
   * back by itself, on another JVM or at the next start of this one, and waking it would only hold
   * up the shutdown.
   */
  boolean hasBeenOver() {
    return hasBeenOver;
  }

  void touch(Instant now) {
    lastBusy = now;
  }
}
