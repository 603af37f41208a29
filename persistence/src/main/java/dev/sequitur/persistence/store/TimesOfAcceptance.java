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
 * meanwhile. Thread-safe.
 */
final class TimesOfAcceptance {
  /** Further ahead the store's time is taken for wrong, if that lasts. */
  static final Duration LONGEST_AHEAD = Duration.ofHours(1);

  /** Who has begun with a clock that is behind has the right time by then. */
  static final Duration LASTING = Duration.ofMinutes(10);

  private final LongSupplier nanos;
  private volatile OptionalLong farAheadSince = OptionalLong.empty();

  /**
   * @param nanos goes on evenly whatever the clock is set to, like {@link System#nanoTime}
   */
  TimesOfAcceptance(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Of intents that are about to be accepted, one after another. */
  Dating dating() {
    return new Dating(farAheadSince);
  }

  /** Changes nothing unless it is {@linkplain #keep kept}. */
  final class Dating {
    private OptionalLong since;

    private Dating(OptionalLong since) {
      this.since = since;
    }

    /**
     * The same, dated.
     *
     * @param newest when the one before it was accepted
     */
    Intent dated(Intent intent, Instant newest) {
      if (!newest.isAfter(intent.created().plus(LONGEST_AHEAD))) {
        since = OptionalLong.empty();
        return intent.notBefore(newest);
      }
      long now = nanos.getAsLong();
      if (since.isEmpty()) {
        since = OptionalLong.of(now);
      }
      return now - since.getAsLong() < LASTING.toNanos() ? intent.notBefore(newest) : intent;
    }

    /** They are accepted. */
    void keep() {
      farAheadSince = since;
    }
  }
}
