package dev.sequitur.protocol.schedule.family;

import java.time.Duration;

/**
 * What an operator may set of the recurring family (DECISIONS D).
 *
 * @param slot times lie on its boundaries
 * @param horizon no time further away
 * @param maxTimes of one task
 * @param tasksPerSlot how many one slot takes
 * @param blockBudget how many run in one block; what the present slot leaves of it is for missed
 *     ones
 * @param feePerTime taken up front for each time
 * @param refundOnCancel whether a cancel gives back the fees of the times that are left
 */
public record RecurringSettings(
    Duration slot,
    Duration horizon,
    int maxTimes,
    int tasksPerSlot,
    int blockBudget,
    long feePerTime,
    boolean refundOnCancel) {
  public static final RecurringSettings DEFAULT =
      new RecurringSettings(Duration.ofHours(1), Duration.ofDays(180), 24, 256, 256, 1, false);

  public RecurringSettings {
    if (slot.toMillis() < 1
        || horizon.compareTo(slot) < 0
        || maxTimes < 1
        || tasksPerSlot < 1
        || blockBudget < 1
        || feePerTime < 0) {
      throw new IllegalArgumentException(
          "The recurring settings must be positive; the fee may be 0.");
    }
  }
}
