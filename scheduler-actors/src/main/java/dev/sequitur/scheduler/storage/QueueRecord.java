package dev.sequitur.scheduler.storage;

import dev.sequitur.schedule.queue.QueueEffect;
import java.util.List;

/**
 * What one write of a queue stores: the events of all that was decided together, and what was
 * answered to the commands that led to them.
 *
 * @param number from 1, without a gap: the journal's own sequence number
 * @param dropped the number up to which commands have left memory for their store
 */
public record QueueRecord(
    long number, List<StoredEvent> events, List<Answered> answers, long dropped) {
  public QueueRecord {
    events = List.copyOf(events);
    answers = List.copyOf(answers);
  }

  /**
   * A command that changed something, and its answer.
   *
   * @param digest {@link CommandDigest} of it: its id may come again with another command
   */
  public record Answered(String command, long digest, QueueEffect answer) {}
}
