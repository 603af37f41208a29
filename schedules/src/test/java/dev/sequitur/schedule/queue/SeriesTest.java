package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.BOB;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Conclusion;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.LatePolicy;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.ParkedFor;
import dev.sequitur.schedule.Refusal.Code;
import dev.sequitur.schedule.RetryPolicy;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Forecast;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.queue.QueueEffect.Notice;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.recurring.Cadence;
import dev.sequitur.schedule.recurring.CronCadence;
import dev.sequitur.schedule.recurring.Recurring;
import dev.sequitur.schedule.recurring.RecurringQuery;
import dev.sequitur.schedule.recurring.RecurringResult;
import dev.sequitur.schedule.recurring.RecurringSettings;
import dev.sequitur.schedule.recurring.RecurringTerms;
import dev.sequitur.schedule.recurring.ResumeSeries;
import dev.sequitur.schedule.recurring.SeriesTerms;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two tasks fit a slot, two run in a block, and a time costs 3. The queue starts in slot 0. */
class SeriesTest {
  private static final RecurringSettings SETTINGS =
      new RecurringSettings(Duration.ofHours(1), Duration.ofDays(180), 24, 2, 2, 3, 64, false);
  private static final long HOUR = SETTINGS.slot().toMillis();
  private static final long FEE = SETTINGS.feePerTime();

  private final QueueUnderTest queue =
      new QueueUnderTest(QueueSetup.of(OPERATOR, new Recurring(SETTINGS)));

  @BeforeEach
  void fund() {
    queue.fund(ALICE, 1_000);
  }

  @Test
  void aSeriesRunsSlotAfterSlotAndHoldsOneFeeAtATime() {
    var id = queue.insert(every("rent", 1, 2, Optional.of(3L)));

    for (int slot = 1; slot <= 5; slot += 2) {
      assertThat(queue.state.book().hold(queue.state.entries().schedules().get(id).hold()))
          .get()
          .extracting(hold -> hold.amount().units())
          .isEqualTo(FEE);
      queue.blockAt(slot * HOUR);
      queue.blockAt((slot + 1) * HOUR);
    }

    assertThat(outcomes(id)).containsExactly(Outcome.RUN, Outcome.RUN, Outcome.RUN);
    assertThat(queue.state.isIdle()).isTrue();
    assertThat(queue.state.book().holds()).isEmpty();
    assertThat(queue.balance(ALICE)).isEqualTo(1_000 - 3 * FEE - 3);
  }

  @Test
  void aSeriesWithoutAnEndGoesOnUntilItIsCancelledByOwnerOrAdministrator() {
    var mine = queue.insert(every("mine", 1, 1, Optional.empty()));
    var theirs = queue.insert(every("theirs", 1, 1, Optional.empty()));
    for (int slot = 1; slot <= 30; slot++) {
      queue.blockAt(slot * HOUR);
    }
    assertThat(outcomes(mine)).hasSize(30).containsOnly(Outcome.RUN);

    queue.accepted(ALICE, new Operation.Cancel(mine));
    queue.accepted(OPERATOR, new Operation.Cancel(theirs));

    assertThat(outcomes(theirs)).hasSize(31).endsWith(Outcome.CANCELLED);
    assertThat(queue.state.isIdle()).isTrue();
    assertThat(free(31)).isTrue();
  }

  @Test
  void aCronSeriesRunsAtEachOfItsTimesAndNeverBefore() {
    // 02:30 in Kolkata is 21:00 UTC the day before.
    var id = queue.insert(cron("even", "30 2 * * *", "Asia/Kolkata"));

    queue.blockAt(21 * HOUR - 1);
    assertThat(queue.startedInLastBlock()).isEmpty();
    queue.blockAt(21 * HOUR);
    assertThat(queue.startedInLastBlock()).containsExactly(id);
    queue.blockAt(45 * HOUR);
    assertThat(queue.startedInLastBlock()).containsExactly(id);
  }

  /** In Adelaide 02:30 is 17:00 UTC, then 16:00; on 4 October 2026 the clock jumps over it. */
  @Test
  void whatTheClockJumpsOverIsServedByTheNextSlot() {
    long start = Instant.parse("2026-10-02T12:00:00Z").toEpochMilli();
    queue.nowMs = start;
    queue.insert(cron("night", "30 2 * * *", "Australia/Adelaide"));

    assertThat(firstTimes())
        .containsExactly(
            "2026-10-02T17:00:00Z",
            "2026-10-03T17:00:00Z",
            "2026-10-04T16:00:00Z",
            "2026-10-05T16:00:00Z",
            "2026-10-06T16:00:00Z");
  }

