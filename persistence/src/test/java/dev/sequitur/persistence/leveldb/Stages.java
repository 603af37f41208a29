package dev.sequitur.persistence.leveldb;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.Assertions;

/** Waiting for what a {@link LevelDb} promised. */
public final class Stages {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private Stages() {}

  public static <T> T await(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  public static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static Throwable failure(CompletionStage<?> stage) {
    Throwable thrown = Assertions.catchThrowable(() -> await(stage));
    assertThat(thrown).as("failure of the stage").isNotNull();
    return thrown;
  }
}
