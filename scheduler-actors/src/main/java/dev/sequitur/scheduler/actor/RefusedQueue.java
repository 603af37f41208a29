package dev.sequitur.scheduler.actor;

import akka.actor.typed.Behavior;
import akka.actor.typed.PostStop;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.TimerScheduler;
import dev.sequitur.cluster.journal.LevelDbException;
import dev.sequitur.scheduler.storage.StateLostException;
import dev.sequitur.scheduler.storage.UnreadableException;
import java.time.Duration;
import java.util.Optional;

/**
 * A queue of which it is not known how it was, or that its node's settings do not fit any more: it
 * does nothing, and tells everybody why and what to do. After a while it begins anew, in case
 * somebody has restored what was lost.
 */
final class RefusedQueue {
  private static final Duration AGAIN = Duration.ofMinutes(1);

  private RefusedQueue() {}

  /** What to tell, if a start that failed so would fail again. */
  static Optional<String> sentence(Throwable failure) {
    for (var cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof StateLostException
          || cause instanceof ChangedSettingsException
          || cause instanceof UnreadableException
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
          var unavailable = new QueueReply.Unavailable(told);
          return Behaviors.receive(QueueActor.Message.class)
              .onMessage(
                  QueueRequest.Submit.class,
                  submit -> {
                    submit.replyTo().tell(unavailable);
                    return Behaviors.same();
                  })
              .onMessage(
                  QueueRequest.Ask.class,
                  ask -> {
                    ask.replyTo().tell(unavailable);
                    return Behaviors.same();
                  })
              .onMessage(QueueRequest.Stop.class, stop -> Behaviors.stopped())
              .onMessage(
                  SideWrites.Told.TryAgain.class, again -> QueueActor.create(services, place))
              .onAnyMessage(other -> Behaviors.same())
              .onSignal(
                  PostStop.class,
                  stopped -> {
                    services.figures().left(place.name().value());
                    return Behaviors.same();
                  })
              .build();
        });
  }
}
