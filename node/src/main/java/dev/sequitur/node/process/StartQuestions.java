package dev.sequitur.node.process;

import akka.actor.typed.ActorSystem;
import akka.pattern.Patterns;
import dev.sequitur.protocol.port.BlocksDroppedException;
import dev.sequitur.protocol.port.LedgerUnreachableException;
import dev.sequitur.protocol.port.StoreException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** What a node asks its store and the base ledger before it takes part. Blocks until it knows. */
record StartQuestions(ActorSystem<?> system) {
  private static final int READS = 5;
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);
  private static final double RANDOMNESS = 0.2;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** With what the one that was asked says of itself; such as that it is of another chain. */
  private static String sentence(Throwable failure) {
    for (var cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof LedgerUnreachableException) {
        return "The base ledger cannot be read (%s): look whether it runs."
            .formatted(cause.getMessage());
      }
      if (cause instanceof BlocksDroppedException) {
        return cause.getMessage();
      }
      if (cause instanceof StoreException) {
        return "The node's store cannot be read: " + cause.getMessage();
      }
    }
    return "The node's store or the base ledger cannot be read: look whether they run.";
  }

  /** Whether it is the store that has not answered, and not the base ledger. */
  static boolean isOfStore(StartFailure failure) {
    return comesFrom(failure, StoreException.class);
  }

  /** Whether the ledger has dropped what was asked for. */
  static boolean isOfDroppedBlocks(StartFailure failure) {
    return comesFrom(failure, BlocksDroppedException.class);
  }

  private static boolean comesFrom(StartFailure failure, Class<? extends Throwable> cause) {
    return Stream.<Throwable>iterate(failure, Objects::nonNull, Throwable::getCause)
        .anyMatch(cause::isInstance);
  }

  /**
   * @throws StartFailure if there is no answer after some tries
   */
  <T> T answer(Callable<CompletionStage<T>> question) {
    return answer(question, PATIENCE);
  }

  /**
   * @param patience how long an answer is waited for, with all tries
   * @throws StartFailure if there is none
   */
  <T> T answer(Callable<CompletionStage<T>> question, Duration patience) {
    try {
      return Patterns.retry(question, READS, PAUSE, LONGEST_PAUSE, RANDOMNESS, system)
          .toCompletableFuture()
          .get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StartFailure("Interrupted while starting.", e);
    } catch (Exception e) {
      throw new StartFailure(sentence(e), e);
    }
  }
}
