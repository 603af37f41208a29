package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.BOB;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static dev.sequitur.schedule.queue.QueueUnderTest.START_MS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
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
import dev.sequitur.schedule.family.Intervention.Kind;
import dev.sequitur.schedule.family.Interventions;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.family.Schedule;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.schedule.gaspriority.GasPriorityTerms;
import dev.sequitur.schedule.queue.QueueEffect.Notice;
import dev.sequitur.schedule.queue.QueueInput.Answered;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.recurring.Cadence;
import dev.sequitur.schedule.recurring.Recurring;
import dev.sequitur.schedule.recurring.RecurringSettings;
import dev.sequitur.schedule.recurring.RecurringTerms;
import dev.sequitur.schedule.recurring.SeriesTerms;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * One schedule is paused, resumed, run now, or skips its next time (SCH-26). A slot of an hour
 * takes two and a time costs 3; a tick has 100 ms and runs two. The queue starts at 0.
 */
class InterventionsTest {
  private static final RecurringSettings SLOTS =
      new RecurringSettings(Duration.ofHours(1), Duration.ofDays(180), 24, 2, 2, 3, 64, false);
  private static final GasPrioritySettings TICKS = new GasPrioritySettings(100, 3, 2, 2, 1, 64);
  private static final long HOUR = SLOTS.slot().toMillis();
  private static final long FEE = SLOTS.feePerTime();
  private static final long MONEY = 1_000;
  private static final Target CALL =
      new Target.PrivateCall(
          new ContractAddress("0x" + "0a".repeat(20)),
          "token",
          "transfer",
          new Identity("alice", new NodeName("node1")),
          Bytes.utf8("{}"));

  private final QueueUnderTest queue = newQueue(SLOTS);

  private static QueueUnderTest newQueue(RecurringSettings slots) {
    return new QueueUnderTest(
        QueueSetup.of(OPERATOR, new Recurring(slots), new GasPriority(TICKS)));
  }

  @BeforeEach
  void fund() {
    queue.fund(ALICE, MONEY);
  }

  // Series.

  @Test
  void aPausedSeriesRunsNothingAndGoesOnAtItsFirstTimeToComeWhenItIsResumed() {
    var id = queue.insert(every("rent", 1, 1, Optional.empty()));
    queue.blockAt(HOUR);
    intervene(id, Kind.PAUSE, "the flat is empty");
    queue.recover();
    for (int slot = 2; slot <= 5; slot++) {
      queue.blockAt(slot * HOUR);
    }

    assertThat(outcomes(id)).containsExactly(Outcome.RUN);
    assertThat(parked()).containsExactly(Map.entry(ParkedFor.PAUSED, 1));
    assertThat(taken(2)).as("its place is free").isZero();
    assertThat(why(id))
        .startsWith("It is paused, and nothing of it begins until its owner resumes it.")
        .endsWith("Paused by alice: the flat is empty.");

    intervene(id, Kind.RESUME, "");
    queue.block();
    assertThat(outcomes(id)).as("what passed in the pause is no occurrence").hasSize(1);
    queue.blockAt(6 * HOUR);
    assertThat(outcomes(id)).containsExactly(Outcome.RUN, Outcome.RUN);
    assertThat(queue.balance(BOB)).isEqualTo(2);
  }

  @Test
  void whatHasBegunGoesOnToItsOutcomeAndThePauseHoldsFromThen() {
    var id = queue.insert(series("job", 1, 1, Optional.empty(), CALL));
    queue.blockAt(HOUR);
    intervene(id, Kind.PAUSE, "");
    assertThat(why(id)).startsWith("It was started, and its outcome is awaited. It is paused");
    queue.tell(new Answered(schedule(id).firstAttempt(), new Conclusion.Succeeded(1)));
    queue.blockAt(2 * HOUR);

    assertThat(outcomes(id)).containsExactly(Outcome.RUN);
    assertThat(schedule(id).due().parkedFor()).contains(ParkedFor.PAUSED);
    assertThat(held(id)).as("nothing is booked in a pause").isZero();
    assertThat(refused(id, Kind.PAUSE)).isEqualTo(Code.BAD_STATE);
    intervene(id, Kind.RESUME, "");
    assertThat(held(id)).isEqualTo(FEE);
    assertThat(refused(id, Kind.RESUME)).isEqualTo(Code.BAD_STATE);
  }

