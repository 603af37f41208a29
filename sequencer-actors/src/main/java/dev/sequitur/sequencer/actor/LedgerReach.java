package dev.sequitur.sequencer.actor;

import dev.sequitur.protocol.port.Answers;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * What the operator is told of something that cannot be read, such as the base ledger: a sentence
 * at once, then one a minute while it lasts, however often it is tried. Confined to one thread.
 */
final class LedgerReach {
  private static final Duration BETWEEN = Duration.ofMinutes(1);

  private final String what;
  private Instant told = Instant.MIN;
  private Optional<Instant> since = Optional.empty();
  private int failures;
  private String why = "";

  /**
   * @param what is read, as a sentence begins
   */
  LedgerReach(String what) {
    this.what = what;
  }

  /**
   * It could not be read.
   *
   * @return what is to be told now
   */
  Optional<String> failed(Throwable failure, Instant now) {
    since = since.or(() -> Optional.of(now));
    failures++;
    why = String.valueOf(Answers.cause(failure).getMessage());
    if (told.isAfter(now.minus(BETWEEN))) {
      return Optional.empty();
    }
    told = now;
    return Optional.of(what + " cannot be read, and is tried again until it can: " + why);
  }

  /** It was read; whether it could not be before. */
  boolean reached() {
    boolean before = since.isPresent();
    since = Optional.empty();
    failures = 0;
    return before;
  }

  /** A sentence for health: since when it could not be read, and why. One failure says nothing. */
  Optional<String> remark() {
    return since
        .filter(first -> failures > 1)
        .map(
            first ->
                "%s has not been read since %s: %s"
                    .formatted(what, first.truncatedTo(ChronoUnit.SECONDS), why));
  }
}
