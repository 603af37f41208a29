package dev.sequitur.schedule.recurring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** In 2026 Zurich's clocks jump from 2 to 3 on 29 March and from 3 back to 2 on 25 October. */
class CadenceTest {
  private static final String ZURICH = "Europe/Zurich";

  @Test
  void aCronExpressionNamesTimesOfTheClockOnTheWall() {
    assertThat(times("0 9 * * MON-FRI", "2026-03-27T12:00:00Z", 2))
        .containsExactly("2026-03-30T07:00:00Z", "2026-03-31T07:00:00Z");
    assertThat(times("30 9 1 * *", "2026-02-01T12:00:00Z", 3))
        .containsExactly("2026-03-01T08:30:00Z", "2026-04-01T07:30:00Z", "2026-05-01T07:30:00Z");
  }

  @Test
  void theLastDayOfAMonthIsL() {
    assertThat(times("0 12 L * *", "2026-02-01T00:00:00Z", 3))
        .containsExactly("2026-02-28T11:00:00Z", "2026-03-31T10:00:00Z", "2026-04-30T10:00:00Z");
  }

  /** What a cron expression names (REC-17). */
  @Test
  void whatTheClockJumpsOverRunsOnceAtTheMomentAfterTheJump() {
    assertThat(times("30 2 * * *", "2026-03-28T12:00:00Z", 2))
        .containsExactly("2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z");
    assertThat(times("*/20 2 * * *", "2026-03-29T00:30:00Z", 2))
        .containsExactly("2026-03-29T01:00:00Z", "2026-03-30T00:00:00Z");
  }

  /** What a cron expression names (REC-17). */
  @Test
  void aCertainHourThatTheClockShowsTwiceCountsTheFirstTimeOnly() {
    assertThat(times("30 2 * * *", "2026-10-24T12:00:00Z", 2))
        .containsExactly("2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z");
    assertThat(times("0 2,3 * * *", "2026-10-24T23:30:00Z", 3))
        .containsExactly("2026-10-25T00:00:00Z", "2026-10-25T02:00:00Z", "2026-10-26T01:00:00Z");
  }

  /** What a cron expression names (REC-17). */
  @Test
  void hoursAsTheyComeFollowRealTime() {
    assertThat(times("0 * * * *", "2026-10-24T23:30:00Z", 3))
        .containsExactly("2026-10-25T00:00:00Z", "2026-10-25T01:00:00Z", "2026-10-25T02:00:00Z");
  }

  @Test
  void askedFromInsideTheRepeatedHourNothingComesTwice() {
    assertThat(times("15,45 2 * * *", "2026-10-25T01:20:00Z", 1))
        .containsExactly("2026-10-26T01:15:00Z");
  }

  @Test
  void aFixedFrequencyDoesNotLookAtTheClockOnTheWall() {
    var day = new Cadence.Every(ms("2026-03-28T12:00:00Z"), 86_400_000);

    assertThat(times(day, "2026-03-27T00:00:00Z", 3))
        .containsExactly("2026-03-28T12:00:00Z", "2026-03-29T12:00:00Z", "2026-03-30T12:00:00Z");
  }

