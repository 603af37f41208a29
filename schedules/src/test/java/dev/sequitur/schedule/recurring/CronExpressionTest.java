package dev.sequitur.schedule.recurring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What an expression means is what the library of its parser says time by time (REC-14); our sets
 * only find it sooner.
 */
class CronExpressionTest {
  private static final long YEARS_90 = 2_840_000_000_000L;

  @Property(tries = 1_500)
  void anExpressionNamesTheTimesThatItsLibraryFindsOneByOne(
      @ForAll("expressions") String text,
      @ForAll("zones") String zone,
      @ForAll @LongRange(min = 0, max = YEARS_90) long from) {
    var cadence = new CronCadence(text, zone);
    long last = from;
    for (int i = 0; i < 4; i++) {
      var next = cadence.after(last);
      assertThat(next).as("%s in %s after %s", text, zone, last).isEqualTo(slow(text, zone, last));
      if (next.isEmpty()) {
        return;
      }
      last = next.get();
    }
  }

  /** Around each change of the clocks of a zone, where times are jumped over or shown twice. */
  @Property(tries = 500)
  void soItDoesWhereTheClocksChange(
      @ForAll("expressions") String text,
      @ForAll("zones") String zone,
      @ForAll @LongRange(min = 0, max = YEARS_90) long from,
      @ForAll @IntRange(min = -180, max = 180) int minutes) {
    var change = ZoneId.of(zone).getRules().nextTransition(Instant.ofEpochMilli(from));
    if (change != null) {
      long near = Math.max(0, change.getInstant().toEpochMilli() + minutes * 60_000L);
      assertThat(new CronCadence(text, zone).after(near)).isEqualTo(slow(text, zone, near));
    }
  }

  @Property(tries = 1_000)
  void timesAreAsManyAsAreFoundOneAfterTheOther(
      @ForAll("expressions") String text,
      @ForAll("zones") String zone,
      @ForAll @LongRange(min = 0, max = YEARS_90) long from,
      @ForAll @IntRange(max = 3_000) int steps) {
    var cadence = new CronCadence(text, zone);
    var times = cadence.after(from, Long.MAX_VALUE, steps);
    long last = times.isEmpty() ? from : times.get(times.size() - 1);

    assertThat(cadence.count(from, last)).isEqualTo(times.size());
    assertThat(cadence.count(from, last - 1)).isEqualTo(Math.max(0, times.size() - 1));
    assertThat(cadence.count(last, from)).isZero();
  }

  @Property(tries = 300)
  void timesOfAFixedFrequencyAreCountedLikewise(
      @ForAll @LongRange(min = 0, max = 100) long first,
      @ForAll @LongRange(min = 1, max = 100) long every,
      @ForAll @LongRange(min = 0, max = 1_000) long from,
      @ForAll @IntRange(max = 50) int steps) {
    var cadence = new Cadence.Every(first, every);
    var times = cadence.after(from, Long.MAX_VALUE, steps);
    long last = times.isEmpty() ? from : times.get(times.size() - 1);

    assertThat(cadence.count(from, last)).isEqualTo(times.size());
    assertThat(cadence.count(last, from)).isZero();
  }

  @Test
  void aWeekOfMinutesHasAsManyTimesAsItHasMinutesThatTheClockShows() {
    var zurich = new CronCadence("* * * * *", "Europe/Zurich");

    assertThat(weekFrom(zurich, "2026-11-22T08:00:00Z")).isEqualTo(7 * 24 * 60);
    // What is shown twice counts twice; what is jumped over is one with the moment after the jump.
    assertThat(weekFrom(zurich, "2026-10-22T08:00:00Z")).isEqualTo(7 * 24 * 60);
    assertThat(weekFrom(zurich, "2026-03-26T08:00:00Z")).isEqualTo(7 * 24 * 60);
  }

