package dev.sequitur.persistence.store;

import dev.sequitur.protocol.port.NodeStore.Intent;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * When intents were accepted: none before the one that was accepted before it, since clocks are set
 * back and those of a node's JVMs differ. A clock that was far ahead once dates them ahead for a
 * while only: then what callers say goes by the clock again. One that is far behind is set right
 * meanwhile. Used by one thread at a time.
 */
final class TimesOfAcceptance {
  /** Further ahead the store's time is taken for wrong, if that lasts. */
  static final Duration LONGEST_AHEAD = Duration.ofHours(1);

  /** Who has begun with a clock that is behind has the right time by then. */
  static final Duration LASTING = Duration.ofMinutes(10);

  private final LongSupplier nanos;
  private OptionalLong farAheadSince = OptionalLong.empty();

  /**
   * @param nanos goes on evenly whatever the clock is set to, like {@link System#nanoTime}
   */
  TimesOfAcceptance(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /**
   * The same, dated.
   *
   * @param newest when the one before it was accepted
   */
  Intent dated(Intent intent, Instant newest) {
    if (!newest.isAfter(intent.created().plus(LONGEST_AHEAD))) {
      farAheadSince = OptionalLong.empty();
      return intent.notBefore(newest);
    }
    long now = nanos.getAsLong();
    if (farAheadSince.isEmpty()) {
      farAheadSince = OptionalLong.of(now);
    }
    return now - farAheadSince.getAsLong() < LASTING.toNanos() ? intent.notBefore(newest) : intent;
  }
}