  @Test
  void aPauseIsTakenBackWhileItStillRuns() {
    var id = queue.insert(series("job", 1, 1, Optional.empty(), CALL));
    queue.blockAt(HOUR);
    assertThat(refused(id, Kind.RESUME)).isEqualTo(Code.BAD_STATE);
    intervene(id, Kind.PAUSE, "");
    intervene(id, Kind.RESUME, "");
    queue.tell(new Answered(schedule(id).firstAttempt(), new Conclusion.Succeeded(1)));

    assertThat(schedule(id).due().time()).isEqualTo(2);
  }

  @Test
  void aSeriesThatIsRunNowKeepsItsNextTimeAndItsPlaceInAFullSlot() {
    var id = queue.insert(every("rent", 3, 1, Optional.of(3L)));
    queue.insert(every("other", 3, 1, Optional.empty()));
    queue.blockAt(HOUR);
    intervene(id, Kind.RUN_NOW, "asked for by phone");

    assertThat(queue.balance(BOB)).isEqualTo(1);
    var run = queue.outcome(id).orElseThrow();
    assertThat(run.note()).isEqualTo("Run now by alice: asked for by phone.");
    assertThat(run.asked()).as("it was wanted then").contains(ConsensusTime.ofMillis(HOUR));
    assertThat(schedule(id).due().time()).as("its next time stays").isEqualTo(3);
    assertThat(taken(3)).isEqualTo(2);
    assertThat(schedule(id).isByHand()).isFalse();

    queue.blockAt(3 * HOUR);
    queue.blockAt(4 * HOUR);
    queue.blockAt(5 * HOUR);
    assertThat(outcomes(id)).as("it is one of its three runs").hasSize(3);
    assertThat(queue.outcome(id).orElseThrow().note()).isEmpty();
  }

  @Test
  void whatIsRunNowElsewhereTakesNoTimeAwayEvenIfItsOutcomeComesAfterThatTime() {
    var id = queue.insert(series("job", 3, 1, Optional.empty(), CALL));
    queue.blockAt(HOUR);
    intervene(id, Kind.RUN_NOW, "");
    queue.recover();
    assertThat(refused(id, Kind.RUN_NOW)).isEqualTo(Code.ALREADY_STARTED);
    assertThat(refused(id, Kind.SKIP_NEXT)).isEqualTo(Code.ALREADY_STARTED);
    queue.nowMs = 3 * HOUR + 60_000;
    queue.tell(new Answered(schedule(id).firstAttempt(), new Conclusion.Succeeded(1)));

    assertThat(schedule(id).due().time()).isEqualTo(3);
    queue.block();
    assertThat(queue.startedInLastBlock()).containsExactly(id);
  }

  @Test
  void aPausedSeriesIsRunNowAndStaysPausedAndPaysForIt() {
    var id = queue.insert(every("rent", 1, 1, Optional.empty()));
    intervene(id, Kind.PAUSE, "");
    intervene(id, Kind.RUN_NOW, "");
    intervene(id, Kind.RUN_NOW, "");
    queue.blockAt(HOUR);

    assertThat(queue.balance(BOB)).isEqualTo(2);
    assertThat(schedule(id).due().parkedFor()).contains(ParkedFor.PAUSED);
    assertThat(queue.balance(ALICE)).isEqualTo(MONEY - 2 - 2 * FEE);
    queue.accepted(OPERATOR, new Operation.Withdraw(ALICE, new Amount(queue.balance(ALICE))));
    assertThat(refused(id, Kind.RUN_NOW)).isEqualTo(Code.INSUFFICIENT_BALANCE);
    assertThat(refused(id, Kind.RESUME)).isEqualTo(Code.INSUFFICIENT_BALANCE);
  }

