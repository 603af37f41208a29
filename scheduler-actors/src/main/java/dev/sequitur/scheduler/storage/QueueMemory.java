package dev.sequitur.scheduler.storage;

import dev.sequitur.schedule.queue.QueueState;
import dev.sequitur.schedule.queue.ScheduleQueue;
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
  public QueueMemory with(QueueState after, List<QueueRecord.Answered> answers) {
    var next = commands;
    for (var answered : answers) {
      next = next.plus(answered);
    }
    return new QueueMemory(number, after, next);
  }

  /** Without the commands up to this number, which their store has. */
  public QueueMemory dropping(long upTo) {
    return upTo <= commands.dropped()
        ? this
        : new QueueMemory(number, queue, commands.dropping(upTo));
  }

  public QueueMemory numbered(long next) {
    return new QueueMemory(next, queue, commands);
  }

  /**
   * Repeats a record on recovery. One that a checkpoint contains already changes nothing.
   *
   * @throws StateLostException if records are missing between this and the last
   */
  public QueueMemory replay(ScheduleQueue rules, QueueRecord record) {
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
    return with(state, record.answers()).dropping(record.dropped()).numbered(record.number());
  }
}
