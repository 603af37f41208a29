package dev.sequitur.transport.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.exchange.Backoff;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RedialWaitsTest {
  private final RedialWaits waits =
      new RedialWaits(
          new Backoff(Duration.ofMillis(100), Duration.ofMillis(1_000)), new SplittableRandom(1));

  @Test
  void waitsDoubleUpToTheBoundAndAreShortenedByAtMostHalf() {
    for (long longest : new long[] {100, 200, 400, 800, 1_000, 1_000}) {
      assertThat(waits.next().toMillis()).isBetween(longest / 2, longest);
    }
  }

  @Test
  void afterAResetTheyBeginAnew() {
    LongStream.range(0, 5).forEach(i -> waits.next());

    waits.reset();

    assertThat(waits.next().toMillis()).isBetween(50L, 100L);
  }
}
