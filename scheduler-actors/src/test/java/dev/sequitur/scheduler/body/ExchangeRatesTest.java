package dev.sequitur.scheduler.body;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.signing.AccountChange;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A receipt shows the rate of its own time, and the next one. */
class ExchangeRatesTest {
  private static final ConsensusTime NEW_YEAR = ConsensusTime.ofSeconds(1_798_761_600);
  private static final long NEVER = AccountChange.NEVER_SECOND;

  private static MessageBytes rates(MessageBytes current, MessageBytes next) {
    return new MessageBytes().message(1, current).message(2, next);
  }

  private static MessageBytes rate(int hbars, int cents, long expiry) {
    return new MessageBytes()
        .number(1, hbars)
        .number(2, cents)
        .message(3, new MessageBytes().number(1, expiry));
  }

  private static void assertShows(ExchangeRates rates, ConsensusTime at, MessageBytes expected) {
    assertThat(rates.at(at).finish()).isEqualTo(expected.finish());
  }

  @Test
  void withoutAnotherOneItHoldsForEver() {
    assertShows(ExchangeRates.DEFAULT, NEW_YEAR, rates(rate(1, 12, NEVER), rate(1, 12, NEVER)));
  }

  @Test
  void theNextOneTakesItsPlaceInItsFirstSecondAndNotBefore() {
    var next = new ExchangeRates.Next(new ExchangeRates.Rate(2, 25), NEW_YEAR);
    var rates = new ExchangeRates(new ExchangeRates.Rate(1, 12), Optional.of(next));

    assertShows(
        rates,
        new ConsensusTime(NEW_YEAR.nanos() - 1),
        rates(rate(1, 12, NEW_YEAR.seconds()), rate(2, 25, NEVER)));
    assertShows(rates, NEW_YEAR, rates(rate(2, 25, NEVER), rate(2, 25, NEVER)));
  }
}
