package dev.sequitur.scheduler.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.pubsub.Topic;
import dev.sequitur.cluster.store.CellStore;
import dev.sequitur.protocol.port.ScheduledCalls;
import dev.sequitur.protocol.schedule.WallTime;
import dev.sequitur.protocol.schedule.queue.ScheduleQueue;
import dev.sequitur.scheduler.SchedulerSettings;
import dev.sequitur.scheduler.storage.MemoryCells;
import dev.sequitur.scheduler.storage.QueueFormat;
import java.time.InstantSource;
import java.util.concurrent.Executor;

/**
 * What the queues of a node share within one JVM. Thread-safe.
 *
 * @param cells where checkpoints lie
 * @param layout of a queue's memory in cells
 * @param computing walks whole states; its threads may wait
 * @param notices where listeners hear of what is published
 * @param figures what operators watch
 */
public record QueueServices(
    ScheduleQueue rules,
    SchedulerSettings settings,
    InstantSource clock,
    ScheduledCalls calls,
    CellStore cells,
    MemoryCells layout,
    Executor computing,
    ActorRef<Topic.Command<QueueNotices>> notices,
    QueueFigures figures) {

  /** With everything that follows from the rest. */
  public static QueueServices of(ScheduleQueue rules, SchedulerSettings settings, Outside outside) {
    return new QueueServices(
        rules,
        settings,
        outside.clock(),
        outside.calls(),
        outside.cells(),
        new MemoryCells(new QueueFormat()),
        outside.computing(),
        outside.notices(),
        new QueueFigures());
  }

  /** What is not the scheduler's own. */
  public record Outside(
      InstantSource clock,
      ScheduledCalls calls,
      CellStore cells,
      Executor computing,
      ActorRef<Topic.Command<QueueNotices>> notices) {}

  WallTime wall() {
    return WallTime.of(clock.instant());
  }
}
