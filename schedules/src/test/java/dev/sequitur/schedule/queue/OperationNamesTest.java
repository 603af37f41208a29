package dev.sequitur.schedule.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.chainexecution.Advance;
import dev.sequitur.schedule.family.FamilyOperation;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation;
import dev.sequitur.schedule.plan.PlanOperation;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.recurring.RecurringOperation;
import dev.sequitur.schedule.recurring.ResumeSeries;
import dev.sequitur.schedule.registry.FamilyTypes;
import dev.sequitur.schedule.signing.AccountChange;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Throttles are set and stored by these names: a class may be called otherwise, and they stay. */
class OperationNamesTest {
  private static final AccountId ALICE = new AccountId("alice");

  /** What they hold is of no matter here. */
  private static final List<FamilyOperation> OF_FAMILIES =
      List.of(
          new MultiSignatureOperation.ScheduleCreate(null, null, null, null),
          new MultiSignatureOperation.ScheduleSign(null, null, null),
          new MultiSignatureOperation.ScheduleDelete(null, null),
          new MultiSignatureOperation.CryptoCreate(null, null),
          new MultiSignatureOperation.CryptoUpdate(null, null, (AccountChange) null),
          new MultiSignatureOperation.OpenAccount(null),
          new MultiSignatureOperation.BindKey(null, null),
          new MultiSignatureOperation.CryptoTransfer(null, null),
          new MultiSignatureOperation.CryptoDelete(null, null, null),
          new MultiSignatureOperation.RecordRefusal(null, null, null),
          new MultiSignatureOperation.QueryPayment(null, null, null),
          new MultiSignatureOperation.OpenReserved(null, null, null),
          new ResumeSeries(null),
          new RecurringOperation.SetDaysOff("a", null),
          new RecurringOperation.RemoveDaysOff("a"),
          new RecurringOperation.BackFill(null, 0, 0, ""),
          new PlanOperation.AddPlan(null),
          new PlanOperation.RemovePlan(0),
          new PlanOperation.SetPayee(ALICE),
          new PlanOperation.Pause(),
          new PlanOperation.Unpause(),
          new PlanOperation.Approve(null, Amount.ZERO),
          new PlanOperation.Purchase(0, 1, Amount.ZERO),
          new PlanOperation.TransferAndCall(null, Amount.ZERO, null),
          new PlanOperation.Schedule(null, null),
          new PlanOperation.BatchSchedule(List.of(), Amount.ZERO),
          new PlanOperation.CancelScheduling(null),
          new PlanOperation.RequestExecutionRefund(null),
          new PlanOperation.RequestPlanRefund(0),
          new PlanOperation.Execute(null, 0),
          new Advance(
              null, Optional.empty(), List.of(), List.of(), Map.of(), List.of(), false, ""));

  @Test
  void operationsOfFamiliesAreCalledAsTheirSpecificationsCallThem() {
    assertThat(OF_FAMILIES)
        .extracting(FamilyOperation::name)
        .containsExactly(
            "ScheduleCreate",
            "ScheduleSign",
            "ScheduleDelete",
            "CryptoCreate",
            "CryptoUpdate",
            "OpenAccount",
            "BindKey",
            "CryptoTransfer",
            "CryptoDelete",
            "RecordRefusal",
            "QueryPayment",
            "OpenReserved",
            "ResumeSeries",
            "SetDaysOff",
            "RemoveDaysOff",
            "BackFill",
            "AddPlan",
            "RemovePlan",
            "SetPayee",
            "Pause",
            "Unpause",
            "Approve",
            "Purchase",
            "TransferAndCall",
            "Schedule",
            "BatchSchedule",
            "CancelScheduling",
            "RequestExecutionRefund",
            "RequestPlanRefund",
            "Execute",
            "Advance");
  }

  @Test
  void noOperationOfAFamilyIsMissingHere() {
    assertThat(OF_FAMILIES)
        .extracting(Object::getClass)
        .containsExactlyInAnyOrderElementsOf(
            FamilyTypes.of(FamilyOperation.class).stream()
                .flatMap(OperationNamesTest::records)
                .toList());
  }

  private static Stream<Class<?>> records(Class<?> type) {
    return type.isSealed()
        ? Stream.of(type.getPermittedSubclasses()).flatMap(OperationNamesTest::records)
        : Stream.of(type);
  }

  @Test
  void operationsOfTheQueueKeepTheirNames() {
    assertThat(
            List.of(
                new Operation.Fund(ALICE, Amount.ZERO),
                new Operation.Withdraw(ALICE, Amount.ZERO),
                new Operation.Propose(null),
                new Operation.Cancel(null),
                new Operation.Intervene(null, null, ""),
                new Operation.Change(
                    null,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    ""),
                new Operation.Pause(FamilyKind.RECURRING),
                new Operation.Resume(FamilyKind.RECURRING),
                new Operation.Shutdown(FamilyKind.RECURRING)))
        .extracting(Operation.OfQueue::name)
        .containsExactly(
            "Fund",
            "Withdraw",
            "Propose",
            "Cancel",
            "Intervene",
            "Change",
            "Pause",
            "Resume",
            "Shutdown");
  }
}
