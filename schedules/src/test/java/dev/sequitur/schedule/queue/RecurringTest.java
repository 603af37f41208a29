package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.BOB;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.LatePolicy;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.Refusal.Code;
import dev.sequitur.schedule.RetryPolicy;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.recurring.Recurring;
import dev.sequitur.schedule.recurring.RecurringSettings;
import dev.sequitur.schedule.recurring.RecurringTerms;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two tasks fit a slot, two run in a block, and a time costs 3. The queue starts in slot 0. */
class RecurringTest {
  private static final RecurringSettings SETTINGS =
      new RecurringSettings(Duration.ofHours(1), Duration.ofDays(180), 24, 2, 2, 3, 64, false);
  private static final long HOUR = SETTINGS.slot().toMillis();

  private final QueueUnderTest queue =
      new QueueUnderTest(QueueSetup.of(OPERATOR, new Recurring(SETTINGS)));

  @BeforeEach
  void fund() {
    queue.fund(ALICE, 1_000);
  }

  @Test
  void itRunsOnceInEachOfItsSlotsAndThenIsGone() {
    var id = queue.insert(task("rent", 2, 1, 2));
    assertThat(queue.balance(ALICE)).isEqualTo(1_000 - 2 * 3);

    queue.blockAt(HOUR);
    queue.blockAt(HOUR + 60_000);
    assertThat(queue.balance(BOB)).isEqualTo(1);
    queue.blockAt(2 * HOUR);
    queue.block();

    assertThat(outcomes(id)).containsExactly(Outcome.RUN, Outcome.RUN);
    assertThat(queue.balance(BOB)).isEqualTo(2);
    assertThat(queue.state.isIdle()).isTrue();
  }

  @Test
  void timesMustBeginASlotAfterThePresentOneWithinTheHorizon() {
    assertThat(refusal(times("a"))).isEqualTo(Code.BAD_TIME);
    assertThat(refusal(times("a", LongStream.rangeClosed(1, 25).map(n -> n * HOUR).toArray())))
        .isEqualTo(Code.BAD_TIME);
    assertThat(refusal(times("a", HOUR + 1))).isEqualTo(Code.BAD_TIME);
    assertThat(refusal(times("a", 0))).isEqualTo(Code.TIME_NOT_IN_FUTURE);
    assertThat(refusal(times("a", 181 * 24 * HOUR))).isEqualTo(Code.BAD_TIME);
    queue.insert(times("a", LongStream.rangeClosed(1, 24).map(n -> n * HOUR).toArray()));
  }

  /** What a slot takes (REC-3). */
  @Test
  void oneFullSlotFailsTheWholeCallAndChangesNothing() {
    queue.insert(task("a", 5));
    queue.insert(task("b", 5));

    assertThat(refusal(task("c", 4, 5, 6))).isEqualTo(Code.SLOT_FULL);

    queue.insert(task("c", 4, 6));
    queue.insert(task("d", 4, 6));
    assertThat(refusal(task("e", 4))).isEqualTo(Code.SLOT_FULL);
  }

  @Test
  void theSameIdIsADuplicateOnlyWhileItIsLive() {
    queue.insert(task("a", 5));
    assertThat(refusal(task("a", 6))).isEqualTo(Code.DUPLICATE);

    queue.blockAt(5 * HOUR);
    queue.block();
    queue.insert(task("a", 6));
  }

  /** A missed time is told of and not run late (REC-4). */
  @Test
  void slotsThatPassedInAnOutageAreMissedWithWhatThePresentSlotLeavesOfTheBudget() {
    var oldest = queue.insert(task("oldest", 1));
    var older = queue.insert(task("older", 2));
    var first = queue.insert(task("first", 9));
    var second = queue.insert(task("second", 9));

    queue.blockAt(9 * HOUR);
    assertThat(queue.startedInLastBlock()).containsExactly(first, second);
    assertThat(queue.outcome(oldest)).isEmpty();

    queue.block();
    assertThat(outcomes(oldest)).containsExactly(Outcome.MISSED);
    assertThat(outcomes(older)).containsExactly(Outcome.MISSED);
    assertThat(queue.state.isIdle()).isTrue();
  }

