package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.BOB;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static dev.sequitur.schedule.queue.RecurringRefusalTest.call;
import static dev.sequitur.schedule.queue.RecurringRefusalTest.task;
import static dev.sequitur.schedule.queue.RecurringRefusalTest.withLate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Conclusion;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.LatePolicy;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.RetryPolicy;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.queue.QueueInput.Answered;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.recurring.Recurring;
import dev.sequitur.schedule.recurring.RecurringSettings;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a recurring task may choose beyond its text, what its owner can ask of it, and where its
 * fees go. Two tasks fit a slot, two run in a block, and a time costs 3.
 */
class RecurringPolicyTest {
  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final long MINUTE = Duration.ofMinutes(1).toMillis();
  private static final long MONEY = 1_000;
  private static final Target PAY = new Target.Transfer(BOB, new Amount(1));
  private static final RetryPolicy THREE_TIMES =
      new RetryPolicy(3, new Backoff(Duration.ofMinutes(1), Duration.ofMinutes(4)));

  private final QueueUnderTest queue = queue(false);

  private static QueueUnderTest queue(boolean refundOnCancel) {
    var settings =
        new RecurringSettings(
            Duration.ofHours(1), Duration.ofDays(180), 24, 2, 2, 3, 64, refundOnCancel);
    return new QueueUnderTest(QueueSetup.of(OPERATOR, new Recurring(settings)));
  }

  @BeforeEach
  void fund() {
    queue.fund(ALICE, MONEY);
  }

  /** A chosen window (REC-11). */
  @Test
  void whoeverChoosesAWindowIsNotRunLaterThanThatWithinItsSlot() {
    var within = new LatePolicy.RunWithin(Duration.ofMinutes(5));
    var inTime = queue.insert(withLate(task("in time", PAY, 1), within));
    var tooLate = queue.insert(withLate(task("too late", PAY, 2), within));
    var asTheTextHasIt = queue.insert(task("plain", PAY, 2));

    queue.blockAt(HOUR + 5 * MINUTE);
    queue.blockAt(2 * HOUR + 5 * MINUTE + 1);

    assertThat(outcomes(inTime)).containsExactly(Outcome.RUN);
    assertThat(outcomes(tooLate)).containsExactly(Outcome.MISSED);
    assertThat(outcomes(asTheTextHasIt)).containsExactly(Outcome.RUN);
  }

  @Test
  void whoeverChoosesAWindowBeyondItsSlotIsRunInALaterOne() {
    var within = new LatePolicy.RunWithin(Duration.ofHours(2));
    var id = queue.insert(withLate(task("a", PAY, 1, 2, 3), within));

    queue.nowMs = 4 * HOUR;
    for (int i = 0; i < 4; i++) {
      queue.block();
    }

    assertThat(outcomes(id)).containsExactly(Outcome.MISSED, Outcome.RUN, Outcome.RUN);
  }

  /** Of what is late only the newest runs: the one whose time comes just now. */
  @Test
  void aTimeIsMissedAsSoonAsTheNextOneComes() {
    var id = queue.insert(withLate(task("a", PAY, 1, 2), new LatePolicy.RunOnce()));

    queue.blockAt(2 * HOUR);

    assertThat(outcomes(id)).containsExactly(Outcome.MISSED, Outcome.RUN);
  }

  @Test
  void aTimeIsLateButNotMissedUntilTheNextOneComes() {
    var id = queue.insert(withLate(task("a", PAY, 1, 3), new LatePolicy.RunOnce()));

    queue.blockAt(3 * HOUR - 1);

    assertThat(outcomes(id)).containsExactly(Outcome.RUN);
  }

  @Test
  void aTimeThatComesWhileTheOneBeforeItIsOutWaitsForItsOutcome() {
    var id = queue.insert(task("a", call(), 1, 2, 5));
    queue.blockAt(HOUR);
    var key = queue.handedOver().get(0).key();
    queue.blockAt(2 * HOUR);
    assertThat(outcomes(id)).isEmpty();

    queue.nowMs = 3 * HOUR;
    queue.tell(new Answered(key, new Conclusion.Succeeded(1)));
    queue.block();
    assertThat(outcomes(id)).containsExactly(Outcome.RUN, Outcome.MISSED);

    queue.blockAt(5 * HOUR);
    assertThat(queue.handedOver())
        .singleElement()
        .satisfies(out -> assertThat(out.key()).isNotEqualTo(key));
  }

