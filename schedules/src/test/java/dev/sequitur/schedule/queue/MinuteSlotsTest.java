package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.BOB;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.LatePolicy;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.RetryPolicy;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Forecast;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.family.Terms;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.recurring.Cadence;
import dev.sequitur.schedule.recurring.CronCadence;
import dev.sequitur.schedule.recurring.Overlap;
import dev.sequitur.schedule.recurring.Recurring;
import dev.sequitur.schedule.recurring.RecurringQuery;
import dev.sequitur.schedule.recurring.RecurringSettings;
import dev.sequitur.schedule.recurring.RecurringState;
import dev.sequitur.schedule.recurring.RecurringTerms;
import dev.sequitur.schedule.recurring.SeriesPolicy;
import dev.sequitur.schedule.recurring.SeriesTerms;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** As it is by default: series in slots of a minute, and tasks in slots of an hour (REC-1). */
class MinuteSlotsTest {
  private static final long MINUTE = Duration.ofMinutes(1).toMillis();
  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final long SUNDAY_NOON = Instant.parse("2026-11-22T12:00:00Z").toEpochMilli();
  private static final Target PAY = new Target.Transfer(BOB, new Amount(0));

  private QueueUnderTest queue = queue(RecurringSettings.DEFAULT);

  private static QueueUnderTest queue(RecurringSettings settings) {
    var queue = new QueueUnderTest(QueueSetup.of(OPERATOR, new Recurring(settings)));
    queue.nowMs = SUNDAY_NOON;
    return queue;
  }

