package dev.sequitur.protocol.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.message.StartupNotification;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How long an answer is waited for (EXC-7). */
final class AnswerTimesTest {
  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
  private static final NodeName PEER = new NodeName("peer");
  private static final NodeName OTHER = new NodeName("other");
  private static final Duration SET = Duration.ofSeconds(2);

  private static Exchange question(NodeName to, Instant now) {
    return Exchange.request(
        to,
        new StartupNotification(
            new RequestId("question"), now, new ContractAddress("0x" + "00".repeat(20))),
        new Backoff(Duration.ofMillis(100), Duration.ofMillis(400)),
        SET,
        now);
  }

  private static AnswerTimes<Integer> after(List<Integer> millis) {
    var times = AnswerTimes.<Integer>none();
    for (int number = 0; number < millis.size(); number++) {
      times =
          times
              .asked(number, question(PEER, START), SET)
              .answered(number, PEER, START.plusMillis(millis.get(number)));
    }
    return times;
  }

  /** By hand, as RFC 6298 has it: smoothed and four deviations, within 2 and 6 seconds. */
  @ParameterizedTest
  @CsvSource({
    "'', 2000",
    "100, 2000",
    "600, 2000",
    "1000, 3000",
    "1000 1000, 2500",
    "1000 1000 1000, 2125",
    "1000 1800, 3400",
    "3000, 6000",
    "5000, 6000",
    "600000, 6000"
  })
  void waitsAsLongAsAnswersHaveTakenAndTheirSpreadAllows(String answers, long wait) {
    var millis =
        answers.isEmpty()
            ? List.<Integer>of()
            : List.of(answers.split(" ")).stream().map(Integer::valueOf).toList();

    assertThat(after(millis).patience(PEER, SET)).isEqualTo(Duration.ofMillis(wait));
  }

  @Property
  void theWaitIsNeverBelowWhatIsSetAndNeverBeyondThreeTimesThat(
      @ForAll @Size(max = 100) List<@IntRange(max = 1_000_000) Integer> millis,
      @ForAll @IntRange(min = 1, max = 100_000) int set) {
    var patience = after(millis).patience(PEER, Duration.ofMillis(set));

    assertThat(patience)
        .isBetween(
            Duration.ofMillis(set), Duration.ofMillis(set).multipliedBy(AnswerTimes.MOST_TIMES));
  }

  @Property
  void whoAlwaysTakesTheSameTimeIsWaitedForThatLongAndLittleMore(
      @ForAll @IntRange(min = 2_000, max = 5_900) int millis) {
    var patience = after(Collections.nCopies(40, millis)).patience(PEER, SET);

    assertThat(patience.toMillis()).isBetween((long) millis, millis + 100L);
  }

  @Property
  void whoHasBeenSlowForLongIsWaitedForNoLongerOnceItIsFast(
      @ForAll @Size(max = 100) List<@IntRange(max = 1_000_000) Integer> millis) {
    var fast = new ArrayList<>(millis);
    fast.addAll(Collections.nCopies(30, 10));

    assertThat(after(fast).patience(PEER, SET)).isEqualTo(SET);
  }

  @Test
  void anAnswerThatComesTooLateCountsForTheNextQuestion() {
    var times = AnswerTimes.<Integer>none().asked(1, question(PEER, START), SET);
    var exchanges = Exchanges.<Integer>none().begin(1, question(PEER, START));
    assertThat(exchanges.tick(START.plus(SET)).timedOut()).containsExactly(1);

    var late = times.answered(1, PEER, START.plusMillis(2_500));

    assertThat(times.patience(PEER, SET)).isEqualTo(SET);
    assertThat(late.patience(PEER, SET)).isEqualTo(Duration.ofSeconds(6));
  }

  @Test
  void whoDoesNotAnswerIsWaitedForNoLonger() {
    var times = AnswerTimes.<Integer>none();
    for (int number = 0; number < 10; number++) {
      times = times.asked(number, question(PEER, START), SET);
    }

    assertThat(times.patience(PEER, SET)).isEqualTo(SET);
  }

  @Test
  void ofTwoAnswersToOneQuestionTheFirstCounts() {
    var once = after(List.of(1_000));

    assertThat(once.answered(0, PEER, START.plusSeconds(50))).isEqualTo(once);
  }

  @Test
  void whatAnotherNodeSaysToAQuestionTellsNothing() {
    var asked = AnswerTimes.<Integer>none().asked(1, question(PEER, START), SET);

    var answered = asked.answered(1, OTHER, START.plusSeconds(5));

    assertThat(answered).isEqualTo(asked);
    assertThat(answered.patience(OTHER, SET)).isEqualTo(SET);
  }

  @Test
  void whatOneNodeTakesChangesNothingForAnother() {
    assertThat(after(List.of(5_000)).patience(OTHER, SET)).isEqualTo(SET);
  }

  @Test
  void anAnswerIsMeasuredFromTheQuestionThatThisOneTookThePlaceOf() {
    var first = question(PEER, START);
    var second = question(PEER, START.plusSeconds(1)).inPlaceOf(first);

    var times =
        AnswerTimes.<Integer>none()
            .asked(1, second, SET)
            .answered(1, PEER, START.plusSeconds(1).plusMillis(500));

    assertThat(times.patience(PEER, SET)).isEqualTo(Duration.ofMillis(4_500));
  }

  @Test
  void ofThoseThatAreNeverAnsweredTheNewestAreRemembered() {
    var times = AnswerTimes.<Integer>none();
    for (int number = 0; number < 1_000; number++) {
      times = times.asked(number, question(PEER, START), SET);
    }

    assertThat(times.open()).hasSize(AnswerTimes.MOST_OPEN);
    assertThat(times.order()).hasSize(AnswerTimes.MOST_OPEN);
    assertThat(times.answered(0, PEER, START.plusSeconds(5)).measured()).isEmpty();
    assertThat(times.answered(999, PEER, START.plusSeconds(5)).measured()).hasSize(1);
  }
}
