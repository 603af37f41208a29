package dev.sequitur.laboratory.demo;

import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/** Waiting, on the demonstration's own thread. */
final class Await {
  private static final Duration ANSWER = Duration.ofSeconds(60);
  private static final Duration TICK = Duration.ofMillis(5);

  private Await() {}

  /**
   * @param what is asked of whom, for the sentence if no answer comes
   * @throws DemoFailure if none comes within a minute, or a failure
   */
  static <T> T answer(CompletionStage<T> stage, String what) {
    try {
      return stage.toCompletableFuture().get(ANSWER.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new DemoFailure("No answer within a minute: " + what + ".", e);
    } catch (ExecutionException e) {
      throw new DemoFailure("A failure: " + what + ": " + e.getCause().getMessage(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DemoFailure("Interrupted: " + what + ".", e);
    }
  }

  /** Lets a little time pass between two looks. */
  static void tick() {
    LockSupport.parkNanos(TICK.toNanos());
  }

  /** What a stage failed with, without its wrapping. */
  static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }
}
