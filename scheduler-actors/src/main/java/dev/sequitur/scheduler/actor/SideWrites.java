package dev.sequitur.scheduler.actor;

import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.TimerScheduler;
import dev.sequitur.protocol.schedule.queue.QueueInput;
import dev.sequitur.scheduler.storage.QueueMemory;
import java.time.Duration;
import java.util.Optional;

/**
 * What a queue writes beside its journal: checkpoints and executed bodies. What fails is tried
 * again after a while; the queue goes on meanwhile. Confined to its actor.
 */
final class SideWrites {
  /** What comes of it, to be given to {@link #on}. */
  sealed interface Told extends QueueActor.Message {
    /**
     * @param memory what the checkpoint has
     * @param stored false if another incarnation has written one
     */
    record Checkpointed(QueueMemory memory, boolean stored) implements Told {}

    record CheckpointFailed(Throwable cause) implements Told {}

    /**
     * @param told what the queue is to be told
     */
    record BodiesWritten(QueueInput told) implements Told {}

    record BodiesFailed(Throwable cause) implements Told {}

    /** The while is over. */
    record TryAgain() implements Told {}
  }

  private static final Duration AGAIN = Duration.ofSeconds(10);

  private final ActorContext<QueueActor.Message> context;
  private final TimerScheduler<QueueActor.Message> timers;
  private final QueueServices services;
  private final QueueActor.Place place;
  private final Checkpoints checkpoints;
  private final Archiving archiving;

  SideWrites(
      ActorContext<QueueActor.Message> context,
      TimerScheduler<QueueActor.Message> timers,
      QueueServices services,
      QueueActor.Place place) {
    this.context = context;
    this.timers = timers;
    this.services = services;
    this.place = place;
    this.checkpoints = new Checkpoints(services, place.stream());
    this.archiving =
        new Archiving(services.bodies(), services.computing(), queue(), services.rules().setup());
  }

  private String queue() {
    return place.name().value();
  }

  /** As the last checkpoint has it. */
  void begin(QueueMemory loaded) {
    checkpoints.begin(loaded);
  }

  /**
   * Begins what is due for it.
   *
   * @param memory as the journal has it
   * @param events that have come to the journal
   * @param pressed whether the queue goes on working at once
   */
  void write(QueueMemory memory, int events, boolean pressed) {
    if (checkpoints.isDue(events, pressed)) {
      context.pipeToSelf(
          checkpoints.write(memory),
          (written, failure) -> failure == null ? written : new Told.CheckpointFailed(failure));
    }
    archiving
        .write(memory.queue())
        .ifPresent(
            written ->
                context.pipeToSelf(
                    written,
                    (told, failure) ->
                        failure == null
                            ? new Told.BodiesWritten(told)
                            : new Told.BodiesFailed(failure)));
  }

  /**
   * @return what the queue is to be told
   * @throws IllegalStateException if another incarnation of the queue is at work
   */
  Optional<QueueInput> on(Told told) {
    if (told instanceof Told.Checkpointed checkpointed) {
      onCheckpointed(checkpointed);
    } else if (told instanceof Told.CheckpointFailed failed) {
      context.getLog().warn("A checkpoint of {} failed", place.name(), failed.cause());
      checkpoints.failed();
      failed(StoreFigures.Kind.CHECKPOINT);
    } else if (told instanceof Told.BodiesWritten written) {
      archiving.written();
      written(StoreFigures.Kind.BODIES);
      return Optional.of(written.told());
    } else if (told instanceof Told.BodiesFailed failed) {
      context.getLog().warn("Executed bodies of {} were not stored", place.name(), failed.cause());
      archiving.failed();
      failed(StoreFigures.Kind.BODIES);
    } else {
      checkpoints.tryAgain();
      archiving.tryAgain();
    }
    return Optional.empty();
  }

  private void onCheckpointed(Told.Checkpointed checkpointed) {
    if (!checkpointed.stored()) {
      throw new IllegalStateException(
          "Another incarnation of " + place.name() + " has written a checkpoint: starting anew.");
    }
    checkpoints.written(checkpointed.memory());
    written(StoreFigures.Kind.CHECKPOINT);
    JournalTruncation.start(context, place.stream(), checkpointed.memory().number());
  }

  private void written(StoreFigures.Kind kind) {
    services.figures().stores().written(kind, queue(), services.clock().instant());
  }

  private void failed(StoreFigures.Kind kind) {
    services.figures().stores().failed(kind, queue());
    timers.startSingleTimer(new Told.TryAgain(), AGAIN);
  }
}
