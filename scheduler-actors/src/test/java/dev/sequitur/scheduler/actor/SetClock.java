package dev.sequitur.scheduler.actor;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A JVM's clock that a test sets, and the time that goes on beside it. */
final class SetClock implements InstantSource {
  /** A reading of {@link #nanos} means nothing by itself. */
  static final long BEGIN = -5;

  private Instant says;
  private long nanos = BEGIN;

  SetClock(Instant says) {
    this.says = says;
  }

  @Override
  public synchronized Instant instant() {
    return says;
  }

  synchronized long nanos() {
    return nanos;
  }

  /** Somebody sets it; no time passes. */
  synchronized void set(Instant to) {
    says = to;
  }

  synchronized void pass(Duration time) {
    says = says.plus(time);
    nanos += time.toNanos();
  }
}
