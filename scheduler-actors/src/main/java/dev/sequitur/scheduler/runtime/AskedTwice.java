package dev.sequitur.scheduler.runtime;

import akka.actor.Cancellable;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.RecipientRef;
import akka.actor.typed.javadsl.AskPattern;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * A question that is asked once more if half of its time has passed without an answer: the first
 * may have been lost with a shard that moved, or with its JVM. The first answer counts. Only for
 * what changes nothing, as both may be answered.
 */
final class AskedTwice {
  private AskedTwice() {}

  /**
   * @param within after which it fails, as {@link AskPattern#ask} does
   */
  static <M, R> CompletionStage<R> ask(
      ActorSystem<?> system, RecipientRef<M> whom, Function<ActorRef<R>, M> what, Duration within) {
    var again = new CompletableFuture<Cancellable>();
    CompletionStage<R> answer =
        AskPattern.ask(
            whom,
            replyTo -> {
              var question = what.apply(replyTo);
              again.complete(
                  system
                      .scheduler()
                      .scheduleOnce(
                          within.dividedBy(2),
                          () -> whom.tell(question),
                          system.executionContext()));
              return question;
            },
            within,
            system.scheduler());
    return answer.whenComplete((given, failure) -> again.thenAccept(Cancellable::cancel));
  }
}
