package dev.sequitur.schedule.family;

import dev.sequitur.schedule.Conclusion;
import java.util.List;
import java.util.Optional;

/**
 * What a family does at the start of an attempt.
 *
 * @param acts carried out as soon as the start is recorded
 * @param conclusion of the attempt, if the family did all there is to do; otherwise the queue does
 *     what the target says
 */
public record Run(List<Act> acts, Optional<Conclusion> conclusion) {
  /** The queue does what the target says, and nothing else. */
  public static final Run AS_TARGETED = new Run(List.of(), Optional.empty());

  public Run {
    acts = List.copyOf(acts);
  }
}