  @Test
  void aSkippedTimeIsCancelledAloneAndTheNextIsBooked() {
    var id = queue.insert(every("rent", 1, 1, Optional.of(3L)));
    intervene(id, Kind.SKIP_NEXT, "a holiday");

    assertThat(outcomes(id)).containsExactly(Outcome.CANCELLED);
    assertThat(queue.outcome(id).orElseThrow().note()).isEqualTo("Skipped by alice: a holiday.");
    assertThat(schedule(id).due().time()).isEqualTo(2);
    assertThat(taken(1)).isZero();
    assertThat(queue.balance(ALICE)).as("as if it were cancelled").isEqualTo(MONEY - 2 * FEE);
    queue.blockAt(HOUR);
    queue.blockAt(2 * HOUR);
    assertThat(outcomes(id)).containsExactly(Outcome.CANCELLED, Outcome.RUN);
    assertThat(refused(id, Kind.SKIP_NEXT)).as("the last one").isEqualTo(Code.BAD_STATE);
  }

  @Test
  void aSkippedTimeCostsNothingWhereACancelGivesBack() {
    var generous = newQueue(SLOTS.withRefundOnCancel(true));
    generous.fund(ALICE, MONEY);
    var series = generous.insert(every("rent", 1, 1, Optional.empty()));
    var task = generous.insert(task("bills", 1, 2, 3));
    for (var id : List.of(series, task)) {
      generous.accepted(ALICE, new Operation.Intervene(id, Kind.SKIP_NEXT, ""));
    }

    assertThat(generous.balance(ALICE)).isEqualTo(MONEY - FEE - 2 * FEE);
    generous.recover();
  }

  @Test
  void whatIsPausedHasNoNextTimeToSkip() {
    var id = queue.insert(every("rent", 1, 1, Optional.empty()));
    intervene(id, Kind.PAUSE, "");
    assertThat(refused(id, Kind.SKIP_NEXT)).isEqualTo(Code.BAD_STATE);
  }

  @Test
  void whatIsPausedIsCancelledAndItsFeeGoesBack() {
    var id = queue.insert(every("rent", 1, 1, Optional.empty()));
    intervene(id, Kind.PAUSE, "");
    queue.accepted(ALICE, new Operation.Cancel(id));
    assertThat(queue.state.isIdle()).isTrue();
    assertThat(queue.state.book().holds()).isEmpty();
  }

  // Tasks.

  @Test
  void aTaskThatIsRunNowHasItsNextTimeBroughtForward() {
    var id = queue.insert(task("bills", 2, 4));
    intervene(id, Kind.RUN_NOW, "");
    assertThat(queue.balance(BOB)).isEqualTo(1);
    assertThat(schedule(id).due().time()).isEqualTo(4);
    queue.blockAt(2 * HOUR);
    queue.blockAt(4 * HOUR);

    assertThat(outcomes(id)).containsExactly(Outcome.RUN, Outcome.RUN);
    assertThat(queue.balance(ALICE)).isEqualTo(MONEY - 2 - 2 * FEE);
  }

  @Test
  void aTaskThatIsResumedTooLateIsLateAsItsPolicySays() {
    var skipping = queue.insert(task("bills", 2, 6));
    var running = queue.insert(late(task("more", 2, 6), new LatePolicy.RunAll()));
    for (var id : List.of(skipping, running)) {
      intervene(id, Kind.PAUSE, "");
    }
    queue.blockAt(4 * HOUR);
    assertThat(queue.balance(BOB)).isZero();
    for (var id : List.of(skipping, running)) {
      intervene(id, Kind.RESUME, "");
    }
    queue.block();

    assertThat(outcomes(skipping)).containsExactly(Outcome.MISSED);
    assertThat(outcomes(running)).containsExactly(Outcome.RUN);
    assertThat(schedule(skipping).due().time()).isEqualTo(6);
  }

  @Test
  void aPausedTaskIsRunNowAndStaysPaused() {
    var id = queue.insert(task("bills", 2, 4));
    intervene(id, Kind.PAUSE, "");
    intervene(id, Kind.RUN_NOW, "");
    queue.blockAt(4 * HOUR);
    assertThat(outcomes(id)).containsExactly(Outcome.RUN);
    assertThat(schedule(id).due().parkedFor()).contains(ParkedFor.PAUSED);
  }

