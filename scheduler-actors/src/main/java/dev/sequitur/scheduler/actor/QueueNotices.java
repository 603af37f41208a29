package dev.sequitur.scheduler.actor;

import dev.sequitur.protocol.schedule.queue.QueueEffect.Notice;
import java.util.List;

/** What a queue published with one write, for the listeners in all of the node's JVMs. */
public record QueueNotices(String queue, List<Notice> notices) {
  public QueueNotices {
    notices = List.copyOf(notices);
  }
}
