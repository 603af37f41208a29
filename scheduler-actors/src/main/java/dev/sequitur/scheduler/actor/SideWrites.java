package dev.sequitur.scheduler.actor;

import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.TimerScheduler;
import dev.sequitur.persistence.store.CommandStore.Extent;
import dev.sequitur.schedule.queue.QueueInput;
import dev.sequitur.scheduler.storage.QueueMemory;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * What a queue writes beside its journal: checkpoints, executed bodies, outcomes, and commands that
 * were done. What fails is tried again after a while; the queue goes on meanwhile. Confined to its
 * actor.
 */
final class SideWrites {
  /** What comes of it, to be given to {@link #on}. */
  sealed interface Told extends QueueActor.Message {
    /** After this more may be due at once. */
    sealed interface Freeing extends Told {}

    /**
     * @param memory what the checkpoint has
     * @param stored false if another incarnation has written one
     */
    record Checkpointed(QueueMemory memory, boolean stored) implements Told {}

    /**
     * @param told what the queue is to be told
     */
    record BodiesWritten(QueueInput told) implements Told {}

    /**
     * @param told what the queue is to be told
     */
    record OutcomesWritten(QueueInput.OutcomesStored told) implements Told {}

    /**
     * @param stored what their store has
     */
    record CommandsWritten(Extent stored) implements Freeing {}

    /** It is tried again after a while. */
    record Failed(StoreFigures.Kind kind, Throwable cause) implements Told {}

    /** The while is over. */
    record TryAgain() implements Freeing {}
  }

  private static final Duration AGAIN = Duration.ofSeconds(10);

  private final ActorContext<QueueActor.Message> context;
  private final TimerScheduler<QueueActor.Message> timers;
  private final QueueServices services;
  private final QueueActor.Place place;
  private final Checkpoints checkpoints;
  private final Archiving archiving;
  private final OutcomeArchiving outcomes;
  private final Remembering remembering;

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
    this.outcomes =
        new OutcomeArchiving(
            services.past(),
            services.computing(),
            queue(),
            services.rules().setup().historyLimit());
    this.remembering = new Remembering(services, queue());
  }

  private String queue() {
    return place.name().value();
  }

  /**
   * @param loaded as the last checkpoint has it
   * @param commands that their store has
   */
  void begin(QueueMemory loaded, Extent commands) {
    checkpoints.begin(loaded);
    remembering.begin(commands);
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
          (written, failure) ->
              failure == null ? written : new Told.Failed(StoreFigures.Kind.CHECKPOINT, failure));
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
                            : new Told.Failed(StoreFigures.Kind.BODIES, failure)));
    outcomes
        .write(memory.queue(), pressed)
        .ifPresent(
            written ->
                context.pipeToSelf(
                    written,
                    (told, failure) ->
                        failure == null
                            ? new Told.OutcomesWritten(told)
                            : new Told.Failed(StoreFigures.Kind.OUTCOMES, failure)));
    remembering.write(memory).ifPresent(this::tellOfCommands);
  }

  /** Has commands forgotten whose time is over. */
  void forget() {
    remembering.forget().ifPresent(this::tellOfCommands);
  }

  private void tellOfCommands(CompletionStage<Extent> written) {
    context.pipeToSelf(
        written,
        (stored, failure) ->
            failure == null
                ? new Told.CommandsWritten(stored)
                : new Told.Failed(StoreFigures.Kind.COMMANDS, failure));
  }

  /** What becomes of the commands that a queue has done. */
  Remembering remembering() {
    return remembering;
  }

  /**
   * @return what the queue is to be told
   * @throws IllegalStateException if another incarnation of the queue is at work
   */
  Optional<QueueInput> on(Told told) {
    switch (told) {
      case Told.Checkpointed checkpointed -> onCheckpointed(checkpointed);
      case Told.BodiesWritten(var input) -> {
        archiving.written();
        written(StoreFigures.Kind.BODIES);
        return Optional.of(input);
      }
      case Told.OutcomesWritten(var input) -> {
        outcomes.written(input);
        written(StoreFigures.Kind.OUTCOMES);
        return Optional.of(input);
      }
      case Told.CommandsWritten(var stored) -> {
        remembering.written(stored);
        written(StoreFigures.Kind.COMMANDS);
      }
      case Told.Failed(var kind, var cause) -> failed(kind, cause);
      case Told.TryAgain() -> {
        checkpoints.tryAgain();
        archiving.tryAgain();
        outcomes.tryAgain();
        remembering.tryAgain();
      }
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

  private void failed(StoreFigures.Kind kind, Throwable cause) {
    context.getLog().warn("A write of {} ({}) failed", place.name(), kind, cause);
    of(kind).failed();
    services.figures().stores().failed(kind, queue());
    timers.startSingleTimer(new Told.TryAgain(), AGAIN);
  }

  private SideWrite of(StoreFigures.Kind kind) {
    return switch (kind) {
      case CHECKPOINT -> checkpoints;
      case BODIES -> archiving;
      case OUTCOMES -> outcomes;
      case COMMANDS -> remembering;
    };
  }
}
