package dev.sequitur.scheduler.actor;

import dev.sequitur.schedule.queue.QueueEffect.Publish;
import java.util.List;

/** What a queue published with one write, for the listeners in all of the node's JVMs. */
public record QueueNotices(String queue, List<Publish> notices) {
  public QueueNotices {
    notices = List.copyOf(notices);
  }
}
