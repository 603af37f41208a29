package dev.sequitur.sequencer.transport.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BackoffTest {
  private final Backoff backoff =
      new Backoff(Duration.ofMillis(100), Duration.ofMillis(1_000), new SplittableRandom(1));

  @Test
  void waitsDoubleUpToTheBoundAndAreShortenedByAtMostHalf() {
    for (long longest : new long[] {100, 200, 400, 800, 1_000, 1_000}) {
      assertThat(backoff.next().toMillis()).isBetween(longest / 2, longest);
    }
  }

  @Test
  void afterAResetTheyBeginAnew() {
    LongStream.range(0, 5).forEach(i -> backoff.next());

    backoff.reset();

    assertThat(backoff.next().toMillis()).isBetween(50L, 100L);
  }
}
