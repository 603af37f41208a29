package dev.sequitur.scheduler.actor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.FamilyOperation;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.schedule.gaspriority.GasPriorityTerms;
import dev.sequitur.schedule.multisignature.MultiSignature;
import dev.sequitur.schedule.multisignature.MultiSignatureEvent;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.queue.QueueEffect.Answer;
import dev.sequitur.schedule.queue.QueueEffect.BatchAnswer;
import dev.sequitur.schedule.queue.QueueEvent;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.schedule.queue.ScheduleQueue;
import dev.sequitur.scheduler.actor.QueueDecider.Recalled;
import dev.sequitur.scheduler.storage.QueueMemory;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * What is refused is decided anew when it is repeated (decision 0026), also when the command has
 * met something that time had brought about: here a record that is forgotten.
 */
class RememberedRefusalsTest {
  private static final AccountId OPERATOR = new AccountId("operator");
  private static final AccountId ALICE = new AccountId("alice");

  private final ScheduleQueue rules =
      new ScheduleQueue(
          QueueSetup.of(
              OPERATOR,
              new MultiSignature(MultiSignatureSettings.MVP),
              new GasPriority(new GasPrioritySettings(100, 100, 100, 100, 1, 10_240))));
  private QueueMemory memory = QueueMemory.EMPTY;

  @Test
  void aRefusalIsNotRememberedThoughSomethingElseWasStored() {
    keepAnOldRecord();
    var insert = new Command("k1", ALICE, new Operation.Propose(notification()));

    var batch = tell(insert);
    assertThat(batch.isEmpty()).isFalse();
    assertThat(((Answer) batch.effects().get(0)).refusal())
        .get()
        .extracting(Refusal::code)
        .isEqualTo(Refusal.Code.INSUFFICIENT_BALANCE);
    tell(new Command("k2", OPERATOR, new Operation.Fund(ALICE, new Amount(1_000))));

    assertThat(((Answer) tell(insert).effects().get(0)).refusal()).isEmpty();
    assertThat(tell(insert).isEmpty()).isTrue();
  }

  @Test
  void aBatchOfWhichNothingWasTakenIsNotRememberedEither() {
    for (boolean reverts : List.of(true, false)) {
      keepAnOldRecord();
      List<FamilyOperation> operations = List.of(SigningSamples.create());
      var id = "batch that reverts: " + reverts;

      var batch = tell(new Command(id, ALICE, new Operation.Batch(operations, reverts)));

      assertThat(((BatchAnswer) batch.effects().get(0)).each())
          .singleElement()
          .satisfies(answer -> assertThat(answer.refusal()).isPresent());
      assertThat(batch.isEmpty()).isFalse();
      assertThat(memory.commands().answer(id)).isEmpty();
    }
  }

  private QueueBatch tell(Command command) {
    var log = new FailureLog(LoggerFactory.getLogger(RememberedRefusalsTest.class));
    var batch = new QueueBatch(QueueBatchTest.services(rules), memory, log, Recalled.NOTHING);
    batch.add(command);
    memory = batch.memory();
    return batch;
  }

  private void keepAnOldRecord() {
    var record = new MultiSignatureEvent.Recorded(SigningSamples.record());
    var event = new QueueEvent.FamilyChanged(FamilyKind.MULTI_SIGNATURE, record);
    memory = memory.with(rules.evolve(memory.queue(), event), List.of());
  }

  private static Proposal notification() {
    long time = Instant.parse("2026-11-21T13:00:00Z").toEpochMilli();
    return Proposal.of(
        ALICE,
        new GasPriorityTerms(time, 100, 1),
        new Target.Transfer(new AccountId("bob"), new Amount(1)));
  }
}