  // What runs once, and repetitions.

  @Test
  void aPaymentIsPausedAndRunsAtItsTimeWhenItIsResumedBeforeIt() {
    var id = queue.insert(pay(10_000, 7));
    intervene(id, Kind.PAUSE, "");
    intervene(id, Kind.RESUME, "");
    queue.blockAt(START_MS + 10_000);
    assertThat(outcomes(id)).containsExactly(Outcome.RUN);
  }

  @Test
  void aPaymentThatIsResumedAfterItsTimeIsLateAsItsPolicySays() {
    var gone = queue.insert(pay(10_000, 7));
    var kept = queue.insert(late(pay(10_000, 6), new LatePolicy.RunOnce()));
    for (var id : List.of(gone, kept)) {
      intervene(id, Kind.PAUSE, "");
    }
    queue.blockAt(START_MS + 60_000);
    assertThat(queue.balance(BOB)).isZero();
    intervene(kept, Kind.RESUME, "");
    queue.block();
    assertThat(outcomes(kept)).containsExactly(Outcome.RUN);
    assertThat(queue.state.entries().schedules()).containsKey(gone);
  }

  @Test
  void aPaymentIsRunNowAndNotAgainAtItsTime() {
    var id = queue.insert(pay(10_000, 7));
    intervene(id, Kind.RUN_NOW, "");
    queue.blockAt(START_MS + 10_000);
    queue.block();

    assertThat(queue.balance(BOB)).isEqualTo(1);
    assertThat(outcomes(id)).containsExactly(Outcome.RUN);
    assertThat(queue.state.isIdle()).isTrue();
  }

  @Test
  void whatIsRunNowPaysAsIfItWereDueAndWaitsWhereOthersOfferMore() {
    var mine = queue.insert(pay(10_000, 7));
    queue.insert(pay(200, 5));
    queue.nowMs = START_MS + 200;
    intervene(mine, Kind.RUN_NOW, "");
    assertThat(queue.outcome(mine).orElseThrow().cost().gasUnitPrice()).isEqualTo(5);

    var cheap = queue.insert(pay(10_000, 2));
    queue.insert(pay(400, 8));
    queue.insert(pay(400, 9));
    queue.nowMs = START_MS + 400;
    assertThat(refused(cheap, Kind.RUN_NOW)).isEqualTo(Code.PRICE_TOO_LOW);
  }

  @Test
  void aRepetitionIsPausedByItsFirstIdAndGoesOnAtANextTime() {
    var first = queue.insert(repeat(200, 1_000, 5));
    queue.blockAt(START_MS + 200);
    intervene(first, Kind.PAUSE, "");
    queue.recover();
    queue.blockAt(START_MS + 5_000);
    assertThat(queue.balance(BOB)).isEqualTo(1);
    intervene(first, Kind.RESUME, "");
    queue.block();
    assertThat(queue.balance(BOB)).as("its time passed in the pause").isEqualTo(1);
    queue.blockAt(START_MS + 5_200);
    assertThat(queue.balance(BOB)).isEqualTo(2);
    var now = queue.queue.goesOnAs(queue.state, first).orElseThrow();
    assertThat(schedule(now).interventions().newest())
        .extracting(done -> done.kind())
        .containsExactly(Kind.PAUSE, Kind.RESUME);
  }

  @Test
  void aRepetitionThatCannotGoOnIsToldWhenItIsResumed() {
    var first = queue.insert(repeat(200, 1_000, 5));
    intervene(first, Kind.PAUSE, "");
    var dearer = new GasPriority(new GasPrioritySettings(100, 3, 2, 2, 9, 64));
    var later = queue.restartedWith(QueueSetup.of(OPERATOR, new Recurring(SLOTS), dearer));
    later.nowMs = START_MS + 5_000;
    later.accepted(ALICE, new Operation.Intervene(first, Kind.RESUME, ""));

    assertThat(later.notices()).hasAtLeastOneElementOfType(Notice.RescheduleRefused.class);
    assertThat(later.outcome(first).orElseThrow().outcome()).isEqualTo(Outcome.CANCELLED);
    assertThat(later.state.book().holds()).isEmpty();
  }

