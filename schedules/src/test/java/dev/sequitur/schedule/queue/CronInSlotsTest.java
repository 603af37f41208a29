package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.BOB;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.LatePolicy;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.RetryPolicy;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.recurring.Cadence;
import dev.sequitur.schedule.recurring.CronCadence;
import dev.sequitur.schedule.recurring.Recurring;
import dev.sequitur.schedule.recurring.RecurringSettings;
import dev.sequitur.schedule.recurring.SeriesTerms;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A series runs when its slot begins, or it is refused (REC-14). */
class CronInSlotsTest {
  /** In the northern winter. */
  private static final long NOW = Instant.parse("2026-11-22T08:00:01Z").toEpochMilli();

  /** Expression, zone, slot, and what is named instead. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "30 9 * * *     | UTC            | PT1H  | : take 0 9 * * * or 0 10 * * *.",
        "20 9 * * *     | UTC            | PT1H  | : take 0 9 * * *.",
        "40 9 * * *     | UTC            | PT1H  | : take 0 10 * * *.",
        "50 23 * * *    | UTC            | PT1H  | : take 0 0 * * *.",
        "50 23 * * 5    | UTC            | PT1H  | : take 0 23 * * 5.",
        "40 9,17 1 * *  | UTC            | PT1H  | : take 0 10,18 1 * *.",
        "20 * * * *     | UTC            | PT1H  | : take 0 * * * *.",
        "50 * * * *     | UTC            | PT1H  | : take 0 * * * *.",
        "0,30 9 * * *   | UTC            | PT1H  | : take 0 9 * * *.",
        "20 0 * * 5     | UTC            | PT1H  | : take 0 0 * * 5.",
        "30 2 * * *     | UTC            | PT1H30M | : take 0 3 * * *.",
        "*/20 * * * *   | Asia/Kathmandu | PT1H  | : take 45 * * * *.",
        "20 */2 * * *   | UTC            | PT1H  | : take 0 */2 * * *.",
        "*/10 * * * *   | UTC            | PT1H  | : take 0 * * * *.",
        "15,30 9 * * *  | UTC            | PT1H  | : take 0 9 * * *.",
        "*/10 * * * *   | UTC            | PT15M | : take 0,15,30,45 * * * *.",
        "0 9 * * *      | UTC            | PT24H | : take 0 0 * * *.",
        "0 9 * * *      | Asia/Kolkata   | PT1H  | : take 30 8 * * * or 30 9 * * *.",
        "30 9 * * *     | Asia/Kathmandu | PT1H  | : take 45 9 * * *.",
        "0 9 * * *      | +05:45         | PT1H  | : take 45 8 * * *.",
      })
  void anExpressionWhoseTimesBeginNoSlotIsRefusedWithTheNearestThatDo(
      String expression, String zone, Duration slot, String sentence) {
    var refusal = refusal(expression, zone, slot);

    assertThat(refusal.code()).isEqualTo(Refusal.Code.BAD_TIME);
    assertThat(refusal.sentence()).contains("slot of " + slot, expression).endsWith(sentence);
    for (var named : sentence.substring(": take ".length(), sentence.length() - 1).split(" or ")) {
      assertThat(told(named, zone, slot)).as(named).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 9 * * MON-FRI  | Europe/Zurich      | PT1H",
        "30 9 * * *       | Asia/Kolkata       | PT1H",
        "30 2 * * *       | Australia/Adelaide | PT1H",
        "*/15 * * * *     | Asia/Kathmandu     | PT15M",
        "30 9 * * *       | Australia/Lord_Howe| PT30M",
        "* * * * *        | Europe/Zurich      | PT1M",
        "0 0 * * 4        | UTC                | PT168H",
        "0 1 1 1 *        | Europe/Zurich      | PT24H",
      })
  void anExpressionWhoseTimesAllBeginSlotsIsTaken(String expression, String zone, Duration slot) {
    assertThat(told(expression, zone, slot)).isEmpty();
  }

  /** At UTC+11 until 4 April 2027, then at UTC+10:30. */
  @Test
  void oneThatAChangeOfTheOffsetMovesOffTheSlotsIsRefusedAndToldWhen() {
    assertThat(refusal("0 9 * * *", "Australia/Lord_Howe", Duration.ofHours(1)).sentence())
        .contains("2027-04-03T22:30:00Z", "such as UTC")
        .doesNotContain("30 9");
    // Nobody knows of a time in its winter.
    assertThat(told("0 9 * 12,1 *", "Australia/Lord_Howe", Duration.ofHours(1))).isEmpty();
    // At UTC+1 until 28 March 2027.
    assertThat(refusal("0 1 * * *", "Europe/Zurich", Duration.ofDays(1)).sentence())
        .contains("2027-03-28T23:00:00Z");
  }

  @Test
  void aSlotThatNoDayIsMadeOfIsLookedAtForTimesToCome() {
    assertThat(refusal("0 0 * * *", "UTC", Duration.ofHours(7)).code())
        .isEqualTo(Refusal.Code.BAD_TIME);
    assertThat(refusal("0 0 * * 1", "UTC", Duration.ofDays(7)).code())
        .isEqualTo(Refusal.Code.BAD_TIME);
    // The two of 2026 are Thursdays, as slots of seven days begin; those of 2027 are Fridays.
    assertThat(refusal("0 0 3,10 12 *", "UTC", Duration.ofDays(7)).sentence())
        .contains("2027-12-03T00:00:00Z");
  }

  @Test
  void aFrequencyOfNoWholeSlotsIsRefusedWithTheNearestThatIs() {
    var hour = Duration.ofHours(1);
    assertThat(refusal(every(hour.multipliedBy(5).dividedBy(2)), hour).sentence())
        .contains("PT2H", "PT3H");
    assertThat(refusal(every(Duration.ofMinutes(100)), hour).sentence()).endsWith("PT2H.");
    assertThat(refusal(every(Duration.ofMinutes(5)), hour).sentence()).endsWith(": take PT1H.");
    assertThat(refusal(every(Duration.ofMinutes(30)), hour).sentence()).endsWith(": take PT1H.");
  }

  private static Cadence every(Duration frequency) {
    long first = Instant.parse("2026-11-22T10:00:00Z").toEpochMilli();
    return new Cadence.Every(first, frequency.toMillis());
  }

  private static Refusal refusal(String expression, String zone, Duration slot) {
    return told(expression, zone, slot).orElseThrow();
  }

  private static Refusal refusal(Cadence cadence, Duration slot) {
    return told(cadence, slot).orElseThrow();
  }

  private static Optional<Refusal> told(String expression, String zone, Duration slot) {
    return told(new CronCadence(expression, zone), slot);
  }

  private static Optional<Refusal> told(Cadence cadence, Duration slot) {
    var settings = new RecurringSettings(slot, Duration.ofDays(180), 24, 2, 2, 3, 64, false);
    var queue = new QueueUnderTest(QueueSetup.of(OPERATOR, new Recurring(settings)));
    queue.nowMs = NOW;
    queue.fund(ALICE, 1_000);
    var terms = new SeriesTerms(Bytes.utf8("a"), cadence, Optional.empty());
    var proposal =
        new Proposal(
            ALICE,
            terms,
            new Target.Transfer(BOB, new Amount(1)),
            LatePolicy.AS_SPECIFIED,
            RetryPolicy.NEVER);
    queue.tell(new Command("propose", ALICE, new Operation.Propose(proposal)));
    return queue.answer().refusal();
  }
}