  @Test
  void aFixedFrequencyIsCountedFromItsFirstTime() {
    var odd = new Cadence.Every(7, 10);

    assertThat(odd.after(6)).contains(7L);
    assertThat(odd.after(7)).contains(17L);
    assertThat(odd.after(16)).contains(17L);
    assertThat(odd.after(18)).contains(27L);
    assertThat(new Cadence.Every(0, 1).after(0)).contains(1L);
    assertThat(new Cadence.Every(0, 10).after(Long.MAX_VALUE - 10)).isPresent();
    assertThat(new Cadence.Every(0, 10).after(Long.MAX_VALUE - 9)).isEmpty();
    assertThatIllegalArgumentException().isThrownBy(() -> new Cadence.Every(-1, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new Cadence.Every(0, 0));
  }

  @Test
  void ofTheTimesAfterTheLastThatIsAskedForOnlyTheFirstIsGiven() {
    var tens = new Cadence.Every(0, 10);

    assertThat(tens.after(0, 30, 9)).containsExactly(10L, 20L, 30L, 40L);
    assertThat(tens.after(0, 29, 9)).containsExactly(10L, 20L, 30L);
    assertThat(tens.after(0, 30, 2)).containsExactly(10L, 20L);
    assertThat(tens.after(0, 30, 0)).isEmpty();
  }

  @Test
  void aDayThatNoYearHasIsNeverReached() {
    assertThat(new CronCadence("0 0 30 2 *", "UTC").after(0)).isEmpty();
  }

  @Test
  void whatIsNoExpressionOrNoZoneIsRefusedWithASentence() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CronCadence("61 * * * *", "UTC"))
        .withMessageContaining("no cron expression");
    assertThatIllegalArgumentException().isThrownBy(() -> new CronCadence("* * * *", "UTC"));
    assertThatIllegalArgumentException().isThrownBy(() -> new CronCadence("", "UTC"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CronCadence("0 0 * * *" + " ".repeat(200), "UTC"))
        .withMessageContaining("at most 200");
    assertThat(new CronCadence("10" + ",0".repeat(95) + " 0 * * *", "UTC").expression().text())
        .hasSize(200);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CronCadence("0 0 * * *", "Middle-earth/Shire"))
        .withMessage(
            "There is no time zone 'Middle-earth/Shire': name one like Europe/Zurich or UTC.");
  }

  /** BST is Britain's in summer, and Bangladesh's. */
  @ParameterizedTest
  @ValueSource(strings = {"PST", "CEST", "BST", "", "Mars/Base", "x/y/z", "9:30"})
  void whatIsAlikeNoZoneIsToldNone(String written) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CronCadence("0 0 * * *", written))
        .withMessage(
            "There is no time zone '" + written + "': name one like Europe/Zurich or UTC.");
  }

  @ParameterizedTest
  @CsvSource({
    "Berlin, Europe/Berlin",
    "europe/berlin, Europe/Berlin",
    "New York, America/New_York",
    "Asia/Zurich, Europe/Zurich",
    "Europe/Berln, Europe/Berlin",
    "Europe/Zürich, Europe/Zurich",
    "Berln, Europe/Berlin",
    "Amerika/New York, America/New_York",
    "America/Los Angelos, America/Los_Angeles",
  })
  void whoLeavesOutTheContinentOrMistypesIsToldTheZone(String written, String meant) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CronCadence("0 0 * * *", written))
        .withMessage("There is no time zone '" + written + "': did you mean " + meant + "?");
  }

  @Property(tries = 200)
  void timesOnlyGoForward(
      @ForAll @LongRange(min = 0, max = 4_000_000_000_000L) long from,
      @ForAll @IntRange(max = 59) int minute,
      @ForAll @IntRange(max = 23) int hour) {
    var cadence = new CronCadence(minute + " " + hour + " * * *", ZURICH);
    long last = from;
    for (int i = 0; i < 3; i++) {
      long next = cadence.after(last).orElseThrow();
      assertThat(next).isGreaterThan(last).isLessThanOrEqualTo(last + 49 * 3_600_000L);
      last = next;
    }
  }

  private static List<String> times(String expression, String from, int count) {
    return times(new CronCadence(expression, ZURICH), from, count);
  }

  private static List<String> times(Cadence cadence, String from, int count) {
    var times = new ArrayList<String>();
    long last = ms(from);
    for (int i = 0; i < count; i++) {
      last = cadence.after(last).orElseThrow();
      times.add(Instant.ofEpochMilli(last).toString());
    }
    return times;
  }

  private static long ms(String instant) {
    return Instant.parse(instant).toEpochMilli();
  }

  /** None of the words of the library that reads it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "61 * * * * | '61' is no minute: write 0 to 59",
        "0 25 * * * | '25' is no hour: write 0 to 23",
        "0 9 32 * * | '32' is no day of month: write 1 to 31",
        "0 9 * JUNI * | 'JUNI' is no month: write 1 to 12 or JAN to DEC",
        "0 9 * * MUN | 'MUN' is no day of week: write 0 to 7 or SUN to SAT",
        "0 9 * * | write five fields, and not 4.",
        "@noon | write five fields, or one of @yearly, @annually, @monthly, @weekly, @daily,"
            + " @midnight, @hourly.",
      })
  void whatIsWrongInAnExpressionIsSaidOfItsField(String wrong, String said) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CronExpression(wrong))
        .withMessageContaining(said)
        .satisfies(
            refused ->
                assertThat(refused.getMessage().toLowerCase(Locale.ROOT))
                    .doesNotContain("expression: ", "contains", "parts", "fieldvalue"));
  }
}