  @Test
  void aTransferThatFailsForLackOfMoneyIsTriedAgainAndItsFeeIsTakenOnce() {
    var pay = new Target.Transfer(BOB, new Amount(MONEY));
    var plain = task("a", pay, 1);
    var id =
        queue.insert(new Proposal(ALICE, plain.terms(), pay, LatePolicy.AS_SPECIFIED, THREE_TIMES));

    queue.blockAt(HOUR);
    assertThat(outcomes(id)).isEmpty();
    assertThat(why(id)).startsWith("An attempt failed; the next is at 1970-01-01T01:0");
    queue.fund(ALICE, 3);
    queue.blockAt(HOUR + 2 * MINUTE);

    assertThat(outcomes(id)).containsExactly(Outcome.RUN);
    assertThat(queue.balance(BOB)).isEqualTo(MONEY);
    assertThat(queue.balance(ALICE)).isZero();
  }

  @Test
  void withoutARetryPolicyAFailureIsItsOneOutcome() {
    var id = queue.insert(task("a", new Target.Transfer(BOB, new Amount(MONEY)), 1, 2));

    queue.blockAt(HOUR);

    assertThat(outcomes(id)).containsExactly(Outcome.FAILED);
    assertThat(queue.outcome(id).orElseThrow().note()).contains("less");
    queue.blockAt(2 * HOUR);
    assertThat(outcomes(id)).containsExactly(Outcome.FAILED, Outcome.FAILED);
  }

  @Test
  void whyItHasNotRunSaysWhatItWaitsFor() {
    var first = queue.insert(task("first", PAY, 1));
    var second = queue.insert(task("second", PAY, 1));
    var later = queue.insert(task("later", call(), 9));
    assertThat(why(first)).isEqualTo("It is not due yet: its slot begins at 1970-01-01T01:00:00Z.");

    queue.nowMs = HOUR;
    assertThat(why(second)).isEqualTo("Its time has just come: no block has been cut since.");
    queue.accepted(OPERATOR, new Operation.Pause(FamilyKind.RECURRING));
    assertThat(why(second)).contains("it is paused");
    queue.accepted(OPERATOR, new Operation.Resume(FamilyKind.RECURRING));
    queue.block();
    queue.blockAt(9 * HOUR);
    assertThat(why(second)).isEqualTo("It has its outcome.");
    assertThat(why(later)).isEqualTo("It was started, and its outcome is awaited.");
  }

  /** The fees of times that never come (REC-8). */
  @Test
  void cancelGivesBackTheFeesThatAreLeftIfTheOperatorHasItSo() {
    var kind = queue(true);
    kind.fund(ALICE, MONEY);
    var id = kind.insert(task("a", PAY, 1, 5, 6));
    kind.blockAt(HOUR);

    kind.accepted(ALICE, new Operation.Cancel(id));

    assertThat(kind.balance(ALICE)).isEqualTo(MONEY - 3 - 1);
    assertThat(kind.state.book().holds()).isEmpty();
  }

  @Test
  void aShutdownCancelsEachTimeOfEachTaskAndGivesItsFeesBack() {
    var id = queue.insert(task("a", PAY, 1, 2));
    queue.accepted(OPERATOR, new Operation.Shutdown(FamilyKind.RECURRING));

    queue.block();

    assertThat(outcomes(id)).containsExactly(Outcome.CANCELLED, Outcome.CANCELLED);
    assertThat(queue.balance(ALICE)).isEqualTo(MONEY);
    assertThat(queue.state.book().holds()).isEmpty();
    queue.accepted(OPERATOR, new Operation.Resume(FamilyKind.RECURRING));
    queue.insert(task("a", PAY, 1, 2));
  }

  private String why(ScheduleId id) {
    return queue.queue.explain(queue.state, id, queue.wall()).sentence();
  }

  private List<Outcome> outcomes(ScheduleId id) {
    return queue.state.history().of(id).stream().map(History.Recorded::outcome).toList();
  }
}
