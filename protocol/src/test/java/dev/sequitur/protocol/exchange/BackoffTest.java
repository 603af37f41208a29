package dev.sequitur.protocol.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BackoffTest {
  private final Backoff backoff = new Backoff(Duration.ofMillis(200), Duration.ofMillis(1_000));

  @Test
  void eachWaitOfWhoeverIsAloneIsTwiceTheOneBeforeUpToTheLongest() {
    assertThat(Stream.iterate(backoff.initial(), backoff::longer).limit(5))
        .extracting(Duration::toMillis)
        .containsExactly(200L, 400L, 800L, 1_000L, 1_000L);
  }
}
