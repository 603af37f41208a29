package dev.sequitur.scheduler.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.pubsub.Topic;
import dev.sequitur.links.admission.SeldomLines;
import dev.sequitur.persistence.store.BodyStore;
import dev.sequitur.persistence.store.CellStore;
import dev.sequitur.persistence.store.QueueStores;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.WallTime;
import dev.sequitur.schedule.attempt.Attempts;
import dev.sequitur.schedule.port.ScheduledCalls;
import dev.sequitur.schedule.queue.ScheduleQueue;
import dev.sequitur.scheduler.SchedulerSettings;
import dev.sequitur.scheduler.storage.CommandDigest;
import dev.sequitur.scheduler.storage.MemoryCells;
import dev.sequitur.scheduler.storage.QueueFormat;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Executor;

/**
 * What the queues of a node share within one JVM. Thread-safe.
 *
 * @param clocks of this JVM, and of the others to judge it by
 * @param cells where checkpoints lie
 * @param bodies that were executed and have left memory
 * @param recall of commands that were done and have left memory
 * @param past outcomes that have left memory
 * @param layout of a queue's memory in cells
 * @param digests tell a repeated command from another under its id
 * @param computing walks whole states; its threads may wait
 * @param notices where listeners hear of what is published
 * @param figures what operators watch
 * @param failures which of those of all queues are told, since they meet one disk or database
 */
public record QueueServices(
    ScheduleQueue rules,
    SchedulerSettings settings,
    NodeClocks clocks,
    ScheduledCalls calls,
    CellStore cells,
    BodyStore bodies,
    Recall recall,
    PastOutcomes past,
    MemoryCells layout,
    CommandDigest digests,
    Executor computing,
    ActorRef<Topic.Command<QueueNotices>> notices,
    QueueFigures figures,
    SeldomLines failures) {

  /** With everything that follows from the rest. */
  public static QueueServices of(ScheduleQueue rules, SchedulerSettings settings, Outside outside) {
    var format = new QueueFormat();
    var digests = new CommandDigest();
    return new QueueServices(
        rules,
        settings,
        outside.clocks(),
        outside.calls(),
        outside.stores().cells(),
        outside.stores().bodies(),
        new Recall(outside.stores().commands(), format, digests),
        new PastOutcomes(outside.stores().outcomes(), format),
        new MemoryCells(format),
        digests,
        outside.computing(),
        outside.notices(),
        new QueueFigures(outside.registry(), rules, outside.clocks()::wall),
        new SeldomLines(System::nanoTime));
  }

  /**
   * What is not the scheduler's own.
   *
   * @param registry of the node, where queues count and measure
   */
  public record Outside(
      NodeClocks clocks,
      ScheduledCalls calls,
      QueueStores stores,
      Executor computing,
      ActorRef<Topic.Command<QueueNotices>> notices,
      PrometheusRegistry registry) {}

  /** This JVM's time, right or wrong: for what is not compared with a queue's time. */
  InstantSource clock() {
    return clocks.own();
  }

  /** What a queue is given with what it decides. */
  public WallTime wall() {
    return clocks.wall();
  }

  /**
   * A time that goes on evenly, whatever this JVM's clock is set to; it means nothing by itself.
   */
  Instant steadyNow() {
    return clocks.steady();
  }

  /** By which a queue's attempts are carried out. */
  Attempts.Settings attempts(String queue) {
    return new Attempts.Settings(
        queue,
        settings.executing(),
        settings.refusals(),
        settings.backoff(),
        rules.setup().gas().call());
  }

  /** The time that the rules make of {@link #wall}: what a queue's time is compared with. */
  ConsensusTime now() {
    return wall().followed(rules.setup().maxAhead());
  }
}
