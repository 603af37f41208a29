package dev.sequitur.node.rpc.schedule;

import dev.sequitur.schedule.queue.History.Booked;
import dev.sequitur.schedule.queue.History.Happened;
import dev.sequitur.schedule.queue.History.Recorded;
import dev.sequitur.schedule.queue.History.Told;
import dev.sequitur.schedule.queue.QueueEffect.Notice;

/** What has a number in a queue, by the `type` that its event has. */
enum EventType {
  /** An outcome. */
  ENDED,
  /** It waits until its owner acts. */
  PARKED,
  /** Its owner has paused or resumed it, run it now or skipped its next time. */
  INTERVENED,
  /** Nothing of a family is left. */
  SHUTDOWN,
  /** A record of the multi-signature family. */
  RECORD;

  /**
   * @throws IllegalStateException if it has no number
   */
  static EventType of(Happened happened) {
    return switch (happened) {
      case Recorded ignored -> ENDED;
      case Told told -> of(told.notice());
      case Booked ignored -> throw new IllegalStateException("No event: " + happened);
    };
  }

  private static EventType of(Notice notice) {
    return switch (notice) {
      case Notice.Ended ignored -> ENDED;
      case Notice.Parked ignored -> PARKED;
      case Notice.Intervened ignored -> INTERVENED;
      case Notice.ShutdownComplete ignored -> SHUTDOWN;
      case Notice.OfFamily ignored -> RECORD;
      case Notice.Submitted ignored -> throw new IllegalStateException("Not kept: " + notice);
      case Notice.TransactionFailed ignored ->
          throw new IllegalStateException("Not kept: " + notice);
      case Notice.Notified ignored -> throw new IllegalStateException("Not kept: " + notice);
      case Notice.RescheduleRefused ignored ->
          throw new IllegalStateException("Not kept: " + notice);
    };
  }
}
