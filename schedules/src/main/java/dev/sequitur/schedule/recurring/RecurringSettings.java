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
 * @param slot times of series lie on its boundaries, and the book counts in it
 * @param taskSlot times of tasks lie on its boundaries: so many slots, of which a task books the
 *     first. What runs within so long is on time, if its next time has not come
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
    Duration taskSlot,
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
          Duration.ofMinutes(1),
          Duration.ofHours(1),
          Duration.ofDays(180),
          24,
          256,
          256,
          1,
          10_240,
          false);

  public RecurringSettings {
    if (slot.toMillis() < 1
        || taskSlot.toMillis() < 1
        || horizon.compareTo(taskSlot) < 0
        || maxTimes < 1
        || tasksPerSlot < 1
        || blockBudget < 1
        || feePerTime < 0
        || maxSize < 0) {
      throw new IllegalArgumentException(
          "The recurring settings must be positive, and the horizon no shorter than a slot of a"
              + " task; the fee may be 0.");
    } else if (taskSlot.toMillis() % slot.toMillis() != 0) {
      throw new IllegalArgumentException(
          "A slot of a task is so many slots of "
              + slot
              + ", and "
              + taskSlot
              + " is not: set scheduler.recurring.task-slot to a multiple of scheduler.recurring.slot.");
    }
  }

  /** With slots of one length for tasks and series. */
  public RecurringSettings(
      Duration slot,
      Duration horizon,
      int maxTimes,
      int tasksPerSlot,
      int blockBudget,
      long feePerTime,
      int maxSize,
      boolean refundOnCancel) {
    this(
        slot,
        slot,
        horizon,
        maxTimes,
        tasksPerSlot,
        blockBudget,
        feePerTime,
        maxSize,
        refundOnCancel);
  }

  /** These, with slots of one length for tasks and series. */
  public RecurringSettings withSlots(Duration length) {
    return with(builder -> builder.slot(length).taskSlot(length));
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

  /** How many slots a slot of a task is. */
  long slotsOfTask() {
    return taskSlot.toMillis() / slot.toMillis();
  }

  /** Why a task cannot have a time; both in milliseconds since 1970. */
  Optional<Admission> refusal(long time, long now) {
    return time - now > horizon.toMillis()
        ? badTime("A time must not be after " + Instant.ofEpochMilli(now).plus(horizon) + ".")
        : noSlot(taskSlot, time, now);
  }

  /** Why a series cannot begin at a time; both in milliseconds since 1970. */
  Optional<Admission> noSlot(long time, long now) {
    return noSlot(slot, time, now);
  }

  /** Why no slot of this length that is to come begins at a time. */
  private static Optional<Admission> noSlot(Duration length, long time, long now) {
    long slot = length.toMillis();
    long next = now / slot + 1;
    if (time % slot != 0) {
      var such = Instant.ofEpochMilli(Math.max(-Math.floorDiv(-time, slot), next) * slot);
      return badTime("A time must begin a slot of " + length + ", such as " + such + ".");
    }
    return time / slot < next
        ? Optional.of(
            Admission.refused(
                Refusal.Code.TIME_NOT_IN_FUTURE,
                "A time must be after the present slot: the next begins at "
                    + Instant.ofEpochMilli(next * slot)
                    + "."))
        : Optional.empty();
  }

  private static Optional<Admission> badTime(String sentence) {
    return Optional.of(Admission.refused(Refusal.Code.BAD_TIME, sentence));
  }
}