  @Test
  void whatMissedASlotStillRunsInThePresentOne() {
    var id = queue.insert(task("a", 1, 9));

    queue.blockAt(9 * HOUR);

    assertThat(outcomes(id)).containsExactly(Outcome.MISSED, Outcome.RUN);
  }

  @Test
  void aTaskMayChooseToRunAllThatIsLate() {
    var id = queue.insert(runAll(task("all", 1, 2, 3)));

    queue.nowMs = 9 * HOUR;
    for (int i = 0; i < 5; i++) {
      queue.block();
    }

    assertThat(outcomes(id)).containsExactly(Outcome.RUN, Outcome.RUN, Outcome.RUN);
  }

  @Test
  void whatIsRunLateComesAfterThePresentSlotAndTheOldestSlotFirst() {
    var newer = queue.insert(runAll(task("newer", 2)));
    var oldest = queue.insert(runAll(task("oldest", 1)));
    var oldestToo = queue.insert(runAll(task("oldest too", 1)));
    var present = queue.insert(task("present", 9));

    queue.blockAt(9 * HOUR);
    assertThat(queue.startedInLastBlock()).containsExactly(present, oldest);
    queue.block();
    assertThat(queue.startedInLastBlock()).containsExactly(oldestToo, newer);
  }

  @Test
  void whatIsRunLateNeverCrowdsOutThePresentSlot() {
    var late = queue.insert(runAll(task("late", 2)));
    var both = queue.insert(task("both", 1, 9));
    var present = queue.insert(task("present", 9));

    queue.blockAt(9 * HOUR);
    assertThat(queue.startedInLastBlock()).containsExactly(both, present);
    queue.block();
    assertThat(queue.startedInLastBlock()).containsExactly(late);
  }

  private static Proposal runAll(Proposal plain) {
    return new Proposal(
        ALICE, plain.terms(), plain.target(), new LatePolicy.RunAll(), RetryPolicy.NEVER);
  }

  @Test
  void cancelFreesEverySlotThatIsLeftAndKeepsTheFees() {
    var id = queue.insert(task("a", 1, 5, 6));
    queue.insert(task("b", 5, 6));
    queue.blockAt(HOUR);

    queue.accepted(ALICE, new Operation.Cancel(id));

    assertThat(outcomes(id)).containsExactly(Outcome.RUN, Outcome.CANCELLED, Outcome.CANCELLED);
    assertThat(queue.balance(ALICE)).isEqualTo(1_000 - 5 * 3 - 1);
    queue.insert(task("c", 5, 6));
  }

  @Test
  void whileStoppedNothingRunsAndWhatPassedIsMissed() {
    var id = queue.insert(task("a", 1, 9));
    queue.accepted(OPERATOR, new Operation.Pause(FamilyKind.RECURRING));
    queue.blockAt(HOUR);
    assertThat(queue.last.events()).isEmpty();

    queue.nowMs = 5 * HOUR;
    queue.accepted(OPERATOR, new Operation.Resume(FamilyKind.RECURRING));
    queue.block();
    queue.blockAt(9 * HOUR);

    assertThat(outcomes(id)).containsExactly(Outcome.MISSED, Outcome.RUN);
    queue.recover();
  }

  private Code refusal(Proposal proposal) {
    return queue.refused(ALICE, new Operation.Propose(proposal));
  }

  private List<Outcome> outcomes(ScheduleId id) {
    return queue.state.history().of(id).stream().map(History.Recorded::outcome).toList();
  }

  /** In these slots; one named twice counts once. */
  private static Proposal task(String id, long... slots) {
    return times(id, LongStream.of(slots).map(slot -> slot * HOUR).toArray());
  }

  private static Proposal times(String id, long... timesMs) {
    var terms = new RecurringTerms(Bytes.utf8(id), LongStream.of(timesMs).boxed().toList());
    return Proposal.of(ALICE, terms, new Target.Transfer(BOB, new Amount(1)));
  }
}
