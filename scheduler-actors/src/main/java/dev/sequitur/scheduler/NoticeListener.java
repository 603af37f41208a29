package dev.sequitur.scheduler;

import dev.sequitur.schedule.queue.QueueEffect.Publish;
import java.util.List;

/** Hears what a queue publishes. */
@FunctionalInterface
public interface NoticeListener {
  /**
   * In the order in which they happened; called on an actor's thread, one call after another: to
   * return at once is the listener's duty.
   */
  void onNotices(QueueName queue, List<Publish> notices);
}
