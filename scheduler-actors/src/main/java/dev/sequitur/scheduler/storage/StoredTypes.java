package dev.sequitur.scheduler.storage;

import dev.sequitur.encoding.Alternatives;
import dev.sequitur.encoding.Codecs;
import dev.sequitur.encoding.MalformedBytesException;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Conclusion;
import dev.sequitur.schedule.LatePolicy;
import dev.sequitur.schedule.RetryPolicy;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.book.HoldId;
import dev.sequitur.schedule.chainexecution.Advance;
import dev.sequitur.schedule.chainexecution.ChainExecutionEvent;
import dev.sequitur.schedule.chainexecution.ChainExecutionState;
import dev.sequitur.schedule.chainexecution.ChainExecutionTerms;
import dev.sequitur.schedule.chainexecution.Reading;
import dev.sequitur.schedule.family.Family.Revision;
import dev.sequitur.schedule.family.FamilyEvent;
import dev.sequitur.schedule.family.FamilyNotice;
import dev.sequitur.schedule.family.FamilyOperation;
import dev.sequitur.schedule.family.FamilyResult;
import dev.sequitur.schedule.family.FamilyState;
import dev.sequitur.schedule.family.Terms;
import dev.sequitur.schedule.gaspriority.GasPriorityEvent;
import dev.sequitur.schedule.gaspriority.GasPriorityRevision;
import dev.sequitur.schedule.gaspriority.GasPriorityState;
import dev.sequitur.schedule.gaspriority.GasPriorityTerms;
import dev.sequitur.schedule.multisignature.MultiSignatureEvent;
import dev.sequitur.schedule.multisignature.MultiSignatureNotice;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation;
import dev.sequitur.schedule.multisignature.MultiSignatureResult;
import dev.sequitur.schedule.multisignature.MultiSignatureState;
import dev.sequitur.schedule.multisignature.MultiSignatureTerms;
import dev.sequitur.schedule.plan.PlanEvent;
import dev.sequitur.schedule.plan.PlanOperation;
import dev.sequitur.schedule.plan.PlanResult;
import dev.sequitur.schedule.plan.PlanState;
import dev.sequitur.schedule.plan.PlanTerms;
import dev.sequitur.schedule.queue.History;
import dev.sequitur.schedule.queue.QueueEffect;
import dev.sequitur.schedule.queue.QueueEffect.Notice;
import dev.sequitur.schedule.queue.QueueEvent;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.recurring.Cadence;
import dev.sequitur.schedule.recurring.CronCadence;
import dev.sequitur.schedule.recurring.RecurringEvent;
import dev.sequitur.schedule.recurring.RecurringOperation;
import dev.sequitur.schedule.recurring.RecurringResult;
import dev.sequitur.schedule.recurring.RecurringRevision;
import dev.sequitur.schedule.recurring.RecurringState;
import dev.sequitur.schedule.recurring.RecurringTerms;
import dev.sequitur.schedule.recurring.ResumeSeries;
import dev.sequitur.schedule.recurring.SeriesTerms;
import dev.sequitur.schedule.signing.AccountKey;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.PublicKey;
import java.util.List;

/**
 * The numbers of all alternatives that are stored or sent, and how they were laid out in earlier
 * versions. What is new goes to the end of its list.
 *
 * <p>Each change of what is stored, be it of a record, of an encoding or of what lies in which
 * cell, raises {@link #VERSION}: bytes of a version mean one thing, also if it was never released.
 * As long as nothing is released {@link #OLDEST} is raised with it; later each old layout stays
 * here, and what the keys of cells are made of stays as it is.
 */
final class StoredTypes {
  /** Stands before everything stored or sent, in one byte. */
  static final int VERSION = 16;

  /** The first that is still read. No program that was released has written one before. */
  static final int OLDEST = 16;

  static final List<Codecs.Former<?, ?>> FORMERS = List.of();

  /** Texts, and records that recur in nearly every event. */
  static final Class<?>[] SHARED = {
    String.class,
    AccountId.class,
    Identity.class,
    ContractAddress.class,
    LatePolicy.class,
    RetryPolicy.class
  };

