package dev.sequitur.scheduler.actor;

import akka.actor.typed.Behavior;
import akka.actor.typed.PostStop;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.TimerScheduler;
import dev.sequitur.encoding.MalformedBytesException;
import dev.sequitur.persistence.leveldb.LevelDbException;
import dev.sequitur.scheduler.storage.StateLostException;
import java.time.Duration;
import java.util.Optional;

/**
 * A queue that failed: it does nothing, and tells everybody why and what to do. One of which it is
 * not known how it was, or that its node's settings do not fit any more, begins anew after a while,
 * in case somebody has restored what was lost.
 */
final class RefusedQueue {
  private static final Duration AGAIN = Duration.ofMinutes(1);

  /** Whoever repeats at once what was refused has done so by then. */
  private static final Duration MOMENT = Duration.ofSeconds(1);

  private RefusedQueue() {}

  /** What to tell, if a start that failed so would fail again. */
  static Optional<String> sentence(Throwable failure) {
    for (var cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof StateLostException
          || cause instanceof ChangedSettingsException
          || cause instanceof MalformedBytesException
          || cause instanceof LevelDbException) {
        return Optional.of(cause.getMessage());
      }
    }
    return Optional.empty();
  }

  /**
   * @param sentence what is wrong and what to do
   */
  static Behavior<QueueActor.Message> because(
      String sentence,
      QueueActor.Place place,
      QueueServices services,
      TimerScheduler<QueueActor.Message> timers) {
    return Behaviors.setup(
        context -> {
          var told = "The queue " + place.name() + " cannot be started. " + sentence;
          context.getLog().error(told);
          services.figures().stores().refused(place.name().value());
          timers.startSingleTimer(new SideWrites.Told.TryAgain(), AGAIN);
          return Behaviors.receive(QueueActor.Message.class)
              .onAnyMessage(
                  message ->
                      message instanceof SideWrites.Told.TryAgain
                          ? QueueActor.create(services, place)
                          : tell(told, message))
              .onSignal(
                  PostStop.class,
                  stopped -> {
                    services.figures().left(place.name().value());
                    return Behaviors.same();
                  })
              .build();
        });
  }

  /**
   * After a failure that may pass. What comes to an actor that has stopped is lost, and who sent it
   * waits in vain, until sharding knows: so this one stays a moment longer.
   *
   * @param sentence what to do
   * @param leave runs when it stops; sharding starts it anew then
   */
  static Behavior<QueueActor.Message> untilItStops(
      String sentence, TimerScheduler<QueueActor.Message> timers, Runnable leave) {
    timers.startSingleTimer(new QueueRequest.Stop(), MOMENT);
    return Behaviors.receive(QueueActor.Message.class)
        .onAnyMessage(message -> tell(sentence, message))
        .onSignal(
            PostStop.class,
            stopped -> {
              leave.run();
              return Behaviors.same();
            })
        .build();
  }

  private static Behavior<QueueActor.Message> tell(String sentence, QueueActor.Message message) {
    switch (message) {
      case QueueRequest.Submit submit ->
          submit.replyTo().tell(new QueueReply.Unavailable(sentence));
      case QueueRequest.Ask ask -> ask.replyTo().tell(new QueueReply.Unavailable(sentence));
      case QueueRequest.Stop() -> {
        return Behaviors.stopped();
      }
      // Nobody awaits an answer to the rest, and nothing is done any more.
      case QueueRequest.Wake() -> {}
      case QueueDecider.Decided ignored -> {}
      case QueueMachine.Told ignored -> {}
      case SideWrites.Told ignored -> {}
      case QueueActor.Own ignored -> {}
    }
    return Behaviors.same();
  }
}
