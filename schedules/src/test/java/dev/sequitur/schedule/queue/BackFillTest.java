package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.BOB;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.Refusal.Code;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Intervention;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.queue.QueueEffect.Notice;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.recurring.Cadence;
import dev.sequitur.schedule.recurring.CronCadence;
import dev.sequitur.schedule.recurring.Recurring;
import dev.sequitur.schedule.recurring.RecurringOperation.BackFill;
import dev.sequitur.schedule.recurring.RecurringResult;
import dev.sequitur.schedule.recurring.RecurringSettings;
import dev.sequitur.schedule.recurring.RecurringState;
import dev.sequitur.schedule.recurring.RecurringTerms;
import dev.sequitur.schedule.recurring.SeriesTerms;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A series runs again for past times (REC-23). A slot of an hour takes two, a time costs 3 and a
 * block runs four; the queue starts in slot 0.
 */
class BackFillTest {
  private static final RecurringSettings SLOTS =
      new RecurringSettings(Duration.ofHours(1), Duration.ofDays(180), 24, 2, 4, 3, 64, false);
  private static final long HOUR = SLOTS.slot().toMillis();
  private static final long FEE = SLOTS.feePerTime();
  private static final long MONEY = 1_000;
  private static final Target PAY = new Target.Transfer(BOB, new Amount(1));

  private final QueueUnderTest queue =
      new QueueUnderTest(QueueSetup.of(OPERATOR, new Recurring(SLOTS)));

  @BeforeEach
  void fund() {
    queue.fund(ALICE, MONEY);
  }

  @Test
  void eachPastTimeRunsOnceWithItsFeeAndIsMarked() {
    var id = queue.insert(hourly());
    queue.blockAt(10 * HOUR);
    long before = queue.balance(ALICE);
    long paid = queue.balance(BOB);
    fill(id, 3, 8);
    assertThat(filling().runs())
        .extracting(run -> run.timeMs() / HOUR)
        .containsExactly(3L, 4L, 5L, 6L, 7L, 8L);
    assertThat(filling().already()).isZero();
    var runs = filling().runs();
    assertThat(queue.notices())
        .anyMatch(
            notice ->
                notice instanceof Notice.Intervened(var of, var owner, var done)
                    && done.kind() == Intervention.Kind.BACK_FILL);
    queue.recover();
    queue.blockAt(10 * HOUR + 1_000);
    queue.blockAt(11 * HOUR);
    queue.block();
    assertThat(queue.balance(BOB)).as("six of the past, and its own at 11").isEqualTo(paid + 7);
    assertThat(queue.balance(ALICE)).isEqualTo(before - 7 - 7 * FEE);
    for (var run : runs) {
      var recorded = queue.outcome(run.task()).orElseThrow();
      assertThat(recorded.outcome()).isEqualTo(Outcome.RUN);
      assertThat(((RecurringTerms) recorded.proposal().terms()).fills())
          .contains(new RecurringTerms.BackFilled(id, run.timeMs()));
    }
    assertThat(queue.state.entries().schedules().get(id).interventions().newest().getLast().note())
        .isEqualTo("why");
  }

  @Test
  void theSameAgainDoublesNothingAndALongerOneRunsWhatIsNew() {
    var id = queue.insert(hourly());
    queue.blockAt(10 * HOUR);
    fill(id, 3, 4);
    fill(id, 3, 4);
    assertThat(filling().runs()).isEmpty();
    assertThat(filling().already()).isEqualTo(2);
    queue.block();
    queue.block();
    queue.recover();
    long paid = queue.balance(BOB);
    fill(id, 2, 5);
    assertThat(filling().runs()).extracting(run -> run.timeMs() / HOUR).containsExactly(2L, 5L);
    queue.block();
    assertThat(queue.balance(BOB)).isEqualTo(paid + 2);
  }

