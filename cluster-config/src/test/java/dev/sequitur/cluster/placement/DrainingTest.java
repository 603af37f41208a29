package dev.sequitur.cluster.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sequitur.cluster.placement.Drain.Limits;
import dev.sequitur.cluster.placement.Drain.Step;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DrainingTest {
  private static final Duration NOTICE = Duration.ofSeconds(2);
  private static final Duration AT_MOST = Duration.ofSeconds(10);

  private final AtomicLong nanos = new AtomicLong();
  private volatile CompletionStage<Boolean> coordinating = CompletableFuture.completedFuture(true);

  private final Draining draining =
      new Draining(
          new Limits(NOTICE, AT_MOST),
          new Draining.Sight() {
            @Override
            public int others() {
              return 1;
            }

            @Override
            public CompletionStage<Boolean> coordinating() {
              return coordinating;
            }

            @Override
            public long range() {
              return 7;
            }
          },
          nanos::get);

  @Test
  void whoeverIsAskedTellsAtOnceAndWhoEndsTheProcessIsTold() {
    var ended = new AtomicBoolean();
    assertThat(draining.isServed()).isFalse();
    draining.whenAsked(() -> ended.set(true));
    assertThat(draining.isServed()).isTrue();
    assertThat(draining.step()).isEqualTo(Step.SERVES);
    assertThat(ended).isFalse();
    draining.begin();
    assertThat(draining.step()).isEqualTo(Step.TELLS);
    assertThat(ended).isTrue();
  }

  @Test
  void itRefusesAfterTheNoticeAndIsSettledOnceItCoordinatesNothing() {
    var settled = draining.settled().toCompletableFuture();
    nanos.set(NOTICE.toNanos());
    await().until(() -> draining.step() == Step.REFUSES);
    assertThat(settled).isNotDone();

    coordinating = CompletableFuture.completedFuture(false);
    settled.orTimeout(30, TimeUnit.SECONDS).join();
    assertThat(draining.step()).isEqualTo(Step.LEAVES);
  }

  @Test
  void whatItCannotLearnKeepsItNoLongerThanTheWholeTime() {
    coordinating = CompletableFuture.failedFuture(new IllegalStateException());
    var settled = draining.settled().toCompletableFuture();
    nanos.set(NOTICE.toNanos());
    await().until(() -> draining.step() == Step.REFUSES);
    nanos.set(AT_MOST.toNanos());
    settled.orTimeout(30, TimeUnit.SECONDS).join();
  }
}
