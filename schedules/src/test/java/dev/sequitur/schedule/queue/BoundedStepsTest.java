package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.BOB;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static dev.sequitur.schedule.queue.QueueUnderTest.START_MS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.machine.Work;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Conclusion;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.DueKey;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.LatePolicy;
import dev.sequitur.schedule.RetryPolicy;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.family.Schedule;
import dev.sequitur.schedule.family.Terms;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.schedule.gaspriority.GasPriorityTerms;
import dev.sequitur.schedule.plan.Plan;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.recurring.Cadence;
import dev.sequitur.schedule.recurring.CronCadence;
import dev.sequitur.schedule.recurring.Recurring;
import dev.sequitur.schedule.recurring.RecurringSettings;
import dev.sequitur.schedule.recurring.RecurringTerms;
import dev.sequitur.schedule.recurring.SeriesTerms;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * No step of a queue is the longer for what waits in it, nor for how long the node was down
 * (SCH-25): whatever there is to do is done in steps, each of which is stored.
 */
class BoundedStepsTest {
  private static final long MINUTE = Duration.ofMinutes(1).toMillis();
  private static final RecurringSettings RECURRING =
      new RecurringSettings(
          Duration.ofMinutes(1), Duration.ofDays(180), 24, 10_000, 8, 0, 64, false);
  private static final GasPrioritySettings GAS = new GasPrioritySettings(100, 8, 8, 8, 1, 64);

  /** What a step may allocate more than another, in bytes: trees grow with what they hold. */
  private static final long SLACK = 200_000;

  /** What it may take longer than another, in nanoseconds, whatever they are. */
  private static final long SOMEWHAT = 200_000;

  private static final int FEW = 50;
  private static final int MANY = 400;
  private static final Duration SHORT = Duration.ofHours(1);
  private static final Duration LONG = Duration.ofDays(60);

  private record Waiting(String name, IntFunction<QueueUnderTest> of) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Waiting> families() {
    return Stream.of(
        recurring("series by cron", cron(), LatePolicy.AS_SPECIFIED),
        recurring("series by cron, its newest run", cron(), new LatePolicy.RunOnce()),
        recurring("series by cron, all run", cron(), new LatePolicy.RunAll()),
        recurring(
            "series by cron, in a window",
            cron(),
            new LatePolicy.RunWithin(Duration.ofMinutes(30))),
        recurring(
            "series by a frequency",
            i -> series(i, new Cadence.Every(START_MS / MINUTE * MINUTE + MINUTE, MINUTE)),
            LatePolicy.AS_SPECIFIED),
        recurring("tasks", BoundedStepsTest::task, LatePolicy.AS_SPECIFIED),
        new Waiting("gas-priority", BoundedStepsTest::gasPriority),
        new Waiting("plans", BoundedStepsTest::plans));
  }

  @ParameterizedTest
  @MethodSource("families")
  void noStepGrowsWithWhatWaitsOrWithTheTimeThatHasPassed(Waiting waiting) {
    // Whatever is worked out once for all.
    longest(waiting.of().apply(FEW), SHORT);

    long little = longest(waiting.of().apply(FEW), SHORT);
    assertThat(longest(waiting.of().apply(MANY), SHORT)).isLessThan(2 * little + SLACK);
    assertThat(longest(waiting.of().apply(FEW), LONG)).isLessThan(2 * little + SLACK);
  }

  /** Since 1981 no hour of Lord Howe's begins a slot: its times are looked at one by one. */
  @Test
  void whatCannotBeCountedIsLookedAtInParts() {
    longest(hoursOfLordHowe(), Duration.ofDays(1_500));

    long little = longest(hoursOfLordHowe(), Duration.ofDays(1_500));
    assertThat(longest(hoursOfLordHowe(), Duration.ofDays(3_000))).isLessThan(2 * little);
  }

  private static QueueUnderTest hoursOfLordHowe() {
    var queue = newQueue(new Recurring(RECURRING.withSlots(Duration.ofHours(1))));
    queue.nowMs = Instant.parse("1978-06-01T00:00:00Z").toEpochMilli();
    for (int i = 0; i < FEW; i++) {
      var hours = series(i, new CronCadence("0 * * * *", "Australia/Lord_Howe"));
      queue.insert(proposal(hours, LatePolicy.AS_SPECIFIED));
    }
    return queue;
  }

  /** The longest of the blocks after an outage. */
  private static long longest(QueueUnderTest queue, Duration outage) {
    queue.nowMs += outage.toMillis();
    long longest = 0;
    for (int i = 0; i < 120; i++) {
      long work =
          Work.of(
              () ->
                  queue.state =
                      queue
                          .queue
                          .decide(queue.state, new QueueInput.CutBlock(), queue.wall())
                          .state());
      longest = Math.max(longest, work);
    }
    return longest;
  }

