package dev.sequitur.sequencer.actor;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletionException;

/**
 * What the operator is told of a ledger that cannot be read: a sentence at once, then one a minute
 * while it lasts, however often it is tried. Confined to one thread.
 */
final class LedgerReach {
  private static final Duration BETWEEN = Duration.ofMinutes(1);

  private Instant told = Instant.MIN;
  private boolean unreachable;

  /**
   * It could not be read.
   *
   * @return what is to be told now
   */
  Optional<String> failed(Throwable failure, Instant now) {
    unreachable = true;
    if (told.isAfter(now.minus(BETWEEN))) {
      return Optional.empty();
    }
    told = now;
    var cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return Optional.of(
        "The base ledger cannot be read, and is tried again until it can: " + cause.getMessage());
  }

  /** It was read; whether it could not be before. */
  boolean reached() {
    boolean before = unreachable;
    unreachable = false;
    return before;
  }
}
