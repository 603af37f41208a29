package dev.sequitur.sequencer.actor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class LedgerReachTest {
  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
  private static final Throwable NONE =
      new CompletionException(new IllegalStateException("There is no ledger at x."));

  private final LedgerReach reach = new LedgerReach("The base ledger");

  @Test
  void theFirstFailureIsToldWithItsCauseAndThenOneAMinute() {
    assertThat(reach.failed(NONE, START))
        .hasValueSatisfying(
            said ->
                assertThat(said)
                    .startsWith("The base ledger cannot be read")
                    .endsWith(": There is no ledger at x."));
    for (int millis = 50; millis < 60_000; millis += 50) {
      assertThat(reach.failed(NONE, START.plusMillis(millis))).isEmpty();
    }
    assertThat(reach.failed(NONE, START.plusSeconds(60))).isPresent();
    assertThat(reach.failed(NONE, START.plusSeconds(61))).isEmpty();
  }

  @Test
  void oneThatComesAndGoesIsNotToldMoreOften() {
    reach.failed(NONE, START);

    assertThat(reach.reached()).isTrue();
    assertThat(reach.reached()).isFalse();
    assertThat(reach.failed(NONE, START.plusSeconds(1))).isEmpty();
    assertThat(reach.reached()).isTrue();
  }

  /** One lost answer is nothing that somebody should look at. */
  @Test
  void healthIsToldSinceWhenItCannotBeReadFromTheSecondFailureOn() {
    var start = Instant.parse("2030-01-01T00:00:00Z");
    var reach = new LedgerReach("The base ledger");
    var unused = reach.failed(new IllegalStateException("quota"), start);
    assertThat(reach.remark()).isEmpty();
    unused = reach.failed(new IllegalStateException("count exceeded"), start.plusSeconds(9));

    assertThat(reach.remark())
        .contains("The base ledger has not been read since 2030-01-01T00:00:00Z: count exceeded");
    assertThat(reach.reached()).isTrue();
    assertThat(reach.remark()).isEmpty();
  }
}