  @Test
  void whatDidNotRunMayBeFilledAgain() {
    var id = queue.insert(hourly());
    queue.blockAt(10 * HOUR);
    fill(id, 3, 3);
    queue.accepted(ALICE, new Operation.Cancel(filling().runs().getFirst().task()));
    fill(id, 3, 3);
    assertThat(filling().runs()).hasSize(1);
    queue.block();
    fill(id, 3, 3);
    assertThat(filling().runs()).isEmpty();
  }

  @Test
  void onlyPastTimesOfASeriesAreFilledByItsOwner() {
    var id = queue.insert(hourly());
    queue.blockAt(200 * HOUR);
    queue.block();
    var filling = new BackFill(id, 3 * HOUR, 4 * HOUR, "");
    assertThat(queue.refused(BOB, new Operation.Perform(filling))).isEqualTo(Code.NOT_ALLOWED);
    assertThat(refused(id, 4, 3)).isEqualTo(Code.BAD_TIME);
    assertThat(refused(id, 150, 200)).isEqualTo(Code.BAD_TIME);
    assertThat(refused(id, 1, 101)).isEqualTo(Code.BAD_TIME);
    fill(id, 0, 0);
    assertThat(filling().runs()).as("it begins with slot 1").isEmpty();
    var task =
        queue.insert(
            Proposal.of(ALICE, new RecurringTerms(Bytes.utf8("t"), List.of(300 * HOUR)), PAY));
    assertThat(refused(task, 1, 2)).isEqualTo(Code.UNKNOWN_SCHEDULE);
    fill(id, 1, 100);
    assertThat(filling().runs()).hasSize(100);
  }

  @Test
  void allFeesAreThereOrNothingIsFilled() {
    var poor = Proposal.of(BOB, new SeriesTerms(Bytes.utf8("p"), cron(), Optional.empty()), pay());
    queue.fund(BOB, 2 * FEE + 1);
    var id = queue.insert(poor);
    queue.nowMs = 5 * HOUR - 1;
    var filling = new Operation.Perform(new BackFill(id, HOUR, 3 * HOUR, ""));
    assertThat(queue.refused(BOB, filling)).isEqualTo(Code.INSUFFICIENT_BALANCE);
  }

  @Test
  void aSeriesIsToldSoManyTimesAndIsForgottenWithItsEnd() {
    queue.fund(ALICE, 100_000);
    var id = queue.insert(hourly());
    queue.blockAt(1_200 * HOUR);
    queue.block();
    for (int i = 0; i < 10; i++) {
      fill(id, 1 + 100 * i, 100 + 100 * i);
    }
    assertThat(refused(id, 1_001, 1_001)).isEqualTo(Code.BAD_STATE);
    queue.accepted(ALICE, new Operation.Cancel(id));
    for (int i = 0; i < 300; i++) {
      queue.block();
    }
    assertThat(queue.state.isIdle()).isTrue();
    assertThat(((RecurringState) queue.queue.family(queue.state, FamilyKind.RECURRING)).filled())
        .isEmpty();
    assertThat(queue.state.book().holds()).isEmpty();
  }

  private void fill(ScheduleId id, long first, long last) {
    queue.accepted(
        ALICE, new Operation.Perform(new BackFill(id, first * HOUR, last * HOUR, "why")));
  }

  private Code refused(ScheduleId id, long first, long last) {
    return queue.refused(
        ALICE, new Operation.Perform(new BackFill(id, first * HOUR, last * HOUR, "")));
  }

  private RecurringResult.Filling filling() {
    return (RecurringResult.Filling) queue.answer().result().orElseThrow();
  }

  private static Proposal hourly() {
    var cadence = new Cadence.Every(HOUR, HOUR);
    return Proposal.of(ALICE, new SeriesTerms(Bytes.utf8("s"), cadence, Optional.empty()), PAY);
  }

  private static Cadence cron() {
    return new CronCadence("0 * * * *", "UTC");
  }

  private static Target pay() {
    return new Target.Transfer(ALICE, new Amount(1));
  }
}
