package dev.sequitur.scheduler.actor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.schedule.queue.QueueEffect.Answer;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.CutBlock;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.schedule.queue.QueueState;
import dev.sequitur.schedule.queue.ScheduleQueue;
import dev.sequitur.schedule.recurring.RecurringState;
import dev.sequitur.scheduler.SchedulerNode;
import dev.sequitur.scheduler.SchedulerSettings;
import dev.sequitur.scheduler.actor.QueueDecider.Recalled;
import dev.sequitur.scheduler.storage.CommandDigest;
import dev.sequitur.scheduler.storage.QueueMemory;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class QueueBatchTest {
  private static final AccountId OPERATOR = new AccountId("operator");
  private static final AccountId ALICE = new AccountId("alice");

  private final ScheduleQueue rules =
      new ScheduleQueue(
          QueueSetup.of(
              OPERATOR, new GasPriority(new GasPrioritySettings(100, 100, 100, 100, 1, 10_240))));

  /** One that stopped the queue for good would leave nobody a way to repair it. */
  @Test
  void aBlockThatTheRulesCannotDecideChangesNothingAndCommandsHaveTheirTurn() {
    var batch =
        new QueueBatch(
            services(rules),
            QueueMemory.EMPTY.with(withAnothersFamilyState(), List.of()),
            new FailureLog(LoggerFactory.getLogger(QueueBatchTest.class)),
            Recalled.NOTHING);
    var fund = new Operation.Fund(ALICE, new Amount(5));

    batch.add(new CutBlock());
    batch.add(new Command("gift", OPERATOR, fund));
    batch.add(new CutBlock());

    assertThat(batch.effects())
        .containsExactly(new Answer("gift", Optional.empty(), Optional.empty(), Optional.empty()));
    assertThat(batch.memory().queue().book().available(ALICE)).isEqualTo(new Amount(5));
  }

  @Test
  void whatMayHaveBeenDoneBeforeIsNotDoneWhileTheStoreCannotBeAsked() {
    var cannotTell = new Refusal(Refusal.Code.BUSY, "Try again.");
    var batch =
        new QueueBatch(
            services(rules),
            QueueMemory.EMPTY,
            new FailureLog(LoggerFactory.getLogger(QueueBatchTest.class)),
            Recalled.NOTHING.refusing(cannotTell));
    var fund = new Operation.Fund(ALICE, new Amount(5));

    batch.add(new Command("gift", OPERATOR, fund));
    batch.add(new Command(SchedulerNode.ONCE + 1, OPERATOR, fund));

    assertThat(((Answer) batch.effects().get(0)).refusal()).contains(cannotTell);
    assertThat(((Answer) batch.effects().get(1)).refusal()).isEmpty();
    assertThat(batch.memory().queue().book().available(ALICE)).isEqualTo(new Amount(5));
  }

  /** What no event ever brings about. */
  private static QueueState withAnothersFamilyState() {
    var state = QueueState.initial();
    return state.withFamilies(
        state.families().plus(FamilyKind.GAS_PRIORITY, RecurringState.INITIAL));
  }

  static QueueServices services(ScheduleQueue rules) {
    return new QueueServices(
        rules,
        SchedulerSettings.DEFAULT,
        new NodeClocks(
            InstantSource.fixed(Instant.parse("2026-11-21T12:00:00Z")), System::nanoTime),
        null,
        null,
        null,
        null,
        null,
        null,
        new CommandDigest(),
        null,
        null,
        null,
        null);
  }
}
