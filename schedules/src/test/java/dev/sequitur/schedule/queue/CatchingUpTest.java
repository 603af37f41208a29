package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.BOB;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.LatePolicy;
import dev.sequitur.schedule.RetryPolicy;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.family.Terms;
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
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * After an outage or a stop: what was missed ends in one step, with one outcome that says how many
 * times it is for. Two run in a block, and a time costs 3. The queue starts in slot 0.
 */
class CatchingUpTest {
  private static final long FEE = 3;
  private static final long MONEY = 100_000;
  private static final RecurringSettings SETTINGS =
      new RecurringSettings(Duration.ofHours(1), Duration.ofDays(180), 24, 20, 2, FEE, 64, false);
  private static final long HOUR = SETTINGS.slot().toMillis();

  private final QueueUnderTest queue =
      new QueueUnderTest(QueueSetup.of(OPERATOR, new Recurring(SETTINGS)));

  @BeforeEach
  void fund() {
    queue.fund(ALICE, MONEY);
  }

  @Test
  void aSeriesMissesAMonthInOneStepAndRunsItsPresentTimeInTheSameBlock() {
    var id = queue.insert(series(Optional.empty(), LatePolicy.AS_SPECIFIED));
    queue.blockAt(HOUR);

    queue.blockAt(721 * HOUR);

    assertThat(told(id)).containsExactly("RUN 0 1", "MISSED 1 719", "RUN 720 1");
    queue.recover();
    queue.blockAt(722 * HOUR);
    assertThat(told(id)).endsWith("RUN 721 1");
  }

  @Test
  void aCronSeriesDoesTheSame() {
    var cron = new CronCadence("0 * * * *", "Europe/Zurich");
    var terms = new SeriesTerms(Bytes.utf8("rent"), cron, Optional.empty());
    var id = queue.insert(proposal(terms, LatePolicy.AS_SPECIFIED));

    queue.blockAt(400 * HOUR);

    assertThat(told(id)).containsExactly("MISSED 0 399", "RUN 399 1");
  }

  @Test
  void manySeriesAreCaughtUpWithTheBudgetOfABlockForEach() {
    for (int i = 0; i < 6; i++) {
      var terms =
          new SeriesTerms(Bytes.utf8("s" + i), new Cadence.Every(HOUR, HOUR), Optional.empty());
      queue.insert(proposal(terms, LatePolicy.AS_SPECIFIED));
    }
    queue.nowMs = 100 * HOUR;
    for (int i = 0; i < 4; i++) {
      queue.block();
    }

    queue.state.entries().schedules().keySet().stream()
        .map(this::told)
        .forEach(told -> assertThat(told).containsExactly("MISSED 0 99", "RUN 99 1"));
  }

  @Test
  void whatWasMissedCountsAsRunsAndEndsASeriesThatHasHadThemAll() {
    var id = queue.insert(series(Optional.of(5L), LatePolicy.AS_SPECIFIED));

    queue.blockAt(400 * HOUR);

    assertThat(told(id)).containsExactly("MISSED 0 5");
    assertThat(queue.state.isIdle()).isTrue();
    assertThat(queue.state.book().holds()).isEmpty();
  }

  @Test
  void aSeriesThatHasRunMissesNoMoreThanItHadLeft() {
    var id = queue.insert(series(Optional.of(5L), LatePolicy.AS_SPECIFIED));
    queue.blockAt(HOUR);
    queue.blockAt(2 * HOUR);

    queue.blockAt(400 * HOUR);

    assertThat(told(id)).containsExactly("RUN 0 1", "RUN 1 1", "MISSED 2 3");
    assertThat(queue.state.isIdle()).isTrue();
  }

  @Test
  void ofASeriesOnlyTheTimeThatWasBookedIsPaid() {
    queue.insert(series(Optional.of(5L), LatePolicy.AS_SPECIFIED));
    queue.blockAt(400 * HOUR);
    assertThat(queue.balance(ALICE)).isEqualTo(MONEY - FEE);
  }

