package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.BOB;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Conclusion;
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
import dev.sequitur.schedule.queue.QueueEffect.Notice;
import dev.sequitur.schedule.queue.QueueInput.Answered;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.recurring.Cadence;
import dev.sequitur.schedule.recurring.DaysOff;
import dev.sequitur.schedule.recurring.Overlap;
import dev.sequitur.schedule.recurring.Recurring;
import dev.sequitur.schedule.recurring.RecurringOperation.RemoveDaysOff;
import dev.sequitur.schedule.recurring.RecurringOperation.SetDaysOff;
import dev.sequitur.schedule.recurring.RecurringQuery;
import dev.sequitur.schedule.recurring.RecurringResult;
import dev.sequitur.schedule.recurring.RecurringRevision;
import dev.sequitur.schedule.recurring.RecurringSettings;
import dev.sequitur.schedule.recurring.RecurringTerms;
import dev.sequitur.schedule.recurring.SeriesPolicy;
import dev.sequitur.schedule.recurring.SeriesTerms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What the owner of a series says beyond its cadence (REC-18). A slot of an hour takes two and a
 * time costs 3; the queue starts in slot 0.
 */
class SeriesPolicyTest {
  private static final RecurringSettings SLOTS =
      new RecurringSettings(Duration.ofHours(1), Duration.ofDays(180), 24, 2, 2, 3, 64, false);
  private static final long HOUR = SLOTS.slot().toMillis();
  private static final long FEE = SLOTS.feePerTime();
  private static final long MONEY = 1_000;

  /** In slots. */
  private static final long DAY = 24;

  private static final Target CALL =
      new Target.PrivateCall(
          new ContractAddress("0x" + "0a".repeat(20)),
          "token",
          "transfer",
          new Identity("alice", new NodeName("node1")),
          Bytes.utf8("{}"));
  private static final Target PAY = new Target.Transfer(BOB, new Amount(1));

  private final QueueUnderTest queue =
      new QueueUnderTest(QueueSetup.of(OPERATOR, new Recurring(SLOTS)));

  @BeforeEach
  void fund() {
    queue.fund(ALICE, MONEY);
  }

  // Start and end.

  @Test
  void noTimeIsBeforeItsStartOrAfterItsEndAndItEndsWithItsLast() {
    var id = queue.insert(series(between(3, 5)));
    assertThat(firstTimes()).containsExactly(3L, 4L, 5L);
    assertThat(schedule(id).due().time()).isEqualTo(3);
    for (int slot = 1; slot <= 7; slot++) {
      queue.blockAt(slot * HOUR);
    }
    assertThat(outcomes(id)).containsExactly(Outcome.RUN, Outcome.RUN, Outcome.RUN);
    assertThat(queue.state.entries().schedules().containsKey(id)).isFalse();
    assertThat(queue.balance(ALICE)).isEqualTo(MONEY - 3 - 3 * FEE);
  }

  @Test
  void whatIsMissedTogetherIsNoMoreThanUntilItsEnd() {
    var id = queue.insert(series(between(3, 5)));
    queue.blockAt(20 * HOUR);
    assertThat(queue.outcome(id).orElseThrow().outcome()).isEqualTo(Outcome.MISSED);
    assertThat(queue.outcome(id).orElseThrow().occurrences()).isEqualTo(3);
    queue.block();
    assertThat(queue.state.isIdle()).isTrue();
  }

  @Test
  void aSeriesOfNoTimesIsRefused() {
    var every = new Cadence.Every(HOUR, 5 * HOUR);
    var terms = new SeriesTerms(Bytes.utf8("s"), every, Optional.empty(), between(2, 5));
    var proposal = Proposal.of(ALICE, terms, PAY);
    assertThat(queue.refused(ALICE, new Operation.Propose(proposal))).isEqualTo(Code.BAD_TIME);
    assertThat(refused(queue.insert(series(SeriesPolicy.NONE)), between(0, 0)))
        .isEqualTo(Code.BAD_TIME);
  }

