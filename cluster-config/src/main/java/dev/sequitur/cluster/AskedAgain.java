package dev.sequitur.cluster;

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
 * in, when that leaves or dies, or with a shard that moves: so it is asked again, and the first
 * answer counts. A caller waits for that, and not until the question's time is over.
 */
public final class AskedAgain {
  /**
   * When a question is asked again, and when it fails.
   *
   * @param again after which times, from the first question on: few, since who is slow has more to
   *     do then
   * @param within after which nobody waits for the first question's answer any more
   */
  public record Times(List<Duration> again, Duration within) {
    /** For what is answered from memory. */
    public static final Times USUAL =
        new Times(List.of(Duration.ofSeconds(2), Duration.ofSeconds(5)), Duration.ofSeconds(10));

    public Times {
      again = List.copyOf(again);
    }
  }

  private AskedAgain() {}

  /** At the usual times. */
  public static <C, R> CompletionStage<R> ask(
      EntityRef<C> entity, Function<ActorRef<R>, C> question) {
    return ask(entity, question, Times.USUAL);
  }

  public static <C, R> CompletionStage<R> ask(
      EntityRef<C> entity, Function<ActorRef<R>, C> question, Times times) {
    return first(
        () -> entity.ask(question::apply, times.within()), times.again(), AskedAgain::after);
  }

  /** One that may refuse, at the usual times. */
  public static <C, R> CompletionStage<R> askWithStatus(
      EntityRef<C> entity, Function<ActorRef<StatusReply<R>>, C> question) {
    return first(
        () -> entity.askWithStatus(question::apply, Times.USUAL.within()),
        Times.USUAL.again(),
        AskedAgain::after);
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
   * @param again after which times it is asked again
   */
  static <R> CompletionStage<R> first(
      Supplier<CompletionStage<R>> ask, List<Duration> again, Later later) {
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
    for (var delay : again) {
      later.unless(answer, delay, () -> ask.get().thenAccept(answer::complete));
    }
    return answer;
  }
}