  @Test
  void aSeriesByCronCostsNoMoreToTakeThanOneByAFrequency() {
    var often = new Cadence.Every(START_MS / MINUTE * MINUTE + MINUTE, MINUTE);
    creation(0, often);
    creation(1, new CronCadence("* * * * *", "Europe/Zurich"));

    long frequency = creation(2, often);
    assertThat(creation(3, new CronCadence("* * * * *", "Europe/Zurich")))
        .isLessThan(10 * frequency);
  }

  private static long creation(int number, Cadence cadence) {
    var queue = newQueue(new Recurring(RECURRING));
    return Work.of(() -> queue.insert(proposal(series(number, cadence), LatePolicy.AS_SPECIFIED)));
  }

  private static Waiting recurring(String name, IntFunction<Terms> terms, LatePolicy late) {
    return new Waiting(
        name,
        count -> {
          var queue = newQueue(new Recurring(RECURRING));
          for (int i = 0; i < count; i++) {
            queue.insert(proposal(terms.apply(i), late));
          }
          return queue;
        });
  }

  private static QueueUnderTest newQueue(Recurring family) {
    var queue = new QueueUnderTest(QueueSetup.of(OPERATOR, family));
    queue.fund(ALICE, 1_000_000_000);
    return queue;
  }

  private static Proposal proposal(Terms terms, LatePolicy late) {
    return new Proposal(
        ALICE, terms, new Target.Transfer(BOB, new Amount(1)), late, RetryPolicy.NEVER);
  }

  private static IntFunction<Terms> cron() {
    return i -> series(i, new CronCadence("* * * * *", "Europe/Zurich"));
  }

  private static SeriesTerms series(int number, Cadence cadence) {
    return new SeriesTerms(Bytes.utf8("s" + number), cadence, Optional.empty());
  }

  /** Each has failed once, and its family is paused: nothing of it is tried again. */
  @Test
  void noStepGrowsWithThePlannedAttemptsOfAPausedFamily() {
    block(paused(FEW));

    long little = block(paused(FEW));
    assertThat(block(paused(250 * MANY))).isLessThan(10 * little + SOMEWHAT);
  }

  private static long block(QueueUnderTest queue) {
    queue.nowMs += LONG.toMillis();
    return Work.nanosOf(
        100,
        () -> {
          queue.queue.decide(queue.state, new QueueInput.CutBlock(), queue.wall());
          queue.queue.nextBlock(queue.state, ConsensusTime.ofMillis(queue.nowMs));
        });
  }

  private static QueueUnderTest paused(int count) {
    var queue =
        new QueueUnderTest(QueueSetup.of(OPERATOR, new Recurring(RECURRING), new GasPriority(GAS)));
    queue.accepted(OPERATOR, new Operation.Pause(FamilyKind.GAS_PRIORITY));
    queue.accepted(OPERATOR, new Operation.Shutdown(FamilyKind.RECURRING));
    var entries = queue.state.entries();
    var now = ConsensusTime.ofMillis(queue.nowMs);
    for (int i = 0; i < count; i++) {
      var id =
          new ScheduleId(FamilyKind.GAS_PRIORITY, Hash.sha256(Bytes.utf8("s" + i).toByteArray()));
      var schedule =
          new Schedule(id, 1_000 + i, AlicesProposals.call(200), 0, DueKey.of(10, 1_000 + i));
      var attempt = schedule.firstAttempt();
      entries =
          entries
              .admit(schedule)
              .start(new QueueEvent.Started(attempt, schedule.proposal().target(), 7), now)
              .conclude(attempt, new Conclusion.Failed(1, "no", true))
              .retry(attempt, now);
    }
    queue.state = queue.state.withEntries(entries);
    return queue;
  }

  private static RecurringTerms task(int number) {
    long first = START_MS / MINUTE + 1;
    var times =
        Stream.iterate(first + number % 3, slot -> slot + 1)
            .limit(24)
            .map(slot -> slot * MINUTE)
            .toList();
    return new RecurringTerms(Bytes.utf8("t" + number), List.copyOf(times));
  }

  private static QueueUnderTest gasPriority(int count) {
    var queue = new QueueUnderTest(QueueSetup.of(OPERATOR, new GasPriority(GAS)));
    queue.fund(ALICE, 1_000_000_000);
    for (int i = 0; i < count; i++) {
      var terms = new GasPriorityTerms(START_MS + 1_000 + i * 100L, 100, 1);
      queue.insert(Proposal.of(ALICE, terms, new Target.Transfer(BOB, new Amount(1))));
    }
    return queue;
  }

  private static QueueUnderTest plans(int count) {
    var plans = new PlansUnderTest();
    plans.addPlan(Plan.of(PlansUnderTest.PRICE, PlansUnderTest.WINDOW, 1_000, Optional.empty()));
    plans.buy(0, count);
    for (int i = 0; i < count; i++) {
      plans.accepted(ALICE, PlansUnderTest.pay(0, 20 + i, 1));
    }
    return plans.queue;
  }
}