  @BeforeEach
  void fund() {
    queue.fund(ALICE, 1_000_000);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "30 9 * * 1-5 | Europe/Zurich | 2026-11-23T08:30:00Z | 2026-11-24T08:30:00Z",
        "30 9 * * * | Asia/Kolkata | 2026-11-23T04:00:00Z | 2026-11-24T04:00:00Z",
        "0 9 * * * | America/St_Johns | 2026-11-22T12:30:00Z | 2026-11-23T12:30:00Z",
        "0 9 * * * | Australia/Lord_Howe | 2026-11-22T22:00:00Z | 2026-11-23T22:00:00Z",
        "45 9 * * * | Asia/Kathmandu | 2026-11-23T04:00:00Z | 2026-11-24T04:00:00Z",
        "*/5 * * * * | UTC | 2026-11-22T12:05:00Z | 2026-11-22T12:10:00Z",
        "* * * * * | UTC | 2026-11-22T12:01:00Z | 2026-11-22T12:02:00Z"
      })
  void eachExpressionRunsAtItsMinutes(String cron, String zone, Instant first, Instant second) {
    var id = queue.insert(cron(cron, zone));

    assertThat(due(id)).isEqualTo(first);
    queue.blockAt(first.toEpochMilli());
    assertThat(outcomes(id)).containsExactly(Outcome.RUN);
    assertThat(due(id)).isEqualTo(second);
  }

  @Test
  void aFrequencyIsSoManyMinutes() {
    var id = queue.insert(every("tick", SUNDAY_NOON + MINUTE, MINUTE));
    for (int minute = 1; minute <= 5; minute++) {
      queue.blockAt(SUNDAY_NOON + minute * MINUTE);
    }
    assertThat(outcomes(id)).hasSize(5).containsOnly(Outcome.RUN);

    var refusal = refusal(every("odd", SUNDAY_NOON + MINUTE, 90_000).terms()).orElseThrow();
    assertThat(refusal.code()).isEqualTo(Refusal.Code.BAD_TIME);
    assertThat(refusal.sentence())
        .isEqualTo("A frequency is so many slots of PT1M: take PT1M or PT2M.");
  }

  @ParameterizedTest
  @CsvSource({"30, such as 2026-11-22T13:00:00Z", "90, such as 2026-11-22T14:00:00Z"})
  void aTaskKeepsToTheHoursOfItsText(int minutes, String instead) {
    assertThat(refusal(task("t", minutes * MINUTE).terms()).orElseThrow().sentence())
        .contains("slot of PT1H", instead);
  }

  @Test
  void aTaskIsAfterTheHourThatIsPassing() {
    queue.nowMs = SUNDAY_NOON + 30 * MINUTE;
    assertThat(refusal(task("t", 0).terms()).orElseThrow().code())
        .isEqualTo(Refusal.Code.TIME_NOT_IN_FUTURE);
    assertThat(refusal(task("t", HOUR).terms())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"59, RUN", "60, MISSED"})
  void aTaskIsOnTimeForItsHour(int minutesLate, Outcome outcome) {
    var id = queue.insert(task("t", HOUR));
    queue.blockAt(SUNDAY_NOON + HOUR + minutesLate * MINUTE);
    assertThat(outcomes(id)).containsExactly(outcome);
  }

  /** A node that is down for some minutes misses nothing that comes seldom. */
  @ParameterizedTest
  @CsvSource({
    "30 9 * * *, 59, RUN",
    "30 9 * * *, 60, MISSED",
    "*/5 9 * * *, 4, RUN",
    "*/5 9 * * *, 5, MISSED"
  })
  void aTimeOfASeriesIsOnTimeForAnHourOrUntilTheNext(
      String cron, int minutesLate, Outcome outcome) {
    var id = queue.insert(cron(cron, "UTC"));
    queue.blockAt(due(id).toEpochMilli() + minutesLate * MINUTE);
    assertThat(outcomes(id)).startsWith(outcome);
  }

  /** What a minute has is first: what came before and is on time takes what is left of a block. */
  @Test
  void theMinuteThatIsPassingIsServedFirst() {
    queue = queue(RecurringSettings.DEFAULT.withBlockBudget(1));
    fund();
    var task = queue.insert(task("t", HOUR));
    var series = queue.insert(every("s", SUNDAY_NOON + HOUR + 10 * MINUTE, HOUR));

    queue.blockAt(SUNDAY_NOON + HOUR + 10 * MINUTE);
    assertThat(queue.startedInLastBlock()).containsExactly(series);
    queue.block();
    assertThat(queue.startedInLastBlock()).containsExactly(task);
  }

  /** Which slot a task takes (REC-3). */
  @Test
  void aTaskTakesAPlaceOfTheMinuteInWhichItsHourBegins() {
    queue = queue(RecurringSettings.DEFAULT.withTasksPerSlot(1));
    fund();
    queue.insert(task("t", HOUR));

    assertThat(refusal(task("u", HOUR).terms()).orElseThrow().code())
        .isEqualTo(Refusal.Code.SLOT_FULL);
    assertThat(refusal(every("s", SUNDAY_NOON + HOUR, HOUR).terms()).orElseThrow().code())
        .isEqualTo(Refusal.Code.SLOT_FULL);
    queue.insert(every("s", SUNDAY_NOON + HOUR + MINUTE, HOUR));
    assertThat(forecast(HOUR).full()).isTrue();
    assertThat(forecast(HOUR + MINUTE).full()).isTrue();
    assertThat(forecast(HOUR + 2 * MINUTE).full()).isFalse();
    assertThat(free(false)).containsExactly(2 * HOUR, 3 * HOUR);
    assertThat(free(true)).containsExactly(MINUTE, 2 * MINUTE);
    queue.nowMs = SUNDAY_NOON + HOUR - MINUTE;
    assertThat(free(true)).containsExactly(HOUR + 2 * MINUTE, HOUR + 3 * MINUTE);
  }

  /** A horizon of 259,200 minutes costs what is booked, and nothing else. */
  @Test
  void slotsThatNobodyHasBookedAreNotKept() {
    for (int i = 0; i < 3; i++) {
      queue.insert(every("s" + i, SUNDAY_NOON + MINUTE, (i + 1) * MINUTE));
    }
    queue.insert(task("t", LongStream.rangeClosed(1, 24).map(n -> n * HOUR).toArray()));
    assertThat(booked()).isEqualTo(1 + 24);
    for (int minute = 1; minute <= 120; minute++) {
      queue.blockAt(SUNDAY_NOON + minute * MINUTE);
      assertThat(booked()).isLessThanOrEqualTo(3 + 24);
    }
  }

  @Test
  void aJitterIsSoManyMinutes() {
    var policy =
        new SeriesPolicy(
            0, SeriesPolicy.NO_END, SeriesPolicy.NO_LIST, Overlap.WAIT, Duration.ofMinutes(90), 0);
    var cadence = new Cadence.Every(SUNDAY_NOON + 2 * HOUR, 2 * HOUR);
    var terms = new SeriesTerms(Bytes.utf8("j"), cadence, Optional.empty(), policy);
    var id = queue.insert(proposal(terms));
    var late = Duration.between(Instant.ofEpochMilli(SUNDAY_NOON + 2 * HOUR), due(id));
    assertThat(late).isBetween(Duration.ZERO, Duration.ofMinutes(90));
    assertThat(late.getSeconds() % 60).isZero();
  }

  /** Keys are counted in slots of series: how long one of a task is, can be set at any time. */
  @Test
  void aSlotOfATaskMayBeSetAnewWhileTasksWait() {
    var id = queue.insert(task("t", HOUR));
    var longer = RecurringSettings.DEFAULT.withTaskSlot(Duration.ofHours(2));
    var setup = QueueSetup.of(OPERATOR, new Recurring(longer));
    assertThat(new ScheduleQueue(setup).refusesSettings(queue.state)).isEmpty();

    queue = queue.restartedWith(setup);
    queue.blockAt(SUNDAY_NOON + HOUR + 90 * MINUTE);
    assertThat(outcomes(id)).containsExactly(Outcome.RUN);
  }

  @Test
  void slotsOfAnHourAreRefusedWhereASeriesWaitsInMinutes() {
    queue.insert(cron("30 9 * * *", "UTC"));
    var hours = RecurringSettings.DEFAULT.withSlot(Duration.ofHours(1));
    assertThat(
            new ScheduleQueue(QueueSetup.of(OPERATOR, new Recurring(hours)))
                .refusesSettings(queue.state))
        .get()
        .asString()
        .contains("set scheduler.recurring.slot as it was");
  }

  private int booked() {
    return ((RecurringState) queue.queue.family(queue.state, FamilyKind.RECURRING)).tasks().size();
  }

  private Forecast forecast(long afterMs) {
    var at = ConsensusTime.ofMillis(SUNDAY_NOON + afterMs);
    return queue.queue.forecast(queue.state, FamilyKind.RECURRING, at, queue.wall()).orElseThrow();
  }

  private List<Long> free(boolean ofSeries) {
    var query = new RecurringQuery.FreeSlots(ConsensusTime.ZERO, 2, ofSeries);
    return queue.queue.ask(queue.state, query, queue.wall()).slots().stream()
        .map(slot -> slot.from().millis() - SUNDAY_NOON)
        .toList();
  }

  private Instant due(ScheduleId id) {
    var schedule = queue.state.entries().schedule(id).orElseThrow();
    return Instant.ofEpochMilli(schedule.due().time() * MINUTE);
  }

  private List<Outcome> outcomes(ScheduleId id) {
    return queue.state.history().of(id).stream().map(History.Recorded::outcome).toList();
  }

  private Optional<Refusal> refusal(Terms terms) {
    var propose = new Operation.Propose(proposal(terms));
    queue.tell(new Command("refused or not", ALICE, propose));
    return queue.answer().refusal();
  }

  private static Proposal proposal(Terms terms) {
    return new Proposal(ALICE, terms, PAY, LatePolicy.AS_SPECIFIED, RetryPolicy.NEVER);
  }

  private static Proposal cron(String cron, String zone) {
    var cadence = new CronCadence(cron, zone);
    return proposal(new SeriesTerms(Bytes.utf8("cron"), cadence, Optional.empty()));
  }

  private static Proposal every(String id, long firstMs, long everyMs) {
    var cadence = new Cadence.Every(firstMs, everyMs);
    return proposal(new SeriesTerms(Bytes.utf8(id), cadence, Optional.empty()));
  }

  private static Proposal task(String id, long... afterMs) {
    var times = LongStream.of(afterMs).map(after -> SUNDAY_NOON + after).boxed().toList();
    return proposal(new RecurringTerms(Bytes.utf8(id), times));
  }
}
