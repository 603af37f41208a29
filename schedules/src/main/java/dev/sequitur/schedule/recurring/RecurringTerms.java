package dev.sequitur.schedule.recurring;

import dev.sequitur.protocol.id.Bytes;
import java.util.List;

/**
 * What a recurring task adds.
 *
 * @param providedId by which its owner tells its tasks apart
 * @param timesMs UTC, milliseconds since 1970; sorted here, and without duplicates (REC-2)
 */
public record RecurringTerms(Bytes providedId, List<Long> timesMs) implements TaskTerms {
  public RecurringTerms {
    timesMs = timesMs.stream().distinct().sorted().toList();
  }
}
