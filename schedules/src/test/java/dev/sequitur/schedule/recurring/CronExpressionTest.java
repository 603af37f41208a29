package dev.sequitur.schedule.recurring;

import static org.assertj.core.api.Assertions.assertThat;

import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
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
    // What is shown twice counts once; what is jumped over is one with the moment after the jump.
    assertThat(weekFrom(zurich, "2026-10-22T08:00:00Z")).isEqualTo((7 * 24 - 1) * 60);
    assertThat(weekFrom(zurich, "2026-03-26T08:00:00Z")).isEqualTo(7 * 24 * 60);
  }

  private static long weekFrom(Cadence cadence, String from) {
    long ms = Instant.parse(from).toEpochMilli();
    return cadence.count(ms, ms + 7 * 86_400_000L);
  }

  @Test
  void noTimeIsSoFarAwayThatItIsNoNumber() {
    assertThat(new CronCadence("* * * * *", "UTC").after(Long.MAX_VALUE)).isEmpty();
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
                Tuple.of(4, field(1, 31, "*")),
                Tuple.of(1, Arbitraries.just("L")),
                Tuple.of(1, field(1, 28, "L").map(each -> each + ",L"))),
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
}
