package dev.sequitur.ethereum;

import java.time.Duration;
import java.util.Optional;

/**
 * What a chain's node keeps refusing for reasons of its own, while another one answers it (CHN-5):
 * nothing stands still for that, so nobody would notice. Pure.
 *
 * @param sentence the last of it
 * @param since when it began
 * @param last when it was refused last
 */
record PassedOn(String sentence, Duration since, Duration last) {
  /** One that lies a block behind for a moment refuses now and then. */
  static final Duration LASTING = Duration.ofSeconds(10);

  /** Whoever has refused nothing for so long may have been mended. */
  static final Duration FORGOTTEN = Duration.ofMinutes(1);

  static PassedOn first(String sentence, Duration now) {
    return new PassedOn(sentence, now, now);
  }

  PassedOn again(String next, Duration now) {
    return isForgotten(now) ? first(next, now) : new PassedOn(next, since, now);
  }

  private boolean isForgotten(Duration now) {
    return now.minus(last).compareTo(FORGOTTEN) > 0;
  }

  /** For the operator. */
  Optional<String> remark(Duration now) {
    boolean lasts = last.minus(since).compareTo(LASTING) >= 0;
    return lasts && !isForgotten(now) ? Optional.of(sentence) : Optional.empty();
  }
}
