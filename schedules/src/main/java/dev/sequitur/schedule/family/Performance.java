package dev.sequitur.schedule.family;

import dev.sequitur.schedule.Refusal;
import java.util.List;
import java.util.Optional;

/** A family's answer to an operation of its own. */
public sealed interface Performance {
  Optional<FamilyResult> result();

  /** Nothing changes. */
  record Refused(Refusal refusal, Optional<FamilyResult> result) implements Performance {}

  /**
   * @param acts what the queue is to do, in this order
   */
  record Performed(List<Act> acts, Optional<FamilyResult> result) implements Performance {
    public Performed {
      acts = List.copyOf(acts);
    }
  }

  static Performance refused(Refusal.Code code, String sentence) {
    return new Refused(new Refusal(code, sentence), Optional.empty());
  }
}
