package dev.sequitur.schedule.recurring;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.family.Admission;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What an operator may set of the recurring family (docs/rules/recurring.md).
 *
 * @param slot times lie on its boundaries
 * @param horizon no time of a task further away; a series has times for ever anyway
 * @param maxTimes of one task
 * @param tasksPerSlot how many one slot takes
 * @param blockBudget how many run in one block; what the present slot leaves of it is for missed
 *     ones
 * @param feePerTime taken up front for each time
 * @param maxSize bytes of content and provided id of one task
 * @param refundOnCancel whether a cancel gives back the fees of the times that are left
 */
@Copyable
public record RecurringSettings(
    Duration slot,
    Duration horizon,
    int maxTimes,
    int tasksPerSlot,
    int blockBudget,
    long feePerTime,
    int maxSize,
    boolean refundOnCancel)
    implements RecurringSettingsBuilder.With {
  public static final RecurringSettings DEFAULT =
      new RecurringSettings(
          Duration.ofHours(1), Duration.ofDays(180), 24, 256, 256, 1, 10_240, false);

  public RecurringSettings {
    if (slot.toMillis() < 1
        || horizon.compareTo(slot) < 0
        || maxTimes < 1
        || tasksPerSlot < 1
        || blockBudget < 1
        || feePerTime < 0
        || maxSize < 0) {
      throw new IllegalArgumentException(
          "The recurring settings must be positive; the fee may be 0.");
    }
  }

  /** The slot in which a time lies, counted since 1970. */
  long slot(long millis) {
    return millis / slot.toMillis();
  }

  /** The first slot that begins at a time or after it. */
  long slotFrom(long millis) {
    return -Math.floorDiv(-millis, slot.toMillis());
  }

  /** When a slot begins; the end of all time if a long cannot hold that. */
  long begin(long number) {
    return number > Long.MAX_VALUE / slot.toMillis() ? Long.MAX_VALUE : number * slot.toMillis();
  }

  /** The same, for people. */
  Instant beginTime(long number) {
    return Instant.ofEpochMilli(begin(number));
  }

  /** Why a task cannot have a time; both in milliseconds since 1970. */
  Optional<Admission> refusal(long time, long now) {
    return time - now > horizon.toMillis()
        ? badTime("A time must not be after " + Instant.ofEpochMilli(now).plus(horizon) + ".")
        : noSlot(time, now);
  }

  /** Why no slot that is to come begins at a time; both in milliseconds since 1970. */
  Optional<Admission> noSlot(long time, long now) {
    if (time % slot.toMillis() != 0) {
      var next = beginTime(slotFrom(Math.max(time, now)));
      return badTime("A time must begin a slot of " + slot + ", such as " + next + ".");
    }
    return slot(time) <= slot(now)
        ? Optional.of(
            Admission.refused(
                Refusal.Code.TIME_NOT_IN_FUTURE,
                "A time must be after the present slot: the next begins at "
                    + beginTime(slot(now) + 1)
                    + "."))
        : Optional.empty();
  }

  private static Optional<Admission> badTime(String sentence) {
    return Optional.of(Admission.refused(Refusal.Code.BAD_TIME, sentence));
  }
}