  @Test
  void aCreationIsToldItsFirstTimes() {
    queue.insert(cron("news", "0 9 * * 1", "Europe/Zurich"));
    assertThat(firstTimes()).startsWith("1970-01-05T08:00:00Z", "1970-01-12T08:00:00Z").hasSize(5);
    queue.insert(every("twice", 3, 2, Optional.of(2L)));
    assertThat(firstTimes()).containsExactly("1970-01-01T03:00:00Z", "1970-01-01T05:00:00Z");
    fill(7);
    assertThat(firstTimes()).containsExactly("1970-01-01T07:00:00Z");
  }

  private List<String> firstTimes() {
    return queue.answer().result().stream()
        .map(RecurringResult.FirstTimes.class::cast)
        .flatMap(result -> result.timesMs().stream())
        .map(time -> Instant.ofEpochMilli(time).toString())
        .toList();
  }

  @Test
  void aSeriesRunsOnceInASlotAtMost() {
    assertThat(refusal(cron("a", "*/10 * * * *", "UTC"))).isEqualTo(Code.BAD_TIME);
    assertThat(refusal(cron("a", "15,30 9 * * *", "UTC"))).isEqualTo(Code.BAD_TIME);
    assertThat(refusal(cron("a", "0 0 30 2 *", "UTC"))).isEqualTo(Code.BAD_TIME);
    var often = new SeriesTerms(Bytes.EMPTY, new Cadence.Every(HOUR, HOUR / 2), Optional.empty());
    assertThat(refusal(series(often, LatePolicy.AS_SPECIFIED))).isEqualTo(Code.BAD_TIME);
    queue.insert(cron("a", "0 * * * *", "UTC"));
  }

  @Test
  void theFirstTimeOfAFixedFrequencyIsASlotToCome() {
    assertThat(refusal(every("a", 0, 1, Optional.empty()))).isEqualTo(Code.TIME_NOT_IN_FUTURE);
    var crooked = new SeriesTerms(Bytes.EMPTY, new Cadence.Every(HOUR + 1, HOUR), Optional.empty());
    assertThat(refusal(series(crooked, LatePolicy.AS_SPECIFIED))).isEqualTo(Code.BAD_TIME);
  }

  @Test
  void aFullFirstSlotFailsTheCallAndTasksAndSeriesShareTheirIds() {
    fill(1);
    assertThat(refusal(every("a", 1, 1, Optional.empty()))).isEqualTo(Code.SLOT_FULL);
    assertThat(refusal(every("first1", 2, 1, Optional.empty()))).isEqualTo(Code.DUPLICATE);
  }

  @Test
  void aFullNextSlotParksTheSeriesWithAnAlarmAndItsOwnerResumesIt() {
    var id = queue.insert(every("rent", 1, 1, Optional.empty()));
    fill(2);

    queue.blockAt(HOUR);

    assertThat(outcomes(id)).containsExactly(Outcome.RUN);
    assertThat(queue.notices())
        .filteredOn(Notice.Parked.class::isInstance)
        .singleElement()
        .isInstanceOfSatisfying(
            Notice.Parked.class,
            parked -> {
              assertThat(parked.schedule()).isEqualTo(id);
              assertThat(parked.owner()).isEqualTo(ALICE);
              assertThat(parked.why()).contains("parked").contains("full");
            });
    queue.blockAt(2 * HOUR);
    queue.blockAt(3 * HOUR);
    assertThat(outcomes(id)).containsExactly(Outcome.RUN);
    assertThat(why(id)).isEqualTo("It is parked: the slot of its next time was full. Resume it.");
    assertThat(parked()).containsExactly(Map.entry(ParkedFor.SLOT_FULL, 1));

    queue.accepted(ALICE, new Operation.Perform(new ResumeSeries(id)));
    queue.recover();
    queue.blockAt(4 * HOUR);
    queue.blockAt(5 * HOUR);

    assertThat(outcomes(id)).containsExactly(Outcome.RUN, Outcome.RUN, Outcome.RUN);
  }

  @Test
  void aSeriesWhoseOwnerCannotPayIsParkedAndResumedOnceThereIsMoney() {
    var id = queue.insert(every("rent", 1, 1, Optional.empty()));
    queue.accepted(OPERATOR, new Operation.Withdraw(ALICE, new Amount(1_000 - FEE - 1)));

    queue.blockAt(HOUR);
    assertThat(queue.balance(ALICE)).isZero();
    assertThat(resume(id)).isEqualTo(Code.INSUFFICIENT_BALANCE);
    var unpaid = "It is parked: its owner could not pay the fee of its next time, which is 3.";
    assertThat(why(id)).isEqualTo(unpaid + " Fund the account, then resume it.");
    assertThat(parked()).containsExactly(Map.entry(ParkedFor.FEE_UNPAID, 1));

    queue.fund(ALICE, FEE + 1);
    queue.recover();
    assertThat(why(id)).as("the cause stays").isEqualTo(unpaid + " Resume it.");
    queue.accepted(ALICE, new Operation.Perform(new ResumeSeries(id)));
    assertThat(parked()).isEmpty();
    queue.blockAt(2 * HOUR);
    assertThat(outcomes(id)).containsExactly(Outcome.RUN, Outcome.RUN);
  }