  /** The clock shows 02:00 to 03:00 twice, from 00:00 on and from 01:00 on in UTC. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "*/15 * * * *   | 24",
        "0 * * * *      | 6",
        "0 0-23 * * *   | 6",
        "0 2/1 * * *    | 5",
        "0 */2 * * *    | 3",
        "30 1,*/2 * * * | 4",
        // Certain hours of the day run once.
        "30 2 * * *     | 1",
        "*/15 2 * * *   | 4",
        "0 0-4 * * *    | 4",
        "0 2,3 * * *    | 2",
      })
  void hoursAsTheyComeFollowRealTimeThroughTheHourThatTheClockShowsTwice(
      String expression, int times) {
    var berlin = new CronCadence(expression, "Europe/Berlin");
    long before = Instant.parse("2026-10-24T22:30:00Z").toEpochMilli();
    long until = Instant.parse("2026-10-25T04:30:00Z").toEpochMilli();

    assertThat(berlin.after(before, until, 100).stream().filter(at -> at <= until)).hasSize(times);
    assertThat(berlin.count(before, until)).isEqualTo(times);
  }

  @Test
  void aQuarterOfAnHourIsOneInTheHourThatTheClockShowsTwice() {
    var quarters = new CronCadence("*/15 * * * *", "Europe/Berlin");
    long start = Instant.parse("2026-10-24T22:00:00Z").toEpochMilli();

    for (long at = start; at < start + 6 * 3_600_000; at += 900_000) {
      assertThat(quarters.after(at)).contains(at + 900_000);
      assertThat(quarters.after(at + 1)).contains(at + 900_000);
      assertThat(quarters.count(at, at + 900_000)).isOne();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        /** What a range means (REC-17). */
        "0 9 * * FRI-MON   | 0 9 * * 5,6,0,1",
        "0 9 * * SUN-MON   | 0 9 * * 0,1",
        "0 9 * * SUN-7     | 0 9 * * 0",
        "0 9 * * SUN-SUN   | 0 9 * * 0",
        "0 9 * * 7-2       | 0 9 * * 0,1,2",
        "0 9 * * 5-0       | 0 9 * * 5,6,0",
        "0 9 * * 0-7       | 0 9 * * 0-6",
        "0 9 * * SUN-SAT   | 0 9 * * 0-6",
        "0 9 * * TUE-MON   | 0 9 * * 0-6",
        "0 9 * * FRI-MON/2 | 0 9 * * 5,0",
        "0 9 1 NOV-FEB *   | 0 9 1 11,12,1,2 *",
        "0 22-2 * * *      | 0 22,23,0,1,2 * * *",
        "0 22-2/2 * * *    | 0 22,0,2 * * *",
        "50-10 9 * * *     | 50-59,0-10 9 * * *",
        "0 9 28-3 * *      | 0 9 28-31,1-3 * *",
        "0 9 L-2,L * *     | 0 9 L,L-2 * *",
      })
  void aRangeMayGoOnAtTheBeginningOfItsField(String range, String each) {
    long from = Instant.parse("2026-11-29T12:00:00Z").toEpochMilli();
    var times = new CronCadence(range, "UTC").after(from, Long.MAX_VALUE, 200);

    assertThat(times).isEqualTo(new CronCadence(each, "UTC").after(from, Long.MAX_VALUE, 200));
  }

  /** Which the library's own sets leave out of a list. */
  @Test
  void theLastDayOfAMonthIsADayInAListToo() {
    var cadence = new CronCadence("0 9 15,L * *", "UTC");
    long from = Instant.parse("2026-02-01T00:00:00Z").toEpochMilli();

    assertThat(cadence.after(from, Long.MAX_VALUE, 4).stream().map(Instant::ofEpochMilli))
        .map(Instant::toString)
        .containsExactly(
            "2026-02-15T09:00:00Z",
            "2026-02-28T09:00:00Z",
            "2026-03-15T09:00:00Z",
            "2026-03-31T09:00:00Z");
  }

  /** What is refused (REC-17). */
  @ParameterizedTest
  @CsvSource({"0 9 */1 * MON", "0 9 1 * */1", "0 9 */1 * 1-5"})
  void aStepOfOneBesideAnotherDayIsRefusedSinceItIsReadInTwoWays(String expression) {
    assertThatThrownBy(() -> new CronExpression(expression))
        .hasMessageContaining("write * if the other field alone names the days");
  }

  @Test
  void aStepOfOneIsAnythingElsewhere() {
    var all = new CronCadence("*/1 */1 */1 */1 */1", "UTC");

    assertThat(all.after(0, Long.MAX_VALUE, 50))
        .isEqualTo(new CronCadence("* * * * *", "UTC").after(0, Long.MAX_VALUE, 50));
  }

  private static long weekFrom(Cadence cadence, String from) {
    long ms = Instant.parse(from).toEpochMilli();
    return cadence.count(ms, ms + 7 * 86_400_000L);
  }

  @Test
  void noTimeIsSoFarAwayThatItIsNoNumber() {
    assertThat(new CronCadence("* * * * *", "UTC").after(Long.MAX_VALUE)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    /** What names mean (REC-17). */
    "@yearly, 0 0 1 1 *",
    "@annually, 0 0 1 1 *",
    "@monthly, 0 0 1 * *",
    "@weekly, 0 0 * * SUN",
    "@daily, 0 0 * * *",
    "' @midnight ', 0 0 * * *",
    "@hourly, 0 * * * *"
  })
  void whatHasANameIsWhatItStandsFor(String name, String fields) {
    for (var zone : List.of("UTC", "Europe/Zurich")) {
      assertThat(new CronCadence(name, zone).after(0, Long.MAX_VALUE, 400))
          .isEqualTo(new CronCadence(fields, zone).after(0, Long.MAX_VALUE, 400));
    }
    assertThat(new CronExpression(name)).hasToString(name).isNotEqualTo(new CronExpression(fields));
  }

  @ParameterizedTest
  @ValueSource(strings = {"@reboot", "@Daily", "@", "@daily * * * *"})
  void anotherNameIsToldWhichThereAre(String name) {
    assertThatThrownBy(() -> new CronExpression(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith(
            "write five fields, or one of @yearly, @annually, @monthly, @weekly, @daily, @midnight,"
                + " @hourly.");
  }

  @Test
  void twoAreEqualIfTheyAreWrittenAlike() {
    assertThat(new CronExpression("0 9 * * *"))
        .isEqualTo(new CronExpression("0 9 * * *"))
        .hasSameHashCodeAs(new CronExpression("0 9 * * *"))
        .isNotEqualTo(new CronExpression("0 9 * * 0-6"))
        .hasToString("0 9 * * *");
  }

  @Provide
  Arbitrary<String> zones() {
    return Arbitraries.of(
        "UTC",
        "+05:45",
        "Europe/Zurich",
        "America/New_York",
        "Australia/Lord_Howe",
        "Australia/Adelaide",
        "Africa/Casablanca",
        "Asia/Kathmandu",
        "America/Sao_Paulo",
        "Pacific/Apia",
        "America/Havana",
        "Antarctica/Troll");
  }

  @Provide
  Arbitrary<String> expressions() {
    return Combinators.combine(
            field(0, 59, "*"),
            field(0, 23, "*"),
            Arbitraries.frequencyOf(
                Tuple.of(4, field(1, 31, "*")), Tuple.of(1, Arbitraries.just("L"))),
            Arbitraries.oneOf(
                Arbitraries.just("*"), field(1, 12, "*"), Arbitraries.of("JAN", "FEB-MAY", "2")),
            Arbitraries.oneOf(
                Arbitraries.just("*"),
                field(0, 6, "*"),
                Arbitraries.of("7", "MON-FRI", "SUN", "SAT,SUN", "5-7", "0-7", "*/2", "1,7")))
        .as(
            (minute, hour, day, month, weekday) ->
                String.join(" ", minute, hour, day, month, weekday))
        .filter(CronExpressionTest::isOne);
  }

  private static boolean isOne(String text) {
    try {
      slow(text, "UTC", 0);
      // A step of one beside another day is refused.
      var unused = new CronExpression(text);
      return true;
    } catch (IllegalArgumentException | DateTimeException e) {
      return false;
    }
  }

  private static Arbitrary<String> field(int first, int last, String any) {
    var value = Arbitraries.integers().between(first, last);
    var range =
        Combinators.combine(value, value)
            .as((one, other) -> Math.min(one, other) + "-" + Math.max(one, other));
    var step = Arbitraries.integers().between(1, Math.max(1, last / 2));
    return Arbitraries.oneOf(
        Arbitraries.just(any),
        Arbitraries.just(any),
        value.map(String::valueOf),
        range,
        step.map(each -> "*/" + each),
        Combinators.combine(range, step).as((of, each) -> of + "/" + each),
        Combinators.combine(value, step).as((of, each) -> of + "/" + each),
        value.list().ofMinSize(2).ofMaxSize(5).map(CronExpressionTest::list),
        Combinators.combine(value, range).as((one, more) -> one + "," + more));
  }

  private static String list(List<Integer> values) {
    return values.stream().map(String::valueOf).reduce((one, other) -> one + "," + other).get();
  }

  /** As it was done time by time. */
  private static Optional<Long> slow(String text, String zone, long ms) {
    var times = ExecutionTime.forCron(new CronParser(CronExpression.FIELDS).parse(text).validate());
    var rules = ZoneId.of(zone).getRules();
    var once = once(times, rules, ms);
    return once.isPresent() && new CronExpression(text).followsRealTime()
        ? again(times, rules, ms, once.get()).or(() -> once)
        : once;
  }

  private static Optional<Long> once(ExecutionTime times, ZoneRules rules, long ms) {
    var from = Instant.ofEpochMilli(ms);
    var local = LocalDateTime.ofInstant(from, rules.getOffset(from));
    while (true) {
      var next = times.nextExecution(local.atZone(ZoneOffset.UTC));
      if (next.isEmpty()) {
        return Optional.empty();
      }
      local = next.get().toLocalDateTime();
      var change = rules.getTransition(local);
      var instant =
          change != null && change.isGap()
              ? change.getInstant()
              : local.toInstant(rules.getValidOffsets(local).get(0));
      if (instant.toEpochMilli() > ms) {
        return Optional.of(instant.toEpochMilli());
      }
    }
  }

  /** Minute by minute of what the clock shows a second time. */
  private static Optional<Long> again(
      ExecutionTime times, ZoneRules rules, long after, long before) {
    var change = rules.nextTransition(Instant.ofEpochMilli(after).minus(Duration.ofDays(1)));
    while (change != null && change.getInstant().toEpochMilli() < before) {
      long start = change.getInstant().toEpochMilli();
      long twice = change.isOverlap() ? -change.getDuration().toMillis() : 0;
      for (long at = start; at < Math.min(before, start + twice); at += 60_000) {
        var shown =
            LocalDateTime.ofInstant(Instant.ofEpochMilli(at), change.getOffsetAfter())
                .atZone(ZoneOffset.UTC);
        if (at > after && times.isMatch(shown)) {
          return Optional.of(at);
        }
      }
      change = rules.nextTransition(change.getInstant());
    }
    return Optional.empty();
  }
}
