package dev.sequitur.sequencer.actor;

import java.time.Duration;
import java.time.Instant;

/** Tells when an entity has been without work for long enough to leave memory. */
final class IdleWatch {
  private final Duration idleAfter;
  private Instant lastBusy;

  IdleWatch(Duration idleAfter, Instant now) {
    this.idleAfter = idleAfter;
    this.lastBusy = now;
  }

  boolean isOver(boolean idle, Instant now) {
    if (!idle) {
      lastBusy = now;
    }
    return idle && lastBusy.plus(idleAfter).isBefore(now);
  }

  void touch(Instant now) {
    lastBusy = now;
  }
}
