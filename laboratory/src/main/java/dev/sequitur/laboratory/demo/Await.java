package dev.sequitur.laboratory.demo;

import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.LedgerUnreachableException;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Waiting, on the demonstration's own thread. */
final class Await {
  private static final Duration ANSWER = Duration.ofSeconds(60);
  private static final Duration TICK = Duration.ofMillis(5);
  private static final Duration BETWEEN_QUESTIONS = Duration.ofMillis(200);

  private Await() {}

  /**
   * @param what is asked of whom, for the sentence if no answer comes
   * @throws DemoFailure if none comes within a minute, or a failure
   */
  static <T> T answer(CompletionStage<T> stage, String what) {
    return answer(stage, ANSWER, what);
  }

  /**
   * Asks the ledger again while it cannot be reached, as nodes do: a chain's node may start anew
   * just then.
   *
   * @throws DemoFailure as {@link #answer}; also if it could not be reached for a minute
   */
  static <T> T ledger(Supplier<CompletionStage<T>> question, String what) {
    long deadline = System.nanoTime() + ANSWER.toNanos();
    while (true) {
      var left = Duration.ofNanos(deadline - System.nanoTime());
      try {
        return answer(question.get(), left, what);
      } catch (DemoFailure e) {
        if (!(Answers.cause(e.getCause()) instanceof LedgerUnreachableException)
            || left.isNegative()) {
          throw e;
        }
        LockSupport.parkNanos(BETWEEN_QUESTIONS.toNanos());
      }
    }
  }

  private static <T> T answer(CompletionStage<T> stage, Duration within, String what) {
    try {
      return stage.toCompletableFuture().get(within.toMillis(), TimeUnit.MILLISECONDS);
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
}