  @Test
  void aRepetitionThatIsRunNowRunsAtItsTimeToo() {
    var first = queue.insert(repeat(2_000, 1_000, 2));
    intervene(first, Kind.RUN_NOW, "");
    assertThat(queue.balance(BOB)).isEqualTo(1);
    queue.blockAt(START_MS + 2_000);
    assertThat(queue.balance(BOB)).isEqualTo(2);
    queue.blockAt(START_MS + 3_000);
    queue.blockAt(START_MS + 4_000);
    assertThat(queue.balance(BOB)).as("it is one of its three runs").isEqualTo(3);
  }

  @Test
  void aPausedRepetitionThatIsRunNowStaysPaused() {
    var first = queue.insert(repeat(2_000, 1_000, 2));
    intervene(first, Kind.PAUSE, "");
    intervene(first, Kind.RUN_NOW, "");
    queue.blockAt(START_MS + 4_000);
    assertThat(queue.balance(BOB)).isEqualTo(1);
    assertThat(parked()).containsExactly(Map.entry(ParkedFor.PAUSED, 1));
  }

  @Test
  void aRepetitionSkipsATimeAndGetsTheDepositBackForIt() {
    var first = queue.insert(repeat(200, 1_000, 1));
    intervene(first, Kind.SKIP_NEXT, "");
    queue.blockAt(START_MS + 200);
    assertThat(queue.balance(BOB)).isZero();
    assertThat(queue.outcome(first).orElseThrow().cost().charged()).isEqualTo(Amount.ZERO);
    queue.blockAt(START_MS + 1_200);
    assertThat(queue.balance(BOB)).isEqualTo(1);
    assertThat(refused(first, Kind.SKIP_NEXT)).isEqualTo(Code.UNKNOWN_SCHEDULE);
  }

  @Test
  void aRepetitionInItsRetriesIsPausedAndWhatFollowsIsToo() {
    var poor = new Target.Transfer(BOB, new Amount(2 * MONEY));
    var terms = new GasPriorityTerms(START_MS + 200, 10, 1);
    var retry = new RetryPolicy(2, new Backoff(Duration.ofSeconds(5), Duration.ofSeconds(5)));
    var target = new Target.Repeat(poor, 1_000, 5);
    var id = queue.insert(new Proposal(ALICE, terms, target, new LatePolicy.RunOnce(), retry));
    queue.blockAt(START_MS + 200);
    assertThat(queue.state.entries().isStarted(id)).isTrue();
    intervene(id, Kind.PAUSE, "");
    queue.fund(ALICE, 2 * MONEY);
    queue.blockAt(START_MS + 5_300);

    assertThat(queue.balance(BOB)).isEqualTo(2 * MONEY);
    var now = queue.queue.goesOnAs(queue.state, id).orElseThrow();
    assertThat(schedule(now).due().parkedFor()).contains(ParkedFor.PAUSED);
  }

