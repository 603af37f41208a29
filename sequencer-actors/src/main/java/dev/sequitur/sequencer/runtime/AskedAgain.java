package dev.sequitur.sequencer.runtime;

import akka.actor.typed.ActorRef;
import akka.cluster.sharding.typed.javadsl.EntityRef;
import akka.pattern.StatusReply;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Asks an entity what changes nothing. A question, or its answer, is lost with the JVM that it was
 * in, when that leaves or dies: so it is asked again, at growing intervals, and the first answer
 * counts. A caller waits two seconds for that, and not until the question's time is over.
 */
final class AskedAgain {
  private static final Duration LONGEST = Duration.ofSeconds(10);

  /** After which times, from the first question on: few, since who is slow has more to do then. */
  private static final List<Duration> AGAIN = List.of(Duration.ofSeconds(2), Duration.ofSeconds(5));

  private AskedAgain() {}

  /** Fails if there is no answer within ten seconds. */
  static <C, R> CompletionStage<R> ask(EntityRef<C> entity, Function<ActorRef<R>, C> question) {
    return first(() -> entity.ask(question::apply, LONGEST), AskedAgain::after);
  }

  /** The same of one that may refuse. */
  static <C, R> CompletionStage<R> askWithStatus(
      EntityRef<C> entity, Function<ActorRef<StatusReply<R>>, C> question) {
    return first(() -> entity.askWithStatus(question::apply, LONGEST), AskedAgain::after);
  }

  /** When something is done later. */
  interface Later {
    /** Unless it is done until then. */
    void unless(CompletableFuture<?> done, Duration delay, Runnable then);
  }

  /** Its timer goes with what is done: most answers come at once. */
  private static void after(CompletableFuture<?> done, Duration delay, Runnable then) {
    done.copy()
        .orTimeout(delay.toMillis(), TimeUnit.MILLISECONDS)
        .whenComplete(
            (value, failure) -> {
              if (!done.isDone()) {
                then.run();
              }
            });
  }

  /**
   * The first answer. One that fails is the answer, too, unless it is one to a repetition.
   *
   * @param ask asks once
   */
  static <R> CompletionStage<R> first(Supplier<CompletionStage<R>> ask, Later later) {
    var answer = new CompletableFuture<R>();
    ask.get()
        .whenComplete(
            (value, failure) -> {
              if (failure == null) {
                answer.complete(value);
              } else {
                answer.completeExceptionally(failure);
              }
            });
    for (var delay : AGAIN) {
      later.unless(answer, delay, () -> ask.get().thenAccept(answer::complete));
    }
    return answer;
  }
}
