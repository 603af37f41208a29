package dev.sequitur.protocol.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.message.StartupNotification;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** How exchanges are resent and answered (EXC-1). */
final class ExchangesTest {
  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
  private static final NodeName PEER = new NodeName("peer");
  private static final StartupNotification MESSAGE =
      new StartupNotification(
          new RequestId("startup"), START, new ContractAddress("0x" + "00".repeat(20)));

  @Property
  void aWaitIsNeverLongerThanTheCapAndNeverShorterThanThreeQuartersOfWhatItShouldBe(
      @ForAll @IntRange(min = 1, max = 10_000) int initial,
      @ForAll @IntRange(min = 1, max = 100) int factor,
      @ForAll int attempt,
      @ForAll int salt) {
    long cap = (long) initial * factor;
    var backoff = new Backoff(Duration.ofMillis(initial), Duration.ofMillis(cap));

    long wait = backoff.wait(attempt, salt).toMillis();

    int doublings = Math.min(Math.max(attempt - 1, 0), 20);
    long full = Math.min((long) initial << doublings, cap);
    assertThat(wait).isBetween(Math.max(1, full - full / 4), Math.max(1, full));
  }

  @Test
  void aRequestIsResentWithTheSameIntentUntilItTimesOut() {
    var backoff = new Backoff(Duration.ofMillis(100), Duration.ofMillis(400));
    var exchange = Exchange.request(PEER, MESSAGE, backoff, Duration.ofSeconds(2), START);
    var open = Exchanges.<String>none().begin("one", exchange);
    int resends = 0;
    boolean timedOut = false;

    for (int millis = 0; millis <= 3_000; millis += 10) {
      var ticked = open.tick(START.plusMillis(millis));
      assertThat(ticked.resend()).allMatch(again -> again.message().equals(MESSAGE));
      resends += ticked.resend().size();
      timedOut |= ticked.timedOut().contains("one");
      open = ticked.rest();
    }

    assertThat(timedOut).isTrue();
    assertThat(resends).isBetween(4, 10);
    assertThat(open.open()).isEmpty();
  }

  @Test
  void aReliableNotificationIsResentForEverButEverMoreSeldom() {
    var backoff = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(10));
    var exchange = Exchange.reliableNotification(PEER, MESSAGE, backoff, START);
    var open = Exchanges.<String>none().begin("one", exchange);
    int resends = 0;

    for (int second = 0; second < 3_600; second++) {
      var ticked = open.tick(START.plusSeconds(second));
      resends += ticked.resend().size();
      open = ticked.rest();
    }

    assertThat(resends).isBetween(340, 500);
    assertThat(open.end("one").end("one").open()).isEmpty();
  }

  /** So two parties that begin together do not go on in step. */
  @Test
  void theWaitsOfDifferentPartiesDiffer() {
    var backoff = new Backoff(Duration.ofSeconds(10), Duration.ofSeconds(10));

    var waits = IntStream.range(0, 100).mapToObj(salt -> backoff.wait(1, salt)).distinct();

    assertThat(waits).hasSizeGreaterThan(50);
  }

  @Test
  void aCommandIsResentUntilItTimesOut() {
    var backoff = new Backoff(Duration.ofMillis(100), Duration.ofMillis(400));

    var command = Exchange.command(PEER, MESSAGE, backoff, Duration.ofSeconds(2), START);

    assertThat(command.isTimedOut(START.plusMillis(1_999))).isFalse();
    assertThat(command.isTimedOut(START.plusMillis(2_000))).isTrue();
    assertThat(command.isDue(START.plusMillis(50))).isFalse();
    assertThat(command.isDue(START.plusMillis(100))).isTrue();
  }

  @Test
  void eachSendIsCountedAndOneThatTakesThePlaceOfAnotherGoesOnCounting() {
    var backoff = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(10));
    var third =
        Exchange.request(PEER, MESSAGE, backoff, Duration.ofMinutes(1), START)
            .resent(START)
            .resent(START);
    assertThat(third.sends()).isEqualTo(3);

    var next =
        Exchange.request(PEER, MESSAGE, backoff, Duration.ofMinutes(1), START).after(3, START);

    assertThat(next).isEqualTo(third);
  }

  @Test
  void whatIsResentCanBeReplacedAndItsWaitsStay() {
    var backoff = new Backoff(Duration.ofMillis(100), Duration.ofMillis(400));
    var exchange = Exchange.request(PEER, MESSAGE, backoff, Duration.ofSeconds(2), START);
    var other = new StartupNotification(new RequestId("other"), START, MESSAGE.contract());
    var open = Exchanges.<String>none().begin("one", exchange.withMessage(other));

    assertThat(open.get("two")).isEmpty();
    assertThat(open.get("one"))
        .hasValueSatisfying(
            replaced -> {
              assertThat(replaced.message()).isEqualTo(other);
              assertThat(replaced.withMessage(MESSAGE)).isEqualTo(exchange);
            });
  }
}