  @Test
  void theTimesOfATaskThatWereMissedArePaidAndEndInOneStep() {
    var times = LongStream.of(1, 2, 3, 5, 9).map(slot -> slot * HOUR).boxed().toList();
    var id =
        queue.insert(proposal(new RecurringTerms(Bytes.utf8("t"), times), LatePolicy.AS_SPECIFIED));

    queue.blockAt(5 * HOUR);

    assertThat(told(id)).containsExactly("MISSED 0 3", "RUN 3 1");
    assertThat(queue.balance(ALICE)).isEqualTo(MONEY - 5 * FEE - 1);
    queue.recover();
    queue.blockAt(10 * HOUR);
    assertThat(told(id)).endsWith("MISSED 4 1");
    queue.block();
    assertThat(queue.state.isIdle()).isTrue();
    assertThat(queue.state.book().holds()).isEmpty();
  }

  @Test
  void aTaskThatHasMissedAllItsTimesEndsInOneStep() {
    var times = LongStream.of(1, 2, 3).map(slot -> slot * HOUR).boxed().toList();
    var id =
        queue.insert(proposal(new RecurringTerms(Bytes.utf8("t"), times), LatePolicy.AS_SPECIFIED));

    queue.blockAt(9 * HOUR);

    assertThat(told(id)).containsExactly("MISSED 0 3");
  }

  @Test
  void ofWhatIsLateTheNewestRunsIfItsOwnerSaidSoAndTheRestIsMissedInOneStep() {
    var id = queue.insert(series(Optional.of(4L), new LatePolicy.RunOnce()));

    queue.nowMs = 9 * HOUR;
    queue.block();
    queue.block();

    assertThat(told(id)).containsExactly("MISSED 0 3", "RUN 3 1");
  }

  @Test
  void withinAWindowWhatIsBeyondItIsMissedInOneStepAndTheRestRuns() {
    var window = new LatePolicy.RunWithin(Duration.ofMinutes(150));
    var id = queue.insert(series(Optional.empty(), window));

    queue.nowMs = 9 * HOUR;
    for (int i = 0; i < 4; i++) {
      queue.block();
    }

    assertThat(told(id)).containsExactly("MISSED 0 6", "RUN 6 1", "RUN 7 1", "RUN 8 1");
  }

  @Test
  void whoeverWantsEachTimeRunMissesNone() {
    var id = queue.insert(series(Optional.of(4L), new LatePolicy.RunAll()));

    queue.nowMs = 9 * HOUR;
    for (int i = 0; i < 6; i++) {
      queue.block();
    }

    assertThat(told(id)).containsExactly("RUN 0 1", "RUN 1 1", "RUN 2 1", "RUN 3 1");
  }

  @Test
  void ofWhatRunsLateABlockTakesAsManyTimesAsItsBudgetHasLeft() {
    var id = queue.insert(series(Optional.of(4L), new LatePolicy.RunAll()));

    queue.blockAt(9 * HOUR);
    assertThat(told(id)).containsExactly("RUN 0 1", "RUN 1 1");

    queue.block();
    assertThat(told(id)).containsExactly("RUN 0 1", "RUN 1 1", "RUN 2 1", "RUN 3 1");
  }

  @Test
  void seriesThatRunLateTakeTurnsAndWhatThePresentSlotNeedsIsNotTheirs() {
    var queue =
        new QueueUnderTest(QueueSetup.of(OPERATOR, new Recurring(SETTINGS.withBlockBudget(5))));
    queue.fund(ALICE, MONEY);
    var first = queue.insert(series("a", 1, new LatePolicy.RunAll()));
    var second = queue.insert(series("b", 2, new LatePolicy.RunAll()));
    var present = queue.insert(series("c", 9, LatePolicy.AS_SPECIFIED));

    queue.blockAt(9 * HOUR);

    assertThat(queue.state.history().of(present)).hasSize(1);
    assertThat(queue.state.history().of(first)).hasSize(2);
    assertThat(queue.state.history().of(second)).hasSize(2);
    queue.recover();
    queue.nowMs = 9 * HOUR + 1;
    for (int i = 0; i < 5; i++) {
      queue.block();
    }
    assertThat(queue.state.history().of(first)).hasSize(9);
    assertThat(queue.state.history().of(second)).hasSize(8);
    assertThat(queue.state.history().of(present)).hasSize(1);
  }

