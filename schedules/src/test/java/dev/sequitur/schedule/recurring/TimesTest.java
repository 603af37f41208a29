package dev.sequitur.schedule.recurring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.ScheduleId;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** The times that a series has: found and counted as if each time of its cadence were looked at. */
class TimesTest {
  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final long START = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();

  @Property(tries = 500)
  void theyAreThoseOfTheCadenceBetweenStartAndEnd(
      @ForAll("cadences") Cadence cadence,
      @ForAll @LongRange(min = 0, max = 2_000) long start,
      @ForAll @LongRange(min = 0, max = 2_000) long span,
      @ForAll @LongRange(min = 0, max = 3_000) long from,
      @ForAll @LongRange(min = 0, max = 1_000) long until,
      @ForAll("lists") Optional<DaysOff> off) {
    long notBefore = START + start * HOUR;
    var policy =
        new SeriesPolicy(
            notBefore,
            notBefore + span * HOUR,
            SeriesPolicy.NO_LIST,
            Overlap.WAIT,
            Duration.ZERO,
            0);
    var times = new Times(cadence, policy, off);
    long after = START + from * HOUR;
    long last = after + until * HOUR;

    var expected = new ArrayList<Long>();
    for (var time = cadence.after(after);
        time.isPresent() && time.get() <= last;
        time = cadence.after(time.get())) {
      if (time.get() >= policy.notBeforeMs()
          && time.get() <= policy.notAfterMs()
          && !isOff(off, time.get())) {
        expected.add(time.get());
      }
    }

    assertThat(found(times, after, last)).isEqualTo(expected);
    assertThat(times.count(after, last)).isEqualTo(expected.size());
  }

  private static boolean isOff(Optional<DaysOff> off, long ms) {
    return off.map(
            list ->
                list.days()
                    .contains(
                        Instant.ofEpochMilli(ms)
                            .atZone(ZoneId.of(list.zone()))
                            .toLocalDate()
                            .toEpochDay()))
        .orElse(false);
  }

  @Property(tries = 300)
  void aTimeWithItsJitterIsFoundAgain(
      @ForAll("cadences") Cadence cadence,
      @ForAll @LongRange(min = 0, max = 24 * 60) long minutes,
      @ForAll @LongRange(min = 0, max = 3_000) long from,
      @ForAll long seed,
      @ForAll("lists") Optional<DaysOff> off) {
    var settings = RecurringSettings.DEFAULT;
    var policy =
        new SeriesPolicy(
            0,
            SeriesPolicy.NO_END,
            SeriesPolicy.NO_LIST,
            Overlap.WAIT,
            Duration.ofMinutes(minutes),
            0);
    var id = new ScheduleId(FamilyKind.RECURRING, new Hash(seed, 0, 0, 0));
    var jitter = Jitter.of(settings, id, new Times(cadence, policy, off));

    long before = -1;
    for (long time : jitter.times().after(START + from * HOUR, Long.MAX_VALUE, 10)) {
      long slot = settings.slotFrom(time);
      if (slot > before) {
        long planned = jitter.planned(slot);
        assertThat(planned).isBetween(slot, slot + minutes).isGreaterThan(before);
        assertThat(jitter.time(planned)).isEqualTo(slot);
        before = planned;
      }
    }
  }

  @Provide
  Arbitrary<Optional<DaysOff>> lists() {
    long first = LocalDate.of(2026, 1, 1).toEpochDay();
    return Arbitraries.longs()
        .between(first, first + 200)
        .list()
        .ofMaxSize(60)
        .flatMap(
            days ->
                Arbitraries.of("UTC", "Europe/Zurich", "Pacific/Apia", "-11:00")
                    .map(zone -> new DaysOff(zone, days)))
        .optional(0.8);
  }

  /** Days off are bounded (REC-19). */
  @Test
  void aListHasSoManyDaysOnTheCalendarAndAZone() {
    var most = LongStream.range(0, DaysOff.MOST_DAYS).boxed().toList();
    assertThat(new DaysOff("UTC", List.of(3L, 1L, 3L)).days()).containsExactly(1L, 3L);
    assertThat(new DaysOff("UTC", most).days()).hasSize(DaysOff.MOST_DAYS);
    var tooMany = LongStream.rangeClosed(0, DaysOff.MOST_DAYS).boxed().toList();
    assertThatThrownBy(() -> new DaysOff("UTC", tooMany)).hasMessageContaining("at most 1000 days");
    assertThatThrownBy(() -> new DaysOff("UTC", List.of(-1L))).hasMessageContaining("between 1970");
    assertThatThrownBy(() -> new DaysOff("Mars", List.of())).hasMessageContaining("Mars");
  }

  private static List<Long> found(Times times, long after, long last) {
    return times.after(after, last, Integer.MAX_VALUE).stream().filter(at -> at <= last).toList();
  }

  @Test
  void withoutAPolicyTheyAreThoseOfTheCadence() {
    var cadence = new CronCadence("0 9 * * 1-5", "Europe/Zurich");
    var times = new Times(cadence, SeriesPolicy.NONE, Optional.empty());
    assertThat(times.after(START)).isEqualTo(cadence.after(START));
    assertThat(times.count(START, START + 900 * HOUR))
        .isEqualTo(cadence.count(START, START + 900 * HOUR));
  }

  @Test
  void nothingIsBetweenAnEndAndALaterStart() {
    assertThatThrownBy(() -> between(2, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> between(-1, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThat(between(0, SeriesPolicy.NO_END).start()).isEmpty();
    assertThat(between(0, SeriesPolicy.NO_END).end()).isEmpty();
    assertThat(between(1, 2).start()).isEqualTo(Optional.of(1L));
    assertThat(between(1, 2).end()).isEqualTo(Optional.of(2L));
  }

  private static SeriesPolicy between(long first, long last) {
    return new SeriesPolicy(first, last, SeriesPolicy.NO_LIST, Overlap.WAIT, Duration.ZERO, 0);
  }

  @Provide
  Arbitrary<Cadence> cadences() {
    return Arbitraries.of(
        new CronCadence("0 * * * *", "Europe/Zurich"),
        new CronCadence("0 2,3 * * *", "Europe/Zurich"),
        new CronCadence("*/20 */5 * * 1-5", "America/New_York"),
        new CronCadence("0 12 L * *", "UTC"),
        new CronCadence("0 0 1 * 0", "Asia/Tokyo"),
        new Cadence.Every(START + 90 * HOUR, 5 * HOUR));
  }
}
