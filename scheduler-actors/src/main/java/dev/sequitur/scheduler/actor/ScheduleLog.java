package dev.sequitur.scheduler.actor;

import dev.sequitur.schedule.Conclusion;
import dev.sequitur.schedule.OccurrenceKey;
import dev.sequitur.schedule.queue.QueueInput;
import dev.sequitur.scheduler.QueueName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * The lines that a node writes of what its schedules run by others: a failure at INFO, all the rest
 * at DEBUG. They name the schedule and its transaction, and never what is in it. Thread-safe.
 */
final class ScheduleLog {
  private static final Logger LOG = LoggerFactory.getLogger("dev.sequitur.schedule");

  private ScheduleLog() {}

  /** What comes of one attempt. */
  static void told(QueueName queue, QueueInput input) {
    switch (input) {
      case QueueInput.HandedOver(var key, var transaction) ->
          line(LOG.atDebug(), queue, key)
              .addKeyValue("transaction", transaction.toString())
              .log("Handed over");
      case QueueInput.Answered(var key, var conclusion) -> {
        switch (conclusion) {
          case Conclusion.Succeeded ignored -> line(LOG.atDebug(), queue, key).log("Succeeded");
          case Conclusion.Failed ignored -> line(LOG.atInfo(), queue, key).log("Failed");
        }
      }
      case QueueInput.Recovered ignored -> {}
      case QueueInput.CutBlock ignored -> {}
      case QueueInput.BodiesStored ignored -> {}
      case QueueInput.OutcomesStored ignored -> {}
      case QueueInput.Command ignored -> {}
    }
  }

  /** The schedule is named as the transaction's own lines name it. */
  private static LoggingEventBuilder line(
      LoggingEventBuilder line, QueueName queue, OccurrenceKey key) {
    return line.addKeyValue("schedule", queue + "/" + key.schedule())
        .addKeyValue("occurrence", key.occurrence())
        .addKeyValue("attempt", key.attempt());
  }
}
