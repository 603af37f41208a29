package dev.sequitur.persistence.store;

import java.nio.file.Path;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * One of the stores of schedule queues, opened before each test and closed after it.
 *
 * @param <S> which
 */
abstract class QueueStoreFixture<S> {
  private static final long PATIENCE_SECONDS = 60;

  private final OwnStores own;
  private final Function<QueueStores, S> which;

  QueueStoreFixture(OwnStores own, Function<QueueStores, S> which) {
    this.own = own;
    this.which = which;
  }

  @BeforeEach
  void open(@TempDir Path directory) {
    own.open(directory);
  }

  @AfterEach
  void close() {
    own.close();
  }

  final S store() {
    return which.apply(own.stores());
  }

  /** As it is after a restart, or in another JVM. */
  final S reopened() {
    own.reopen();
    return store();
  }

  static <T> T get(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
