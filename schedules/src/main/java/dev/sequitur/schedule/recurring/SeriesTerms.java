package dev.sequitur.schedule.recurring;

import dev.sequitur.protocol.id.Bytes;
import java.util.Optional;

/**
 * A recurring task without an end of its own, or with many times (REC-12).
 *
 * @param providedId by which its owner tells its tasks apart
 * @param runs how many occurrences at most; without it, until somebody cancels it
 */
public record SeriesTerms(
    Bytes providedId, Cadence cadence, Optional<Long> runs, SeriesPolicy policy)
    implements TaskTerms {
  /** Almost all have no policy, and there may be a million: it is there once. */
  public SeriesTerms {
    policy = policy.equals(SeriesPolicy.NONE) ? SeriesPolicy.NONE : policy;
    if (runs.isPresent() && runs.get() < 1) {
      throw new IllegalArgumentException("A series has at least one run.");
    }
  }

  /** Without a policy. */
  public SeriesTerms(Bytes providedId, Cadence cadence, Optional<Long> runs) {
    this(providedId, cadence, runs, SeriesPolicy.NONE);
  }

  /** As they follow, whatever has run. */
  Times times(RecurringState state) {
    return new Times(cadence, policy, state.listOf(policy));
  }

  @Override
  public int pauseAfter() {
    return policy.pauseAfter();
  }

  boolean hasAfter(long occurrence) {
    return runs.isEmpty() || occurrence + 1 < runs.get();
  }
}