  // Who may, and what is remembered.

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"CHANGE", "BACK_FILL"},
      mode = EnumSource.Mode.EXCLUDE)
  void onlyItsOwnerIntervenesAndOnlyWhereThereIsSomething(Kind kind) {
    var id = queue.insert(every("rent", 1, 1, Optional.empty()));
    for (var other : List.of(BOB, OPERATOR)) {
      assertThat(queue.refused(other, new Operation.Intervene(id, kind, "")))
          .isEqualTo(Code.NOT_ALLOWED);
    }
    assertThat(refused(ScheduleId.never(FamilyKind.RECURRING), kind))
        .isEqualTo(Code.UNKNOWN_SCHEDULE);
  }

  @Test
  void whatIsStoppedWithItsFamilyIsPausedButNotRun() {
    var id = queue.insert(every("rent", 1, 1, Optional.empty()));
    queue.accepted(OPERATOR, new Operation.Pause(FamilyKind.RECURRING));
    assertThat(refused(id, Kind.RUN_NOW)).isEqualTo(Code.SERVICE_NOT_ACTIVE);
    assertThat(refused(id, Kind.SKIP_NEXT)).isEqualTo(Code.SERVICE_NOT_ACTIVE);
    intervene(id, Kind.PAUSE, "");
    assertThat(schedule(id).isPaused()).isTrue();
  }

  @Test
  void listenersAreToldOnceWhoDidWhat() {
    var id = queue.insert(every("rent", 1, 1, Optional.empty()));
    queue.tell(new Command("pause", ALICE, new Operation.Intervene(id, Kind.PAUSE, "why not")));

    assertThat(queue.notices())
        .singleElement()
        .isInstanceOfSatisfying(
            Notice.Intervened.class,
            told -> {
              assertThat(told.owner()).isEqualTo(ALICE);
              assertThat(told.intervention().kind()).isEqualTo(Kind.PAUSE);
              assertThat(told.intervention().note()).isEqualTo("why not");
            });
  }

  @Test
  void theNewestTenAreRememberedAndAPauseHoldsWhateverCameAfterIt() {
    var id = queue.insert(every("rent", 1, 1, Optional.empty()));
    intervene(id, Kind.PAUSE, "");
    for (int i = 0; i < Interventions.MOST; i++) {
      intervene(id, Kind.RUN_NOW, "");
    }
    assertThat(schedule(id).interventions().newest())
        .hasSize(Interventions.MOST)
        .allMatch(done -> done.kind() == Kind.RUN_NOW);
    assertThat(schedule(id).isPaused()).isTrue();
    assertThat(why(id))
        .isEqualTo("It is paused, and nothing of it begins until its owner resumes it.");
  }

  private void intervene(ScheduleId id, Kind kind, String note) {
    queue.accepted(ALICE, new Operation.Intervene(id, kind, note));
  }

  private Code refused(ScheduleId id, Kind kind) {
    return queue.refused(ALICE, new Operation.Intervene(id, kind, ""));
  }

  private Schedule schedule(ScheduleId id) {
    return queue.state.entries().schedules().get(id);
  }

  private long held(ScheduleId id) {
    return queue
        .state
        .book()
        .hold(schedule(id).hold())
        .map(hold -> hold.amount().units())
        .orElse(0L);
  }

  private int taken(long slot) {
    return queue
        .queue
        .forecast(
            queue.state, FamilyKind.RECURRING, ConsensusTime.ofMillis(slot * HOUR), queue.wall())
        .orElseThrow()
        .taken();
  }

  private Map<ParkedFor, Integer> parked() {
    return queue.state.entries().due().parked();
  }

  private String why(ScheduleId id) {
    return queue.queue.explain(queue.state, id, queue.wall()).sentence();
  }

  private List<Outcome> outcomes(ScheduleId id) {
    return queue.state.history().of(id).stream().map(History.Recorded::outcome).toList();
  }

  private static Proposal every(String name, long first, long every, Optional<Long> runs) {
    return series(name, first, every, runs, PAY);
  }

  private static final Target.Transfer PAY = new Target.Transfer(BOB, new Amount(1));

  private static Proposal series(
      String name, long first, long every, Optional<Long> runs, Target target) {
    var cadence = new Cadence.Every(first * HOUR, every * HOUR);
    return Proposal.of(ALICE, new SeriesTerms(Bytes.utf8(name), cadence, runs), target);
  }

  private static Proposal task(String name, long... slots) {
    var times = LongStream.of(slots).mapToObj(slot -> slot * HOUR).toList();
    return Proposal.of(ALICE, new RecurringTerms(Bytes.utf8(name), times), PAY);
  }

  private static Proposal pay(long at, long price) {
    return Proposal.of(ALICE, new GasPriorityTerms(START_MS + at, 10, price), PAY);
  }

  private static Proposal repeat(long at, long every, int more) {
    var target = new Target.Repeat(PAY, every, more);
    return Proposal.of(ALICE, new GasPriorityTerms(START_MS + at, 10, 1), target);
  }

  private static Proposal late(Proposal proposal, LatePolicy late) {
    return new Proposal(
        proposal.owner(), proposal.terms(), proposal.target(), late, proposal.retry());
  }
}
