package dev.sequitur.schedule;

import java.util.Optional;

/**
 * One attempt to run one occurrence of a schedule: the idempotency key of what is run (SCH-13).
 *
 * @param incarnation the queue's count of admissions when this one was admitted: the same id
 *     scheduled again is another incarnation, and a queue that has forgotten the first still never
 *     uses a key twice
 * @param occurrence from 0
 * @param attempt from 1; another one only after a final failure
 */
public record OccurrenceKey(ScheduleId schedule, long incarnation, long occurrence, int attempt) {
  /** What the sequencer sees; no caller from outside may begin a key with it. */
  public static final String PREFIX = "sequitur-schedule/";

  public OccurrenceKey {
    if (incarnation < 1 || occurrence < 0 || attempt < 1) {
      throw new IllegalArgumentException(
          "No occurrence: " + incarnation + "/" + occurrence + "/" + attempt);
    }
  }

  public OccurrenceKey nextAttempt() {
    return new OccurrenceKey(schedule, incarnation, occurrence, attempt + 1);
  }

  /**
   * @param queue the name of the queue, since schedules of two queues may have the same id
   */
  public String idempotencyKey(String queue) {
    return PREFIX + queue + "/" + this;
  }

  /**
   * Which schedule made a key that {@link #idempotencyKey} gives: queue/schedule. Empty if it is a
   * caller's own.
   */
  public static Optional<String> scheduleOf(String idempotencyKey) {
    if (!idempotencyKey.startsWith(PREFIX)) {
      return Optional.empty();
    }
    int end = idempotencyKey.length();
    for (int part = 0; part < 3; part++) {
      end = idempotencyKey.lastIndexOf('/', end - 1);
    }
    return end <= PREFIX.length()
        ? Optional.empty()
        : Optional.of(idempotencyKey.substring(PREFIX.length(), end));
  }

  /** schedule/incarnation/occurrence/attempt. */
  @Override
  public String toString() {
    return schedule + "/" + incarnation + "/" + occurrence + "/" + attempt;
  }
}
