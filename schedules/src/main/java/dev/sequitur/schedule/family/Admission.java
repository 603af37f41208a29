package dev.sequitur.schedule.family;

import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.DueKey;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.ScheduleId;

/** A family's answer to a proposal. */
public sealed interface Admission {
  /**
   * @param due of its first occurrence
   * @param deposit to be held until it is settled
   */
  record Admitted(ScheduleId id, DueKey due, Amount deposit) implements Admission {}

  record Refused(Refusal refusal) implements Admission {}

  static Admission refused(Refusal.Code code, String sentence) {
    return new Refused(new Refusal(code, sentence));
  }
}
