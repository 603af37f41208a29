package dev.sequitur.schedule.recurring;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.ScheduleId;
import java.util.List;
import java.util.Optional;

/**
 * What a recurring task adds.
 *
 * @param providedId by which its owner tells its tasks apart
 * @param timesMs UTC, milliseconds since 1970; sorted here, and without duplicates (REC-2)
 * @param fills the past time of a series that it runs again, if it is a back-fill
 */
public record RecurringTerms(Bytes providedId, List<Long> timesMs, Optional<BackFilled> fills)
    implements TaskTerms {
  public RecurringTerms {
    timesMs = timesMs.stream().distinct().sorted().toList();
  }

  /** One that is no back-fill. */
  public RecurringTerms(Bytes providedId, List<Long> timesMs) {
    this(providedId, timesMs, Optional.empty());
  }

  /**
   * A past time of a series.
   *
   * @param timeMs UTC, milliseconds since 1970
   */
  public record BackFilled(ScheduleId series, long timeMs) {}
}
