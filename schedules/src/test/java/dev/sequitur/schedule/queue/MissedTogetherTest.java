package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.BOB;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.LatePolicy;
import dev.sequitur.schedule.RetryPolicy;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.recurring.Cadence;
import dev.sequitur.schedule.recurring.CronCadence;
import dev.sequitur.schedule.recurring.Recurring;
import dev.sequitur.schedule.recurring.RecurringSettings;
import dev.sequitur.schedule.recurring.SeriesTerms;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

/**
 * What is missed together is just what would be missed one time after the other (REC-15, REC-16):
 * here each time is looked at, which the rules do not do.
 */
class MissedTogetherTest {
  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final long MINUTE = Duration.ofMinutes(1).toMillis();
  private static final RecurringSettings SETTINGS =
      new RecurringSettings(Duration.ofHours(1), Duration.ofDays(400), 24, 9, 9, 0, 64, false);

  @Property(tries = 600)
  void whatIsMissedTogetherWouldBeMissedOneByOne(
      @ForAll("cadences") Cadence cadence,
      @ForAll("policies") LatePolicy late,
      @ForAll @LongRange(min = 0, max = 8_000) long startHours,
      @ForAll @IntRange(max = 2_500 * 60) int minutes,
      @ForAll @IntRange(max = 60) int runs) {
    isMissedTogether(SETTINGS, cadence, late, startHours * HOUR, minutes * MINUTE, runs);
  }

  /** An occurrence is on time for a task's slot, or until the next comes if that is earlier. */
  @Property(tries = 600)
  void soItIsInSlotsOfAMinute(
      @ForAll("cadencesOfMinutes") Cadence cadence,
      @ForAll("policies") LatePolicy late,
      @ForAll @LongRange(min = 0, max = 8_000) long startHours,
      @ForAll @IntRange(max = 300 * 60) int seconds,
      @ForAll @IntRange(max = 60) int runs) {
    var minutes = SETTINGS.withSlot(Duration.ofMinutes(1));
    isMissedTogether(minutes, cadence, late, startHours * HOUR, seconds * 1_000L, runs);
  }

  private static void isMissedTogether(
      RecurringSettings settings,
      Cadence cadence,
      LatePolicy late,
      long startMs,
      long forMs,
      int runs) {
    var queue = new QueueUnderTest(QueueSetup.of(OPERATOR, new Recurring(settings)));
    queue.fund(ALICE, 1_000);
    queue.nowMs = Instant.parse("2026-01-01T00:00:01Z").toEpochMilli() + startMs;
    var limit = runs == 0 ? Optional.<Long>empty() : Optional.of((long) runs);
    var terms = new SeriesTerms(Bytes.utf8("s"), cadence, limit);
    var pay = new Target.Transfer(BOB, new Amount(0));
    var id = queue.insert(new Proposal(ALICE, terms, pay, late, RetryPolicy.NEVER));
    long length = settings.slot().toMillis();
    var slots = slots(cadence, length, queue.nowMs, queue.nowMs + forMs, limit);
    queue.nowMs += forMs;

    queue.block();

    var told =
        queue.state.history().of(id).stream()
            .map(each -> each.outcome() + " " + each.key().occurrence() + " " + each.occurrences())
            .findFirst();
    assertThat(told).isEqualTo(first(slots, late, queue.nowMs));
  }

  /** Those of all occurrences until now, and of the next. */
  private static List<Long> slots(
      Cadence cadence, long length, long ms, long now, Optional<Long> runs) {
    var slots = new ArrayList<Long>();
    var time = cadence.after(ms);
    while (time.isPresent() && slots.size() < runs.orElse(Long.MAX_VALUE)) {
      long slot = -Math.floorDiv(-time.get(), length) * length;
      slots.add(slot);
      time = slot > now ? Optional.empty() : cadence.after(slot);
    }
    return slots;
  }

  /** Its first outcome. */
  private static Optional<String> first(List<Long> slots, LatePolicy late, long now) {
    if (slots.get(0) > now) {
      return Optional.empty();
    }
    int missed = 0;
    while (missed < slots.size() && isMissed(slots, missed, late, now)) {
      missed++;
    }
    return Optional.of(missed == 0 ? "RUN 0 1" : "MISSED 0 " + missed);
  }

  private static boolean isMissed(List<Long> slots, int place, LatePolicy late, long now) {
    long slot = slots.get(place);
    boolean newest = place + 1 == slots.size() || slots.get(place + 1) > now;
    boolean present = newest && slot + HOUR > now;
    return switch (late) {
      case LatePolicy.RunOnce() -> !present && !newest;
      case LatePolicy.RunAll() -> false;
      case LatePolicy.RunWithin(var window) -> now - slot > window.toMillis();
      case LatePolicy.RunOnceWithin(var window) ->
          slot + window.toMillis() < now || (!present && !newest);
      default -> !present;
    };
  }

  @Provide
  Arbitrary<Cadence> cadences() {
    return Arbitraries.of(
        new CronCadence("0 * * * *", "Europe/Zurich"),
        new CronCadence("0 2,3 * * *", "Europe/Zurich"),
        new CronCadence("0 */5 * * 1-5", "America/New_York"),
        new CronCadence("0 12 L * *", "UTC"),
        new CronCadence("0 0 1 * 0", "Asia/Tokyo"),
        new CronCadence("30 9 * * *", "Asia/Kolkata"),
        new CronCadence("0 2 * * *", "Africa/Casablanca"),
        new Cadence.Every(Instant.parse("2027-01-01T00:00:00Z").toEpochMilli(), HOUR),
        new Cadence.Every(Instant.parse("2027-01-01T00:00:00Z").toEpochMilli(), 7 * HOUR));
  }

  @Provide
  Arbitrary<Cadence> cadencesOfMinutes() {
    long first = Instant.parse("2027-01-01T00:00:00Z").toEpochMilli();
    return Arbitraries.of(
        new CronCadence("*/5 * * * *", "Europe/Zurich"),
        new CronCadence("59 23 * * *", "America/St_Johns"),
        new CronCadence("30 9 * * 1-5", "Europe/Zurich"),
        new CronCadence("0,1 * * * *", "UTC"),
        new Cadence.Every(first, MINUTE),
        new Cadence.Every(first, 7 * MINUTE),
        new Cadence.Every(first + 59 * MINUTE, 61 * MINUTE));
  }

  @Provide
  Arbitrary<LatePolicy> policies() {
    return Arbitraries.of(
        LatePolicy.AS_SPECIFIED,
        new LatePolicy.Skip(),
        new LatePolicy.RunOnce(),
        new LatePolicy.RunAll(),
        new LatePolicy.RunWithin(Duration.ofMinutes(30)),
        new LatePolicy.RunWithin(Duration.ofHours(30)),
        new LatePolicy.RunOnceWithin(Duration.ofMinutes(30)),
        new LatePolicy.RunOnceWithin(Duration.ofHours(30)));
  }
}