  @Test
  void whatIsLeftOfABudgetGoesToTheOldestTimes() {
    var queue =
        new QueueUnderTest(QueueSetup.of(OPERATOR, new Recurring(SETTINGS.withBlockBudget(3))));
    queue.fund(ALICE, MONEY);
    var seldom = queue.insert(series("a", new Cadence.Every(HOUR, 5 * HOUR)));
    var often = queue.insert(series("b", new Cadence.Every(2 * HOUR, HOUR)));

    queue.blockAt(9 * HOUR);

    assertThat(queue.state.history().of(seldom)).hasSize(1);
    assertThat(queue.state.history().of(often)).hasSize(2);
  }

  @Test
  void aPrivateCallThatRunsLateIsHandedOverOnceUntilItHasEnded() {
    var call =
        new Target.PrivateCall(
            new ContractAddress("0x" + "ab".repeat(20)),
            "record",
            "increment",
            Identity.parse("alice@node1"),
            Bytes.EMPTY);
    var terms =
        new SeriesTerms(Bytes.utf8("rent"), new Cadence.Every(HOUR, HOUR), Optional.empty());
    queue.insert(new Proposal(ALICE, terms, call, new LatePolicy.RunAll(), RetryPolicy.NEVER));

    queue.blockAt(9 * HOUR);

    assertThat(queue.handedOver()).hasSize(1);
  }

  @Test
  void yearsAreMissedInOneStepWithOneOutcome() {
    var id = queue.insert(series(Optional.empty(), LatePolicy.AS_SPECIFIED));

    queue.blockAt(25_000 * HOUR);

    assertThat(told(id)).containsExactly("MISSED 0 24999", "RUN 24999 1");
  }

  /** Since 1981 Lord Howe's offset is not one of whole hours: no hour there begins a slot. */
  @Test
  void whatHasToBeLookedAtOneByOneIsBoundedInAStep() {
    queue.nowMs = Instant.parse("1978-06-01T00:00:00Z").toEpochMilli();
    var cron = new CronCadence("0 * * * *", "Australia/Lord_Howe");
    var terms = new SeriesTerms(Bytes.utf8("rent"), cron, Optional.empty());
    var id = queue.insert(proposal(terms, LatePolicy.AS_SPECIFIED));

    queue.nowMs = Instant.parse("1985-12-01T00:00:00Z").toEpochMilli();
    queue.block();

    assertThat(queue.state.history().of(id))
        .singleElement()
        .satisfies(told -> assertThat(told.occurrences()).isBetween(900L, 1_001L));
  }

  /** Outcome, the first occurrence that it is for, and for how many. */
  private List<String> told(ScheduleId id) {
    return queue.state.history().of(id).stream()
        .map(each -> each.outcome() + " " + each.key().occurrence() + " " + each.occurrences())
        .toList();
  }

  private static Proposal series(String id, Cadence cadence) {
    var terms = new SeriesTerms(Bytes.utf8(id), cadence, Optional.empty());
    return proposal(terms, new LatePolicy.RunAll());
  }

  private static Proposal series(String id, long firstSlot, LatePolicy late) {
    var cadence = new Cadence.Every(firstSlot * HOUR, HOUR);
    return proposal(new SeriesTerms(Bytes.utf8(id), cadence, Optional.empty()), late);
  }

  private static Proposal series(Optional<Long> runs, LatePolicy late) {
    var terms = new SeriesTerms(Bytes.utf8("rent"), new Cadence.Every(HOUR, HOUR), runs);
    return proposal(terms, late);
  }

  private static Proposal proposal(Terms terms, LatePolicy late) {
    return new Proposal(
        ALICE, terms, new Target.Transfer(BOB, new Amount(1)), late, RetryPolicy.NEVER);
  }
}