  @Test
  void onlyItsOwnerResumesASeriesAndOnlyOneThatIsParkedWithRoomInItsNextSlot() {
    var id = queue.insert(every("rent", 1, 1, Optional.empty()));
    assertThat(resume(id)).isEqualTo(Code.BAD_STATE);
    fill(2);
    queue.blockAt(HOUR);

    assertThat(resume(id)).isEqualTo(Code.SLOT_FULL);
    assertThat(queue.refused(BOB, new Operation.Perform(new ResumeSeries(id))))
        .isEqualTo(Code.NOT_ALLOWED);
    queue.accepted(OPERATOR, new Operation.Pause(FamilyKind.RECURRING));
    assertThat(resume(id)).isEqualTo(Code.SERVICE_NOT_ACTIVE);
    queue.accepted(OPERATOR, new Operation.Resume(FamilyKind.RECURRING));
    queue.accepted(ALICE, new Operation.Cancel(id));
    assertThat(resume(id)).isEqualTo(Code.UNKNOWN_SCHEDULE);
    assertThat(outcomes(id)).containsExactly(Outcome.RUN, Outcome.CANCELLED);
    assertThat(queue.balance(ALICE)).as("a parked one owes nothing").isEqualTo(1_000 - 3 * FEE - 1);
  }

  @Test
  void aSeriesSurvivesAnOutageWhatPassedIsMissedAndTheNextOneRuns() {
    var id = queue.insert(every("rent", 1, 1, Optional.empty()));
    queue.blockAt(HOUR);

    queue.nowMs = 5 * HOUR;
    for (int i = 0; i < 6; i++) {
      queue.block();
    }

    assertThat(outcomes(id)).containsExactly(Outcome.RUN, Outcome.MISSED, Outcome.RUN);
    queue.blockAt(6 * HOUR);
    assertThat(outcomes(id)).endsWith(Outcome.RUN).hasSize(4);
  }

  @Test
  void aFullPresentSlotDoesNotParkASeriesThatCatchesUp() {
    var id = queue.insert(every("rent", 1, 1, Optional.empty()));
    fill(5);

    queue.nowMs = 5 * HOUR;
    for (int i = 0; i < 6; i++) {
      queue.block();
    }

    assertThat(outcomes(id)).containsExactly(Outcome.MISSED, Outcome.RUN);
  }

  /** What is passing takes what comes to it: a slot is full for what is yet to be booked. */
  @Test
  void aFullPresentSlotDoesNotParkASeriesWhoseCallEndsInIt() {
    var terms =
        new SeriesTerms(Bytes.utf8("a"), new Cadence.Every(HOUR, 4 * HOUR), Optional.empty());
    var call = SignaturesUnderTest.call(Identity.parse("alice@node1"));
    var id = queue.insert(Proposal.of(ALICE, terms, call));
    fill(5);
    queue.blockAt(HOUR);
    var running = queue.handedOver().get(0).key();

    queue.nowMs = 5 * HOUR;
    queue.tell(new QueueInput.Answered(running, new Conclusion.Succeeded(1)));

    assertThat(outcomes(id)).containsExactly(Outcome.RUN);
    assertThat(forecast(slot(5)).taken()).isEqualTo(3);
    assertThat(parked()).isEmpty();
  }

  @Test
  void aSeriesMayChooseToRunOnlyTheNewestOfWhatIsLate() {
    var once = new SeriesTerms(Bytes.utf8("a"), new Cadence.Every(HOUR, HOUR), Optional.of(4L));
    var id = queue.insert(series(once, new LatePolicy.RunOnce()));

    queue.nowMs = 9 * HOUR;
    for (int i = 0; i < 6; i++) {
      queue.block();
    }

    assertThat(outcomes(id)).containsExactly(Outcome.MISSED, Outcome.RUN);
  }

  @Test
  void freeSlotsAreThoseThatStillTakeATask() {
    fill(2);
    queue.insert(every("one", 3, 1, Optional.empty()));

    var query = new RecurringQuery.FreeSlots(ConsensusTime.ZERO, 3, false);
    var free = queue.queue.ask(queue.state, query, queue.wall()).slots();

    assertThat(free.stream().map(Forecast::from).toList())
        .containsExactly(slot(1), slot(3), slot(4));
    assertThat(free.get(1).taken()).isEqualTo(1);
    assertThat(free.get(1).price()).isEqualTo(FEE);
  }

