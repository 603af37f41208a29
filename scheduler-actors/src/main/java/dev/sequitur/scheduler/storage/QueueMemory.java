package dev.sequitur.scheduler.storage;

import dev.sequitur.protocol.schedule.queue.QueueState;
import dev.sequitur.protocol.schedule.queue.ScheduleQueue;
import java.util.List;

/**
 * All that a queue keeps. Immutable, so that a reader or a checkpoint may hold on to it while the
 * queue goes on.
 *
 * @param number of the last record it contains
 */
public record QueueMemory(long number, QueueState queue, RecentCommands commands) {
  public static final QueueMemory EMPTY =
      new QueueMemory(0, QueueState.initial(), RecentCommands.NONE);

  /** With answers that were just given; events that led to {@code after} are in it. */
  public QueueMemory with(QueueState after, List<QueueRecord.Answered> answers, int limit) {
    var next = commands;
    for (var answered : answers) {
      next = next.plus(answered, limit);
    }
    return new QueueMemory(number, after, next);
  }

  public QueueMemory numbered(long next) {
    return new QueueMemory(next, queue, commands);
  }

  /**
   * Repeats a record on recovery. One that a checkpoint contains already changes nothing.
   *
   * @param remembered how many commands are kept
   * @throws StateLostException if records are missing between this and the last
   */
  public QueueMemory replay(ScheduleQueue rules, QueueRecord record, int remembered) {
    if (record.number() <= number) {
      return this;
    } else if (record.number() != number + 1) {
      throw new StateLostException(
          "Its checkpoint ends at record "
              + number
              + (number == 0 ? ", so that there is none," : "")
              + " and its journal goes on with "
              + record.number()
              + ": what lies between was deleted.");
    }
    var state = queue;
    for (var stored : record.events()) {
      state = rules.evolve(state, stored.in(state));
    }
    return with(state, record.answers(), remembered).numbered(record.number());
  }
}