  @Test
  void itsStartAndItsEndAreChangedAndTakenAway() {
    var id = queue.insert(series(between(3, 5)));
    change(
        id,
        new SeriesPolicy.Revision(
            Optional.of(8 * HOUR),
            Optional.of(9 * HOUR),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty()));
    assertThat(schedule(id).due().time()).isEqualTo(8);
    change(
        id,
        new SeriesPolicy.Revision(
            Optional.of(SeriesPolicy.NO_START),
            Optional.of(SeriesPolicy.NO_END),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty()));
    assertThat(schedule(id).due().time()).isEqualTo(1);
    assertThat(((SeriesTerms) schedule(id).proposal().terms()).policy())
        .isSameAs(SeriesPolicy.NONE);
    queue.blockAt(HOUR);
    var backwards =
        new SeriesPolicy.Revision(
            Optional.of(9 * HOUR),
            Optional.of(8 * HOUR),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    assertThat(refused(id, backwards)).isEqualTo(Code.BAD_TIME);
    change(
        id,
        new SeriesPolicy.Revision(
            Optional.empty(),
            Optional.of(2 * HOUR),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty()));
    queue.blockAt(2 * HOUR);
    assertThat(outcomes(id)).containsExactly(Outcome.RUN, Outcome.RUN);
    queue.block();
    assertThat(queue.state.isIdle()).isTrue();
  }

  @Test
  void aTaskHasNone() {
    var terms = new RecurringTerms(Bytes.utf8("t"), List.of(HOUR));
    var id = queue.insert(Proposal.of(ALICE, terms, PAY));
    var policy =
        new SeriesPolicy.Revision(
            Optional.empty(),
            Optional.of(HOUR),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    var revision =
        new RecurringRevision(
            Optional.of(List.of(2 * HOUR)), Optional.empty(), Optional.empty(), policy);
    var changing =
        new Operation.Change(
            id, Optional.of(revision), Optional.empty(), Optional.empty(), Optional.empty(), "");
    assertThat(queue.refused(ALICE, changing)).isEqualTo(Code.BAD_STATE);
  }

  @Test
  void aPauseThatOutlastsItsEndLeavesNothingToResume() {
    var id = queue.insert(series(between(0, 2)));
    queue.accepted(ALICE, new Operation.Intervene(id, Kind.PAUSE, ""));
    queue.blockAt(9 * HOUR);
    assertThat(queue.refused(ALICE, new Operation.Intervene(id, Kind.RESUME, "")))
        .isEqualTo(Code.BAD_TIME);
    queue.accepted(ALICE, new Operation.Cancel(id));
    assertThat(queue.state.book().holds()).isEmpty();
  }

  // Days off.

  @Test
  void aDayOffIsPassedOverAsADayThatCronDoesNotName() {
    set("swiss", 1, 2);
    var id = queue.insert(series(standingOn("swiss")));
    queue.blockAt(23 * HOUR);
    assertThat(schedule(id).due().time()).isEqualTo(3 * DAY);
    queue.blockAt(3 * DAY * HOUR);
    assertThat(outcomes(id)).containsExactly(Outcome.MISSED, Outcome.RUN, Outcome.RUN);
    assertThat(queue.outcome(id).orElseThrow().key().occurrence()).isEqualTo(23);
  }

  @Test
  void aDayIsOneOfTheListsOwnZone() {
    var list = new DaysOff("+02:00", List.of(1L));
    queue.accepted(OPERATOR, new Operation.Perform(new SetDaysOff("east", list)));
    var id = queue.insert(series(standingOn("east")));
    queue.blockAt(21 * HOUR);
    assertThat(schedule(id).due().time()).isEqualTo(46);
  }

  /** Days off (REC-19). */
  @Test
  void aChangeOfTheListPlansAnewWhatStandsOnIt() {
    set("swiss", 5);
    var cadence = new Cadence.Every(DAY * HOUR, DAY * HOUR);
    var id = queue.insert(series("a", cadence, standingOn("swiss")));
    var other = queue.insert(series("b", cadence, SeriesPolicy.NONE));
    set("swiss", 1, 2);
    assertThat(schedule(id).due().time()).isEqualTo(3 * DAY);
    assertThat(schedule(other).due().time()).isEqualTo(DAY);
    queue.recover();
    set("swiss", 1);
    assertThat(schedule(id).due().time()).as("its day is off no more").isEqualTo(2 * DAY);
    set("swiss");
    assertThat(schedule(id).due().time()).isEqualTo(DAY);
    queue.blockAt(DAY * HOUR);
    assertThat(outcomes(id)).containsExactly(Outcome.RUN);
  }

  @Test
  void whatItsOwnerHasSkippedDoesNotComeBackByAChangeOfTheList() {
    set("swiss", 9);
    var id =
        queue.insert(series("a", new Cadence.Every(DAY * HOUR, DAY * HOUR), standingOn("swiss")));
    queue.accepted(ALICE, new Operation.Intervene(id, Kind.SKIP_NEXT, ""));
    set("swiss", 10);
    assertThat(schedule(id).due().time()).isEqualTo(2 * DAY);
  }

  @Test
  void whatIsMovedTakesRoomOrIsParked() {
    set("swiss");
    var ids =
        List.of("a", "b", "c").stream()
            .map(
                name -> {
                  long every = name.equals("c") ? 2 * DAY : DAY;
                  return queue.insert(
                      series(
                          name,
                          new Cadence.Every(every * HOUR, every * HOUR),
                          standingOn("swiss")));
                })
            .toList();
    set("swiss", 1);
    var due = ids.stream().map(id -> schedule(id).due()).toList();
    assertThat(due.stream().filter(key -> key.parkedFor().equals(Optional.of(ParkedFor.SLOT_FULL))))
        .hasSize(1);
    assertThat(due.stream().filter(key -> key.time() == 2 * DAY)).hasSize(2);
  }

  @Test
  void whatHasNoTimeLeftIsCalledOffWithItsFee() {
    set("swiss");
    var policy = new SeriesPolicy(0, DAY * HOUR, "swiss", Overlap.WAIT, Duration.ZERO, 0);
    var id = queue.insert(series("a", new Cadence.Every(DAY * HOUR, DAY * HOUR), policy));
    set("swiss", 1);
    assertThat(queue.outcome(id).orElseThrow().outcome()).isEqualTo(Outcome.CANCELLED);
    assertThat(queue.outcome(id).orElseThrow().note()).contains("days off");
    assertThat(queue.balance(ALICE)).isEqualTo(MONEY);
    queue.accepted(OPERATOR, remove("swiss"));
  }

  @Test
  void aListIsTheAdministratorsAndIsNotRemovedFromUnderASeries() {
    var list = new SetDaysOff("swiss", new DaysOff("UTC", List.of(1L)));
    assertThat(queue.refused(ALICE, new Operation.Perform(list))).isEqualTo(Code.NOT_ALLOWED);
    assertThat(queue.refused(OPERATOR, remove("swiss"))).isEqualTo(Code.BAD_STATE);
    var standing = series(standingOn("swiss"));
    assertThat(queue.refused(ALICE, new Operation.Propose(standing))).isEqualTo(Code.BAD_STATE);
    queue.accepted(OPERATOR, new Operation.Perform(list));
    var id = queue.insert(standing);
    assertThat(listed()).containsExactly(new RecurringQuery.Listed("swiss", list.days(), 1));
    assertThat(queue.refused(ALICE, remove("swiss"))).isEqualTo(Code.NOT_ALLOWED);
    assertThat(queue.refused(OPERATOR, remove("swiss"))).isEqualTo(Code.BAD_STATE);
    change(
        id,
        new SeriesPolicy.Revision(
            Optional.empty(),
            Optional.empty(),
            Optional.of(SeriesPolicy.NO_LIST),
            Optional.empty(),
            Optional.empty(),
            Optional.empty()));
    queue.accepted(OPERATOR, remove("swiss"));
    assertThat(listed()).isEmpty();
    assertThat(refused(id, standingOn("swiss"))).isEqualTo(Code.BAD_STATE);
  }

  /** Days off are bounded (REC-19). */
  @Test
  void aListTakesNoMoreThanAChangeOfItCanPlanInAStep() {
    queue.fund(ALICE, 100_000);
    set("swiss");
    for (int i = 0; i < 1_000; i++) {
      var cadence = new Cadence.Every((1 + i) * HOUR, 10_000 * HOUR);
      queue.insert(series("s" + i, cadence, standingOn("swiss")));
    }
    var more = series("more", new Cadence.Every(5_000 * HOUR, HOUR), standingOn("swiss"));
    assertThat(queue.refused(ALICE, new Operation.Propose(more))).isEqualTo(Code.BAD_STATE);
    for (int i = 1; i < 100; i++) {
      set("list" + i);
    }
    var list = new SetDaysOff("more", new DaysOff("UTC", List.of()));
    assertThat(queue.refused(OPERATOR, new Operation.Perform(list))).isEqualTo(Code.BAD_STATE);
  }

  // Overlap.

  /** It runs from slot 1 to slot 4, and so comes to its times 2, 3 and 4 too late. */
  private ScheduleId ranFor(Overlap overlap, LatePolicy late) {
    var id = queue.insert(series(overlapping(overlap), CALL, late, RetryPolicy.NEVER));
    queue.blockAt(HOUR);
    queue.nowMs = 4 * HOUR + HOUR / 2;
    answered(id);
    return id;
  }

  private void answered(ScheduleId id) {
    queue.tell(new Answered(schedule(id).firstAttempt(), new Conclusion.Succeeded(1)));
  }

  /** Overlap (REC-20). */
  @Test
  void whatIsDueWhileItRunsWaitsAndIsLateThen() {
    var id = ranFor(Overlap.WAIT, new LatePolicy.RunAll());
    assertThat(schedule(id).due().time()).isEqualTo(2);
    queue.block();
    assertThat(queue.startedInLastBlock()).containsExactly(id);
  }

  /** Overlap (REC-20). */
  @Test
  void whatIsDueWhileItRunsIsMissedIfItIsToBeSkipped() {
    var id = ranFor(Overlap.SKIP, new LatePolicy.RunAll());
    assertThat(outcomes(id)).containsExactly(Outcome.RUN, Outcome.MISSED);
    assertThat(queue.outcome(id).orElseThrow().occurrences()).isEqualTo(3);
    assertThat(queue.outcome(id).orElseThrow().note())
        .isEqualTo("The one before it was still running.");
    assertThat(schedule(id).due().time()).isEqualTo(5);
    assertThat(schedule(id).occurrence()).isEqualTo(4);
    queue.block();
    assertThat(queue.startedInLastBlock()).isEmpty();
    queue.recover();
    queue.blockAt(5 * HOUR);
    assertThat(queue.startedInLastBlock()).containsExactly(id);
  }

  /** Overlap (REC-20). */
  @Test
  void ofWhatIsDueWhileItRunsTheNewestRunsThenIfOneIsBuffered() {
    var id = ranFor(Overlap.BUFFER_ONE, new LatePolicy.Skip());
    assertThat(outcomes(id)).containsExactly(Outcome.RUN, Outcome.MISSED);
    assertThat(queue.outcome(id).orElseThrow().occurrences()).isEqualTo(2);
    queue.recover();
    queue.block();
    assertThat(queue.startedInLastBlock()).containsExactly(id);
    queue.nowMs = 6 * HOUR;
    answered(id);
    assertThat(queue.outcome(id).orElseThrow().occurrences()).as("5 of 5 and 6").isEqualTo(1);
    queue.block();
    assertThat(queue.startedInLastBlock()).containsExactly(id);
  }

  @Test
  void oneThatIsBufferedAloneRunsAlsoAfterItsSlot() {
    var policy = overlapping(Overlap.BUFFER_ONE);
    var terms =
        new SeriesTerms(
            Bytes.utf8("s"), new Cadence.Every(HOUR, 3 * HOUR), Optional.empty(), policy);
    var id = queue.insert(Proposal.of(ALICE, terms, CALL));
    queue.blockAt(HOUR);
    queue.nowMs = 6 * HOUR;
    answered(id);
    queue.block();
    assertThat(queue.startedInLastBlock()).containsExactly(id);
    answered(id);
    assertThat(schedule(id).due().time()).isEqualTo(7);
    assertThat(outcomes(id)).containsExactly(Outcome.RUN, Outcome.RUN);
  }

  /** Overlap (REC-20). */
  @Test
  void whatWasLateBeforeItBeganIsNotSkippedForIt() {
    var late = new LatePolicy.RunAll();
    var id = queue.insert(series(overlapping(Overlap.SKIP), CALL, late, RetryPolicy.NEVER));
    queue.blockAt(3 * HOUR);
    queue.nowMs = 5 * HOUR;
    answered(id);
    assertThat(schedule(id).due().time()).isEqualTo(2);
  }

  @Test
  void aChangeOfItBringsBackNoTimeThatWasSkipped() {
    var id = queue.insert(series(SeriesPolicy.NONE));
    queue.accepted(ALICE, new Operation.Intervene(id, Kind.SKIP_NEXT, ""));
    change(
        id,
        new SeriesPolicy.Revision(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.of(Overlap.SKIP),
            Optional.empty(),
            Optional.empty()));
    assertThat(schedule(id).due().time()).isEqualTo(2);
  }

  @Test
  void aLimitedNumberOfRunsEndsWithWhatIsSkipped() {
    for (var overlap : List.of(Overlap.SKIP, Overlap.BUFFER_ONE)) {
      var terms =
          new SeriesTerms(
              Bytes.utf8("limited " + overlap),
              new Cadence.Every(queue.nowMs / HOUR * HOUR + HOUR, HOUR),
              Optional.of(3L),
              overlapping(overlap));
      var id = queue.insert(Proposal.of(ALICE, terms, CALL));
      queue.blockAt(schedule(id).due().time() * HOUR);
      queue.nowMs += 9 * HOUR;
      answered(id);
      if (overlap == Overlap.BUFFER_ONE) {
        queue.block();
        answered(id);
      }
      queue.block();
      queue.block();
      assertThat(queue.state.isIdle()).as("%s", overlap).isTrue();
      assertThat(queue.state.book().holds()).isEmpty();
      assertThat(
              queue.state.history().of(id).stream().mapToLong(History.Recorded::occurrences).sum())
          .isEqualTo(3);
    }
  }

  // Failures.

  /** Paused for failing (REC-22). */
  @Test
  void itIsPausedAfterSoManyRunsInARowThatHaveFailed() {
    var policy = pausedAfter(2);
    var retried = new RetryPolicy(2, new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(1)));
    var id = queue.insert(series(policy, poor(), LatePolicy.AS_SPECIFIED, retried));
    queue.blockAt(HOUR);
    queue.blockAt(HOUR + 2_000);
    assertThat(outcomes(id)).as("attempts count for nothing").containsExactly(Outcome.FAILED);
    assertThat(schedule(id).isPaused()).isFalse();
    assertThat(schedule(id).interventions().failures()).isEqualTo(1);
    queue.recover();
    queue.blockAt(2 * HOUR);
    queue.blockAt(2 * HOUR + 2_000);
    assertThat(schedule(id).isPaused()).isTrue();
    assertThat(schedule(id).due().parkedFor()).contains(ParkedFor.PAUSED);
    assertThat(schedule(id).interventions().newest().getLast().by()).isEqualTo(AccountId.QUEUE);
    assertThat(queue.queue.explain(queue.state, id, queue.wall()).sentence())
        .contains("Paused by @queue: 2 runs in a row have failed.");
    assertThat(queue.notices()).anyMatch(Notice.Intervened.class::isInstance);
    queue.recover();
    queue.blockAt(9 * HOUR);
    assertThat(outcomes(id)).hasSize(2);
    queue.accepted(ALICE, new Operation.Intervene(id, Kind.RESUME, ""));
    assertThat(schedule(id).interventions().failures()).isZero();
    assertThat(schedule(id).due().time()).isEqualTo(10);
  }

  /** Paused for failing (REC-22). */
  @Test
  void aRunThatSucceedsBeginsTheCountAnewAndAMissedTimeDoesNot() {
    var id = queue.insert(series(pausedAfter(2), CALL, LatePolicy.AS_SPECIFIED, RetryPolicy.NEVER));
    queue.blockAt(HOUR);
    failed(id);
    queue.blockAt(2 * HOUR);
    answered(id);
    queue.blockAt(3 * HOUR);
    failed(id);
    assertThat(schedule(id).interventions().failures()).isEqualTo(1);
    queue.blockAt(8 * HOUR);
    assertThat(outcomes(id)).endsWith(Outcome.MISSED);
    failed(id);
    assertThat(schedule(id).isPaused()).isTrue();
  }

  /** Whoever has changed it may have mended what failed (REC-22). */
  @Test
  void aChangeBeginsTheCountAnew() {
    var id = queue.insert(series(pausedAfter(2), CALL, LatePolicy.AS_SPECIFIED, RetryPolicy.NEVER));
    queue.blockAt(HOUR);
    failed(id);

    change(id, SeriesPolicy.Revision.NONE);

    assertThat(schedule(id).interventions().failures()).isZero();
    queue.blockAt(2 * HOUR);
    failed(id);
    assertThat(schedule(id).isPaused()).isFalse();
  }

  @Test
  void withoutThePolicyNothingIsCounted() {
    var id =
        queue.insert(series(SeriesPolicy.NONE, poor(), LatePolicy.AS_SPECIFIED, RetryPolicy.NEVER));
    queue.blockAt(HOUR);
    assertThat(schedule(id).interventions()).isSameAs(Interventions.NONE);
  }

  @Test
  void pausesBetweenAttemptsMayBeGiven() {
    var retry = RetryPolicy.after(4, List.of(Duration.ofMinutes(1), Duration.ofMinutes(5)));
    var id = queue.insert(series(SeriesPolicy.NONE, poor(), LatePolicy.AS_SPECIFIED, retry));
    queue.blockAt(HOUR);
    var minutes = new ArrayList<Long>();
    for (int minute = 0; minute < 30; minute++) {
      queue.blockAt(HOUR + minute * 60_000L);
      if (queue.last.events().stream().anyMatch(QueueEvent.Concluded.class::isInstance)) {
        minutes.add((long) minute);
      }
    }
    assertThat(minutes).containsExactly(1L, 6L, 11L);
    assertThat(queue.outcome(id).orElseThrow().attempts()).hasSize(4);
  }

  // Jitter.

  @Test
  void aJitterIsTheSameForTheSameTimeAndIsForetold() {
    var cadence = new Cadence.Every(DAY * HOUR, DAY * HOUR);
    var id = queue.insert(series("j", cadence, jittering(5)));
    var told = firstTimes();
    for (int day = 1; day <= 5; day++) {
      assertThat(told.get(day - 1) - DAY * day).isBetween(0L, 5L);
    }
    for (int slot = 1; slot < 5 * DAY + 6; slot++) {
      queue.blockAt(slot * HOUR);
      if (slot % 20 == 0) {
        queue.recover();
      }
    }
    assertThat(
            queue.state.history().of(id).stream()
                .map(ran -> ran.asked().orElseThrow().millis() / HOUR)
                .toList())
        .isEqualTo(told);
  }

  @Test
  void manySeriesOfOneTimeAreSpread() {
    queue.fund(ALICE, 10_000);
    var seen = new TreeSet<Long>();
    for (int i = 0; i < 6; i++) {
      var cadence = new Cadence.Every(DAY * HOUR, DAY * HOUR);
      var id = queue.insert(series("j" + i, cadence, jittering(20)));
      seen.add(schedule(id).due().time());
    }
    assertThat(seen).hasSizeGreaterThan(2);
  }

  /** Jitter (REC-21). */
  @Test
  void aJitterIsNoLongerThanUntilTheNextTime() {
    var id = queue.insert(series("often", new Cadence.Every(HOUR, 3 * HOUR), jittering(20)));
    var slots = firstTimes();
    for (int i = 0; i < slots.size(); i++) {
      assertThat(slots.get(i)).isBetween(1 + 3L * i, 3 + 3L * i);
    }
    queue.blockAt(100 * HOUR);
    queue.block();
    long ended =
        queue.state.history().of(id).stream().mapToLong(History.Recorded::occurrences).sum();
    assertThat(schedule(id).due().time()).isBetween(100L, 106L);
    assertThat(ended).isEqualTo((schedule(id).due().time() - 1) / 3);
  }

  /** Jitter (REC-21). */
  @Test
  void aJitterIsOfWholeSlotsADayAtMostAndBuffersNone() {
    var crooked =
        new SeriesPolicy.Revision(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.of(Duration.ofMinutes(90)),
            Optional.empty());
    var id = queue.insert(series(SeriesPolicy.NONE));
    assertThat(refused(id, crooked)).isEqualTo(Code.BAD_TIME);
    for (var wrong :
        List.<ThrowingCallable>of(
            () -> jittering(25),
            () -> jittering(-1),
            () -> pausedAfter(-1),
            () -> pausedAfter(1_001),
            () ->
                new SeriesPolicy(
                    0, 1, SeriesPolicy.NO_LIST, Overlap.BUFFER_ONE, Duration.ofHours(1), 0))) {
      assertThatThrownBy(wrong).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void oneThatIsRunByHandKeepsItsNextTimeWithItsJitter() {
    var id = queue.insert(series("j", new Cadence.Every(DAY * HOUR, DAY * HOUR), jittering(20)));
    var told = firstTimes();
    queue.accepted(ALICE, new Operation.Intervene(id, Kind.RUN_NOW, ""));
    assertThat(schedule(id).due().time()).isEqualTo(told.get(0));
    queue.blockAt(told.get(0) * HOUR);
    assertThat(schedule(id).due().time()).isEqualTo(told.get(1));
  }

  // What the tests are made of.

  /** Of what costs more than she has. */
  private static Target poor() {
    return new Target.Transfer(BOB, new Amount(1_000_000));
  }

  private void failed(ScheduleId id) {
    var why = new Conclusion.Failed(1, "no", true);
    queue.tell(new Answered(schedule(id).firstAttempt(), why));
  }

  private static SeriesPolicy pausedAfter(int failures) {
    return new SeriesPolicy(
        SeriesPolicy.NO_START,
        SeriesPolicy.NO_END,
        SeriesPolicy.NO_LIST,
        Overlap.WAIT,
        Duration.ZERO,
        failures);
  }

  private static SeriesPolicy jittering(long slots) {
    return new SeriesPolicy(
        SeriesPolicy.NO_START,
        SeriesPolicy.NO_END,
        SeriesPolicy.NO_LIST,
        Overlap.WAIT,
        Duration.ofHours(slots),
        0);
  }

  private static SeriesPolicy overlapping(Overlap overlap) {
    return new SeriesPolicy(
        SeriesPolicy.NO_START,
        SeriesPolicy.NO_END,
        SeriesPolicy.NO_LIST,
        overlap,
        Duration.ZERO,
        0);
  }

  private void set(String name, long... days) {
    var list = new DaysOff("UTC", LongStream.of(days).boxed().toList());
    queue.accepted(OPERATOR, new Operation.Perform(new SetDaysOff(name, list)));
  }

  private static Operation remove(String name) {
    return new Operation.Perform(new RemoveDaysOff(name));
  }

  private List<RecurringQuery.Listed> listed() {
    return queue.queue.ask(queue.state, new RecurringQuery.DaysOffListed(), queue.wall()).lists();
  }

  private static SeriesPolicy standingOn(String list) {
    return new SeriesPolicy(
        SeriesPolicy.NO_START, SeriesPolicy.NO_END, list, Overlap.WAIT, Duration.ZERO, 0);
  }

  private static Proposal series(String name, Cadence cadence, SeriesPolicy policy) {
    return Proposal.of(
        ALICE, new SeriesTerms(Bytes.utf8(name), cadence, Optional.empty(), policy), PAY);
  }

  private static SeriesPolicy between(long first, long last) {
    return new SeriesPolicy(
        first * HOUR, last * HOUR, SeriesPolicy.NO_LIST, Overlap.WAIT, Duration.ZERO, 0);
  }

  private void change(ScheduleId id, SeriesPolicy.Revision policy) {
    queue.accepted(ALICE, changing(id, policy));
  }

  private Code refused(ScheduleId id, SeriesPolicy policy) {
    return refused(
        id,
        new SeriesPolicy.Revision(
            Optional.of(policy.notBeforeMs()),
            Optional.of(policy.notAfterMs()),
            Optional.of(policy.daysOff()),
            Optional.of(policy.overlap()),
            Optional.of(policy.jitter()),
            Optional.of(policy.pauseAfter())));
  }

  private Code refused(ScheduleId id, SeriesPolicy.Revision policy) {
    return queue.refused(ALICE, changing(id, policy));
  }

  private static Operation changing(ScheduleId id, SeriesPolicy.Revision policy) {
    var revision =
        new RecurringRevision(Optional.empty(), Optional.empty(), Optional.empty(), policy);
    return new Operation.Change(
        id, Optional.of(revision), Optional.empty(), Optional.empty(), Optional.empty(), "");
  }

  private static Proposal series(SeriesPolicy policy) {
    return series(policy, PAY, LatePolicy.AS_SPECIFIED, RetryPolicy.NEVER);
  }

  private static Proposal series(
      SeriesPolicy policy, Target target, LatePolicy late, RetryPolicy retry) {
    var terms =
        new SeriesTerms(Bytes.utf8("s"), new Cadence.Every(HOUR, HOUR), Optional.empty(), policy);
    return new Proposal(ALICE, terms, target, late, retry);
  }

  /** Those that its creation was answered, by their slots. */
  private List<Long> firstTimes() {
    var first = (RecurringResult.FirstTimes) queue.answer().result().orElseThrow();
    return first.timesMs().stream().map(ms -> ms / HOUR).toList();
  }

  private Schedule schedule(ScheduleId id) {
    return queue.state.entries().schedules().get(id);
  }

  private List<Outcome> outcomes(ScheduleId id) {
    return queue.state.history().of(id).stream().map(History.Recorded::outcome).toList();
  }
}