  /**
   * @throws MalformedBytesException if bytes of this version cannot be read here
   */
  static int checked(int version) {
    if (version >= OLDEST && version <= VERSION) {
      return version;
    }
    var wanted = OLDEST == VERSION ? "version " + VERSION : "versions " + OLDEST + " to " + VERSION;
    throw new MalformedBytesException(
        "What it has stored has version "
            + version
            + " of the layouts, and this Sequitur reads "
            + wanted
            + (version > VERSION
                ? ": start the newer Sequitur that wrote it."
                : ": start the Sequitur that wrote it, which was never released, or begin with an"
                    + " empty data directory or schema."));
  }

  static final List<Alternatives<?>> ALTERNATIVES =
      List.of(
          Alternatives.of(
              StoredEvent.class, StoredEvent.Happened.class, StoredEvent.StartedAsProposed.class),
          Alternatives.of(
              QueueEvent.class,
              QueueEvent.ClockAdvanced.class,
              QueueEvent.Posted.class,
              QueueEvent.Admitted.class,
              QueueEvent.Started.class,
              QueueEvent.Submitted.class,
              QueueEvent.Concluded.class,
              QueueEvent.RetryPlanned.class,
              QueueEvent.Settled.class,
              QueueEvent.Removed.class,
              QueueEvent.ServiceChanged.class,
              QueueEvent.FamilyChanged.class,
              QueueEvent.Throttled.class,
              QueueEvent.SetAside.class,
              QueueEvent.Shifted.class,
              QueueEvent.Captured.class,
              QueueEvent.Released.class,
              QueueEvent.Deferred.class,
              QueueEvent.Ran.class,
              QueueEvent.Rescheduled.class,
              QueueEvent.AccountOpened.class,
              QueueEvent.AccountChanged.class,
              QueueEvent.KeyBound.class,
              QueueEvent.OutcomesArchived.class,
              QueueEvent.Told.class,
              QueueEvent.Intervened.class,
              QueueEvent.Amended.class,
              QueueEvent.Divided.class,
              QueueEvent.Sent.class,
              QueueEvent.Taken.class),
          Alternatives.of(
              History.Happened.class,
              History.Recorded.class,
              History.Told.class,
              History.Booked.class),
          Alternatives.of(History.Beside.class, History.Told.class, History.Booked.class),
          Alternatives.of(HoldId.class, HoldId.OfSchedule.class, HoldId.Named.class),
          Alternatives.of(
              FamilyOperation.class,
              MultiSignatureOperation.ScheduleCreate.class,
              MultiSignatureOperation.ScheduleSign.class,
              MultiSignatureOperation.ScheduleDelete.class,
              MultiSignatureOperation.CryptoCreate.class,
              MultiSignatureOperation.CryptoUpdate.class,
              MultiSignatureOperation.OpenAccount.class,
              MultiSignatureOperation.BindKey.class,
              ResumeSeries.class,
              PlanOperation.AddPlan.class,
              PlanOperation.RemovePlan.class,
              PlanOperation.SetPayee.class,
              PlanOperation.Pause.class,
              PlanOperation.Unpause.class,
              PlanOperation.Approve.class,
              PlanOperation.Purchase.class,
              PlanOperation.TransferAndCall.class,
              PlanOperation.Schedule.class,
              PlanOperation.BatchSchedule.class,
              PlanOperation.CancelScheduling.class,
              PlanOperation.RequestExecutionRefund.class,
              PlanOperation.RequestPlanRefund.class,
              PlanOperation.Execute.class,
              Advance.class,
              MultiSignatureOperation.CryptoTransfer.class,
              MultiSignatureOperation.RecordRefusal.class,
              MultiSignatureOperation.OpenReserved.class,
              RecurringOperation.SetDaysOff.class,
              RecurringOperation.RemoveDaysOff.class,
              RecurringOperation.BackFill.class,
              MultiSignatureOperation.QueryPayment.class,
              MultiSignatureOperation.CryptoDelete.class),
          Alternatives.of(
              FamilyResult.class,
              MultiSignatureResult.class,
              PlanResult.Added.class,
              PlanResult.Purchased.class,
              PlanResult.Scheduled.class,
              RecurringResult.FirstTimes.class,
              RecurringResult.Filling.class),
          Alternatives.of(FamilyNotice.class, MultiSignatureNotice.Exported.class),
          Alternatives.of(
              FamilyEvent.class,
              GasPriorityEvent.TickCut.class,
              MultiSignatureEvent.Signed.class,
              MultiSignatureEvent.Triggered.class,
              MultiSignatureEvent.BodiesArchived.class,
              MultiSignatureEvent.Recorded.class,
              MultiSignatureEvent.Forgotten.class,
              PlanEvent.PlanAdded.class,
              PlanEvent.PlanRemoved.class,
              PlanEvent.PayeeSet.class,
              PlanEvent.Approved.class,
              PlanEvent.ExecutionPurchased.class,
              PlanEvent.ExecutionEnded.class,
              PlanEvent.PlanRefunded.class,
              ChainExecutionEvent.Served.class,
              ChainExecutionEvent.Read.class,
              ChainExecutionEvent.Dispatched.class,
              ChainExecutionEvent.Landed.class,
              ChainExecutionEvent.Failed.class,
              ChainExecutionEvent.Conditions.class,
              RecurringEvent.DaysOffSet.class,
              RecurringEvent.DaysOffRemoved.class),
          Alternatives.of(
              FamilyState.class,
              GasPriorityState.class,
              RecurringState.class,
              MultiSignatureState.class,
              PlanState.class,
              ChainExecutionState.class),
          Alternatives.of(
              Terms.class,
              GasPriorityTerms.class,
              RecurringTerms.class,
              MultiSignatureTerms.class,
              SeriesTerms.class,
              PlanTerms.class,
              ChainExecutionTerms.class),
          Alternatives.of(
              Reading.Logged.class,
              Reading.Requested.class,
              Reading.Seen.class,
              Reading.PlanAdded.class,
              Reading.PlanRemoved.class),
          Alternatives.of(
              Reading.End.class,
              Reading.End.Executed.class,
              Reading.End.Cancelled.class,
              Reading.End.Refunded.class),
          Alternatives.of(Revision.class, GasPriorityRevision.class, RecurringRevision.class),
          Alternatives.of(Cadence.class, Cadence.Every.class, CronCadence.class),
          Alternatives.of(
              AccountKey.class,
              PublicKey.class,
              AccountKey.KeyList.class,
              AccountKey.ThresholdKey.class),
          Alternatives.of(
              Action.class,
              Action.CryptoTransfer.class,
              Action.CryptoCreate.class,
              Action.PrivateTransaction.class,
              Action.Unschedulable.class,
              Action.CryptoUpdate.class),
          Alternatives.of(
              Target.class,
              Target.Transfer.class,
              Target.Notify.class,
              Target.Repeat.class,
              Target.PrivateCall.class,
              Target.ByFamily.class,
              Target.PublicCall.class),
          Alternatives.of(
              LatePolicy.class,
              LatePolicy.AsSpecified.class,
              LatePolicy.Skip.class,
              LatePolicy.RunOnce.class,
              LatePolicy.RunAll.class,
              LatePolicy.RunWithin.class,
              LatePolicy.ExpireAndRefund.class,
              LatePolicy.RunOnceWithin.class),
          Alternatives.of(Conclusion.class, Conclusion.Succeeded.class, Conclusion.Failed.class),
          Alternatives.of(
              Operation.class,
              Operation.Fund.class,
              Operation.Withdraw.class,
              Operation.Propose.class,
              Operation.Cancel.class,
              Operation.Pause.class,
              Operation.Resume.class,
              Operation.Shutdown.class,
              Operation.Perform.class,
              Operation.Batch.class,
              Operation.Intervene.class,
              Operation.Change.class,
              Operation.Divide.class,
              Operation.Take.class),
          Alternatives.of(
              QueueEffect.class,
              QueueEffect.Answer.class,
              QueueEffect.HandOver.class,
              QueueEffect.Publish.class,
              QueueEffect.BatchAnswer.class),
          Alternatives.of(
              Notice.class,
              Notice.Ended.class,
              Notice.TransactionFailed.class,
              Notice.ShutdownComplete.class,
              Notice.Notified.class,
              Notice.RescheduleRefused.class,
              Notice.OfFamily.class,
              Notice.Parked.class,
              Notice.Submitted.class,
              Notice.Intervened.class));

  private StoredTypes() {}
}
