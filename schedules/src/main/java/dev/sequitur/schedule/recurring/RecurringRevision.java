package dev.sequitur.schedule.recurring;

import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.family.Family.Revision;
import java.util.List;
import java.util.Optional;

/**
 * Other times; what is empty stays.
 *
 * @param timesMs of a task: all that are to come, in the place of those that were
 * @param cadence of a series
 * @param runs of a series: how many occurrences at most, with those that it has had
 * @param policy of a series
 */
public record RecurringRevision(
    Optional<List<Long>> timesMs,
    Optional<Cadence> cadence,
    Optional<Long> runs,
    SeriesPolicy.Revision policy)
    implements Revision {
  /** With the policy as it was. */
  public RecurringRevision(
      Optional<List<Long>> timesMs, Optional<Cadence> cadence, Optional<Long> runs) {
    this(timesMs, cadence, runs, SeriesPolicy.Revision.NONE);
  }

  @Override
  public FamilyKind family() {
    return FamilyKind.RECURRING;
  }
}
