package dev.sequitur.schedule.family;

import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.DueKey;
import dev.sequitur.schedule.Refusal;

/** A family's answer to a change of one of its schedules (SCH-27). */
public sealed interface Amendment {
  /** Nothing changes. */
  record Refused(Refusal refusal) implements Amendment {}

  /**
   * @param proposal what it is from now on
   * @param due where its present occurrence stands then
   * @param held what is to be held for it: what that is above what is held now comes from its
   *     owner, what it is below goes back
   */
  record Amended(Proposal proposal, DueKey due, Amount held) implements Amendment {}

  static Amendment refused(Refusal.Code code, String sentence) {
    return new Refused(new Refusal(code, sentence));
  }
}
