package dev.sequitur.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.Scheduler;
import akka.event.NoLogging;
import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import scala.concurrent.ExecutionContext;
import scala.concurrent.ExecutionContext$;

final class DueTimeSchedulerTest {
  private static final long PATIENCE_SECONDS = 60;
  private static final Duration LATER = Duration.ofHours(1);

  private final BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> ran = new LinkedBlockingQueue<>();
  private final ExecutionContext executor =
      ExecutionContext$.MODULE$.fromExecutor(
          Runnable::run,
          failure -> {
            failures.add(failure);
            return null;
          });
  private final DueTimeScheduler scheduler =
      new DueTimeScheduler(
          ConfigFactory.empty(), NoLogging.getInstance(), Executors.defaultThreadFactory());

  @AfterEach
  void close() {
    scheduler.close();
  }

  private String next() throws InterruptedException {
    return ran.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  @Test
  void runsATaskOnceItIsDueAndNotBefore() throws InterruptedException {
    long begun = System.nanoTime();

    var timer = scheduler.scheduleOnce(Duration.ofMillis(20), () -> ran.add("due"), executor);

    assertThat(next()).isEqualTo("due");
    assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(20_000_000);
    assertThat(timer.cancel()).as("it has run").isFalse();
    assertThat(timer.isCancelled()).isFalse();
  }

  @Test
  void runsWhatIsDueFirstFirstWhateverCameFirst() throws InterruptedException {
    var order = List.<String>of();
    // Between the two calls the machine may stand still until the second would be due.
    for (long taken = Long.MAX_VALUE; taken >= 40_000_000; ) {
      long begun = System.nanoTime();
      scheduler.scheduleOnce(Duration.ofMillis(60), () -> ran.add("second"), executor);
      scheduler.scheduleOnce(Duration.ofMillis(20), () -> ran.add("first"), executor);
      taken = System.nanoTime() - begun;
      order = List.of(next(), next());
    }

    assertThat(order).containsExactly("first", "second");
  }

  @Test
  void doesNotRunWhatIsCancelled() throws InterruptedException {
    // As long as this runs nothing else does, however soon it is due.
    var cancelled = new CountDownLatch(1);
    scheduler.scheduleOnce(Duration.ZERO, () -> awaitQuietly(cancelled), executor);
    var timer = scheduler.scheduleOnce(Duration.ofMillis(1), () -> ran.add("never"), executor);

    assertThat(timer.cancel()).isTrue();
    assertThat(timer.cancel()).as("a second time").isFalse();

    scheduler.scheduleOnce(Duration.ofMillis(2), () -> ran.add("later"), executor);
    cancelled.countDown();
    assertThat(next()).isEqualTo("later");
    assertThat(timer.isCancelled()).isTrue();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void repeatsUntilItIsCancelled() throws InterruptedException {
    var timer =
        scheduler.scheduleAtFixedRate(
            Duration.ZERO, Duration.ofMillis(1), () -> ran.add("again"), executor);

    for (int i = 0; i < 5; i++) {
      assertThat(next()).isEqualTo("again");
    }
    assertThat(timer.cancel()).isTrue();
  }

  @Test
  void doesNotBeginARunBeforeTheOneBeforeHasEnded() throws InterruptedException {
    var threads = Executors.newCachedThreadPool();
    var running = new AtomicInteger();
    var most = new AtomicInteger();
    var runs = new CountDownLatch(20);
    try {
      var timer =
          scheduler.scheduleAtFixedRate(
              Duration.ZERO,
              Duration.ofNanos(1),
              () -> {
                most.accumulateAndGet(running.incrementAndGet(), Math::max);
                Thread.yield();
                running.decrementAndGet();
                runs.countDown();
              },
              ExecutionContext$.MODULE$.fromExecutor(threads));

      assertThat(runs.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
      timer.cancel();
      assertThat(most).hasValue(1);
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void stopsRepeatingWhatHasThrown() throws InterruptedException {
    var timer =
        scheduler.scheduleAtFixedRate(
            Duration.ZERO,
            Duration.ofMillis(1),
            () -> {
              throw new IllegalStateException("it is broken");
            },
            executor);

    assertThat(failures.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).hasMessage("it is broken");
    assertThat(timer.isCancelled()).isTrue();
  }

  /** Akka ends its dispatchers' threads so. */
  @Test
  void runsAtTheEndWhatAsksForIt() {
    Scheduler.TaskRunOnClose atTheEnd = () -> ran.add("at the end");
    scheduler.scheduleOnce(LATER, atTheEnd, executor);
    scheduler.scheduleOnce(LATER, () -> ran.add("never"), executor);

    scheduler.close();

    assertThat(ran).containsExactly("at the end");
  }

  @Test
  void takesNothingOnceItIsClosed() {
    scheduler.close();

    assertThatThrownBy(() -> scheduler.scheduleOnce(LATER, () -> ran.add("never"), executor))
        .isInstanceOf(IllegalStateException.class);
  }
}
