package dev.sequitur.schedule.family;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.FamilyKind;
import java.util.Map;

/** The part of a schedule that only its family understands. */
public interface Terms {
  FamilyKind family();

  /** After how many runs in a row that have failed the schedule is paused; 0 if it never is. */
  default int pauseAfter() {
    return 0;
  }

  /**
   * What a run moves, beside what its target does: what each of these accounts gets, or gives if it
   * is negative.
   */
  default Map<AccountId, Long> moves() {
    return Map.of();
  }
}
