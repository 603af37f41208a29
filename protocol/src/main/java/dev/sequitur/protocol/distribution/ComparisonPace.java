package dev.sequitur.protocol.distribution;

import java.time.Duration;

/**
 * How long the background rests after a page of older blocks that it has compared (DST-9): so that
 * it takes a hundredth of a processor, and of the ledger's time, at most, and a small store all of
 * which can be read at once is compared within a minute or two.
 *
 * @param longest it never rests for longer, whatever a page took
 */
public record ComparisonPace(Duration longest) {
  private static final int SHARE = 100;
  private static final Duration SHORTEST = Duration.ofMillis(200);

  /**
   * @param took to read a page and to compare it, with what was waited for
   */
  public Duration restAfter(Duration took) {
    var rest = took.multipliedBy(SHARE - 1L);
    var atLeast = rest.compareTo(SHORTEST) < 0 ? SHORTEST : rest;
    return atLeast.compareTo(longest) > 0 ? longest : atLeast;
  }
}
