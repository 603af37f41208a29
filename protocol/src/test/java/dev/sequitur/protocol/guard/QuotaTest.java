package dev.sequitur.protocol.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.guard.Quota.Taken;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuotaTest {
  private static final long SECOND = 1_000_000_000;
  private static final Quota QUOTA = new Quota(10, 5, 3, 1);

  @ParameterizedTest(name = "filled for {0} ms, {1} requests: {2}, {3} ms")
  @CsvSource({
    "0, 1, 4, 100",
    "0, 5, 0, 500",
    "100, 4, 0, 500",
    "100, 5, refused, 100",
    "500, 1, refused, 100",
    "450, 1, refused, 50",
    "400, 1, 0, 500",
    "-700, 5, 0, 500"
  })
  void requestsFillAVesselThatEmptiesEvenly(
      long filled, int requests, String remaining, long millis) {
    long now = 77;
    var taken = QUOTA.take(new Quota.Used(now + filled * 1_000_000), now, requests);

    assertThat(taken)
        .isEqualTo(
            remaining.equals("refused")
                ? new Taken.Refused(millis * 1_000_000)
                : new Taken.Given(
                    new Quota.Used(now + millis * 1_000_000),
                    Integer.parseInt(remaining),
                    millis * 1_000_000));
  }

  @Test
  void moreThanMayBeAtOnceNeverPasses() {
    assertThat(QUOTA.take(Quota.nothing(0), 0, 6)).isEqualTo(new Taken.Refused(Long.MAX_VALUE));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, Long.MAX_VALUE - 3, Long.MIN_VALUE})
  void overALongTimeNoMorePassThanTheRateAndOneBurst(long start) {
    var used = Quota.nothing(start);
    int given = 0;
    for (int step = 0; step <= 1_000; step++) {
      long now = start + step * (10 * SECOND / 1_000);
      switch (QUOTA.take(used, now, 1)) {
        case Taken.Given(var next, var remaining, var after) -> {
          used = next;
          given++;
        }
        case Taken.Refused(var retryAfter) -> assertThat(retryAfter).isPositive();
      }
    }

    assertThat(given).isBetween(100, 105);
  }

  @Test
  void aQuotaOfNothingIsAMistake() {
    assertThatThrownBy(() -> new Quota(0, 1, 1, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Quota(1, 0, 1, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Quota(1, 1, 0, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Quota(1, 1, 1, 0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void oneOfEverythingIsEnough() {
    var least = new Quota(1, 1, 1, 1);

    assertThat(least.take(Quota.nothing(0), 0, 1))
        .isEqualTo(new Taken.Given(new Quota.Used(SECOND), 0, SECOND));
  }
}