  @Test
  void theLastFreeSlotIsTheOneThatBeginsAtTheHorizon() {
    queue.nowMs = HOUR;
    long last = 1 + SETTINGS.horizon().toHours();

    assertThat(forecast(slot(last)).full()).isFalse();
    assertThat(forecast(slot(last + 1)).full()).isTrue();
    assertThat(freeFrom(slot(last - 1), 9)).containsExactly(slot(last - 1), slot(last));
    assertThat(freeFrom(slot(last - 1), 1)).containsExactly(slot(last - 1));
    assertThat(freeFrom(slot(last + 1), 9)).isEmpty();
  }

  @Test
  void theFirstFreeSlotIsTheOneAfterThePresent() {
    queue.nowMs = 2 * HOUR - 1;

    assertThat(freeFrom(ConsensusTime.ZERO, 2)).containsExactly(slot(2), slot(3));
    assertThat(freeFrom(slot(1), 1)).containsExactly(slot(2));
  }

  private List<ConsensusTime> freeFrom(ConsensusTime from, int atMost) {
    var query = new RecurringQuery.FreeSlots(from, atMost, false);
    return queue.queue.ask(queue.state, query, queue.wall()).slots().stream()
        .map(Forecast::from)
        .toList();
  }

  @Test
  void aTimeThatHasPassedOrIsBeyondTheHorizonTakesNoTask() {
    assertThat(forecast(slot(3)).full()).isFalse();
    assertThat(forecast(ConsensusTime.ZERO).full()).isTrue();
    var horizon = queue.nowMs + SETTINGS.horizon().toMillis();
    assertThat(forecast(ConsensusTime.ofMillis(horizon - HOUR)).full()).isFalse();
    assertThat(forecast(ConsensusTime.ofMillis(horizon + HOUR)).full()).isTrue();
    assertThat(forecast(new ConsensusTime(Long.MAX_VALUE)).full()).isTrue();
  }

  private Forecast forecast(ConsensusTime at) {
    return queue.queue.forecast(queue.state, FamilyKind.RECURRING, at, queue.wall()).orElseThrow();
  }

  private static ConsensusTime slot(long number) {
    return ConsensusTime.ofMillis(number * HOUR);
  }

  private boolean free(long slot) {
    var at = ConsensusTime.ofMillis(slot * HOUR);
    return forecast(at).taken() == 0;
  }

  /** With two tasks. */
  private void fill(long slot) {
    for (var name : List.of("first", "second")) {
      var times = LongStream.of(slot * HOUR).boxed().toList();
      queue.insert(
          Proposal.of(
              ALICE,
              new RecurringTerms(Bytes.utf8(name + slot), times),
              new Target.Notify(Bytes.utf8(name))));
    }
  }

  private String why(ScheduleId id) {
    return queue.queue.explain(queue.state, id, queue.wall()).sentence();
  }

  private Map<ParkedFor, Integer> parked() {
    return queue.state.entries().due().parked();
  }

  private Code resume(ScheduleId id) {
    return queue.refused(ALICE, new Operation.Perform(new ResumeSeries(id)));
  }

  private Code refusal(Proposal proposal) {
    return queue.refused(ALICE, new Operation.Propose(proposal));
  }

  private List<Outcome> outcomes(ScheduleId id) {
    return queue.state.history().of(id).stream().map(History.Recorded::outcome).toList();
  }

  /** The queue starts on 1 January, and the horizon of tasks is June. */
  @Test
  void theHorizonBindsNoSeries() {
    queue.insert(cron("yearly", "0 0 1 8 *", "UTC"));
    queue.insert(every("later", 24 * 300, 24, Optional.empty()));

    assertThat(refusal(cron("crooked", "30 0 30 8 *", "UTC"))).isEqualTo(Code.BAD_TIME);
  }

  private static Proposal every(String id, long first, long every, Optional<Long> runs) {
    var cadence = new Cadence.Every(first * HOUR, every * HOUR);
    return series(new SeriesTerms(Bytes.utf8(id), cadence, runs), LatePolicy.AS_SPECIFIED);
  }

  private static Proposal cron(String id, String expression, String zone) {
    var cadence = new CronCadence(expression, zone);
    return series(
        new SeriesTerms(Bytes.utf8(id), cadence, Optional.empty()), LatePolicy.AS_SPECIFIED);
  }

  private static Proposal series(SeriesTerms terms, LatePolicy late) {
    return new Proposal(
        ALICE, terms, new Target.Transfer(BOB, new Amount(1)), late, RetryPolicy.NEVER);
  }
}
