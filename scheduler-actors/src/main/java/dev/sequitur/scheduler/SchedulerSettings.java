package dev.sequitur.scheduler;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.schedule.Partition;
import java.time.Duration;
import java.util.Map;

/**
 * What a node's schedule queues go by, apart from their families.
 *
 * @param blockInterval between two blocks while one has left something to do; what becomes due is
 *     served at once
 * @param waitingCommands how many commands of a queue wait at most; more are refused as BUSY
 * @param batch how many inputs are stored with one write at most
 * @param executing how many calls of one privacy group are on their way to the sequencer at once;
 *     ten times as many may be there without an outcome, and twice as many of all groups
 * @param refusals how often a call is offered before its refusal counts
 * @param backoff between two tries, or two looks for a receipt
 * @param rememberedCommands how many commands a queue remembers at least, in memory, to answer them
 *     again
 * @param commandsRememberedFor how long it remembers those at least that may be repeated
 * @param mostRememberedCommands how many it keeps for that outside memory; more are refused as BUSY
 * @param checkpointEvents after so many events a queue writes a checkpoint; up to four times as
 *     many while it has more to do than it does at once
 * @param idleAfter an empty queue without work for this long leaves memory
 * @param partitions how many the queues have that are spread by owner (SCH-28), 2 or more each; all
 *     others are one
 */
@Copyable
public record SchedulerSettings(
    Duration blockInterval,
    int waitingCommands,
    int batch,
    int executing,
    int refusals,
    Backoff backoff,
    int rememberedCommands,
    Duration commandsRememberedFor,
    int mostRememberedCommands,
    int checkpointEvents,
    Duration idleAfter,
    Map<QueueName, Integer> partitions)
    implements SchedulerSettingsBuilder.With {
  public static final SchedulerSettings DEFAULT =
      new SchedulerSettings(
          Duration.ofMillis(100),
          50_000,
          2_000,
          500,
          3,
          new Backoff(Duration.ofMillis(20), Duration.ofSeconds(2)),
          20_000,
          Duration.ofDays(1),
          10_000_000,
          250_000,
          Duration.ofSeconds(20),
          Map.of());

  public SchedulerSettings {
    partitions = Map.copyOf(partitions);
    if (waitingCommands < 1
        || batch < 1
        || executing < 1
        || refusals < 1
        || rememberedCommands < 1
        || mostRememberedCommands < 1
        || checkpointEvents < 1) {
      throw new IllegalArgumentException("The scheduler's limits must be positive.");
    }
    partitions.forEach(
        (queue, count) -> {
          if (count < 2 || count > Partition.MOST || queue.partition().isPresent()) {
            throw new IllegalArgumentException(
                "A queue has 2 to " + Partition.MOST + " partitions: not " + queue + " " + count);
          }
        });
  }

  /** How many partitions the whole queue of this name has; 1 if it is not spread. */
  public int partitions(QueueName queue) {
    return partitions.getOrDefault(queue.whole(), 1);
  }
}
