package dev.sequitur.sequencer.actor;

import dev.sequitur.protocol.port.Answers;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What the operator is told of something that cannot be read, such as the base ledger: a sentence
 * at once, then one a minute while it lasts, however often it is tried. Confined to one thread.
 */
final class LedgerReach {
  private static final Duration BETWEEN = Duration.ofMinutes(1);

  private final String what;
  private Instant told = Instant.MIN;
  private boolean unreachable;

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
    unreachable = true;
    if (told.isAfter(now.minus(BETWEEN))) {
      return Optional.empty();
    }
    told = now;
    var cause = Answers.cause(failure);
    return Optional.of(
        what + " cannot be read, and is tried again until it can: " + cause.getMessage());
  }

  /** It was read; whether it could not be before. */
  boolean reached() {
    boolean before = unreachable;
    unreachable = false;
    return before;
  }
}
