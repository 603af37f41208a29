package dev.sequitur.schedule.recurring;

import dev.sequitur.protocol.id.Bytes;
import java.util.Optional;

/**
 * A recurring task without an end of its own, or with many times (REC-12).
 *
 * @param providedId by which its owner tells its tasks apart
 * @param runs how many occurrences at most; without it, until somebody cancels it
 */
public record SeriesTerms(Bytes providedId, Cadence cadence, Optional<Long> runs)
    implements TaskTerms {
  public SeriesTerms {
    if (runs.isPresent() && runs.get() < 1) {
      throw new IllegalArgumentException("A series has at least one run.");
    }
  }

  boolean hasAfter(long occurrence) {
    return runs.isEmpty() || occurrence + 1 < runs.get();
  }
}
