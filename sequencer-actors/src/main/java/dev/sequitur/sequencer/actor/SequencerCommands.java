package dev.sequitur.sequencer.actor;

import dev.sequitur.encoding.Alternatives;
import dev.sequitur.persistence.serialization.Schema;
import dev.sequitur.persistence.serialization.SchemaContribution;
import dev.sequitur.protocol.coordinator.CoordinatorInput;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.sequencer.view.SequencerStatus.CoordinatorReport;
import dev.sequitur.sequencer.view.SequencerStatus.SenderReport;
import java.util.List;

/**
 * The names under which what the actors tell each other travels between the JVMs of a node. A
 * rolling restart mixes versions, so a name stays as long as its command.
 */
public final class SequencerCommands implements SchemaContribution {
  @Override
  public List<Schema<?>> schemas() {
    return List.of(
        Schema.of("Sender.Deliver", 1, SenderActor.Deliver.class),
        Schema.of("Sender.IntentsHanded", 1, SenderActor.IntentsHanded.class),
        Schema.of("Sender.BlockIndexed", 1, SenderActor.BlockIndexed.class),
        Schema.of("Sender.PreparedDistributed", 1, SenderActor.PreparedDistributed.class),
        Schema.of("Sender.AssemblyFinished", 1, SenderActor.AssemblyFinished.class),
        Schema.of("Sender.Resume", 1, SenderActor.Resume.class),
        Schema.of("Sender.GetReport", 1, SenderActor.GetReport.class),
        Schema.of("Sender.GetTransaction", 1, SenderActor.GetTransaction.class),
        Schema.of("Sender.Found", 1, SenderActor.Found.class),
        Schema.of("Sender.Reload", 2, SenderActor.Reload.class),
        Schema.of("Sender.Wake", 1, SenderActor.Wake.class),
        Schema.of("SenderReport", 1, SenderReport.class),
        Schema.of("Coordinator.Deliver", 1, CoordinatorActor.Deliver.class),
        Schema.of("Coordinator.Told", 1, CoordinatorActor.Told.class),
        Schema.of("Coordinator.GetReport", 1, CoordinatorActor.GetReport.class),
        Schema.of("CoordinatorReport", 1, CoordinatorReport.class),
        Schema.of("Endorser.Deliver", 1, EndorserActor.Deliver.class),
        Schema.of("Submitter.DispatchAll", 1, SubmitterActor.DispatchAll.class),
        Schema.of("Submitter.GetUnconfirmed", 1, SubmitterActor.GetUnconfirmed.class),
        Schema.of("Submitter.Unconfirmed", 1, SubmitterActor.Unconfirmed.class),
        Schema.of("Submitter.Deliver", 1, SubmitterActor.Deliver.class),
        Schema.of("Submitter.BlockIndexed", 1, SubmitterActor.BlockIndexed.class),
        Schema.of("Submitter.GetPaid", 1, SubmitterActor.GetPaid.class),
        Schema.of("Submitter.Paid", 1, SubmitterActor.Paid.class),
        Schema.of("Submitter.GetPublics", 1, SubmitterActor.GetPublics.class),
        Schema.of("Submitter.Publics", 1, SubmitterActor.Publics.class),
        Schema.of("GasKeeper.Used", 1, GasKeeper.Used.class),
        Schema.of("GasKeeper.GetAccount", 1, GasKeeper.GetAccount.class),
        Schema.of("GasKeeper.Account", 1, GasKeeper.Account.class),
        Schema.of("Submitter.Wake", 1, SubmitterActor.Wake.class),
        Schema.of("StateStore.Deliver", 1, StateStoreActor.Deliver.class),
        Schema.of("StateStore.Distribute", 1, StateStoreActor.Distribute.class),
        Schema.of("Submitter.OutputsStored", 1, SubmitterActor.OutputsStored.class),
        Schema.of("StateStore.DistributePrepared", 1, StateStoreActor.DistributePrepared.class),
        Schema.of("StateStore.BlockIndexed", 1, StateStoreActor.BlockIndexed.class),
        Schema.of("StateStore.Assemble", 1, StateStoreActor.Assemble.class),
        Schema.of("StateStore.Validate", 1, StateStoreActor.Validate.class),
        Schema.of("StateStore.Validated", 1, StateStoreActor.Validated.class),
        Schema.of("StateStore.Call", 1, StateStoreActor.Call.class),
        Schema.of("StateStore.Stand", 1, StateStoreActor.Stand.class),
        Schema.of("StateStore.Stood", 1, StateStoreActor.Stood.class),
        Schema.of("StateStore.Lack", 1, StateStoreActor.Lack.class),
        Schema.of("StateStore.Lacked", 1, StateStoreActor.Lacked.class),
        Schema.of("StateStore.Hold", 1, StateStoreActor.Hold.class),
        Schema.of("StateStore.Held", 1, StateStoreActor.Held.class),
        Schema.of("StateStore.Differs", 1, StateStoreActor.Differs.class),
        Schema.of("StateStore.Correct", 1, StateStoreActor.Correct.class),
        Schema.of("StateStore.Corrected", 1, StateStoreActor.Corrected.class),
        Schema.of("StateStore.GetStopped", 1, StateStoreActor.GetStopped.class),
        Schema.of("StateStore.Stopped", 1, StateStoreActor.Stopped.class),
        Schema.of("StateStore.Erase", 1, StateStoreActor.Erase.class),
        Schema.of("StateStore.Taken", 1, StateStoreActor.Taken.class),
        Schema.of("StateStore.GetErasures", 1, StateStoreActor.GetErasures.class),
        Schema.of("StateStore.Erasures", 1, StateStoreActor.Erasures.class),
        Schema.of("LedgerComparer.Compare", 1, LedgerComparer.Compare.class),
        Schema.of("LedgerComparer.GetProgress", 1, LedgerComparer.GetProgress.class),
        Schema.of("LedgerComparer.Progress", 1, LedgerComparer.Progress.class),
        Schema.of("StateStore.Wake", 1, StateStoreActor.Wake.class),
        Schema.of("MessageBook.Deliver", 1, MessageBookActor.Deliver.class),
        Schema.of("MessageBook.Write", 1, MessageBookActor.Write.class),
        Schema.of("MessageBook.Written", 1, MessageBookActor.Written.class),
        Schema.of("MessageBook.Wake", 1, MessageBookActor.Wake.class),
        Schema.of("Bytes", 1, Bytes.class),
        Schema.of("LedgerIndexer.Ack", 1, LedgerIndexer.Ack.class),
        Schema.of("LedgerIndexer.Follow", 1, LedgerIndexer.Follow.class),
        Schema.of("BlockFeed.Indexed", 1, BlockFeedCommand.Indexed.class),
        Schema.of("IntentHandover.Taken", 1, IntentHandover.Taken.class),
        Schema.of("Submitter.PublicsWaiting", 2, SubmitterActor.PublicsWaiting.class),
        Schema.of("Submitter.ReplacePublic", 1, SubmitterActor.ReplacePublic.class),
        Schema.of("Submitter.CancelPublic", 1, SubmitterActor.CancelPublic.class),
        Schema.of("Submitter.PublicChange", 1, SubmitterActor.PublicChange.class),
        Schema.of("Submitter.NonceFell", 1, SubmitterActor.NonceFell.class),
        Schema.of("StateStore.HoldPart", 1, StateStoreActor.HoldPart.class),
        Schema.of("JvmQuestion", 1, JvmReport.Question.class),
        Schema.of("JvmReport", 1, JvmReport.class),
        Schema.of("JvmReport.Weighed", 1, JvmReport.Weighed.class));
  }

  @Override
  public List<Alternatives<?>> alternatives() {
    return List.of(
        Alternatives.of(
            Domain.Assembly.class,
            Domain.Assembly.Assembled.class,
            Domain.Assembly.Reverted.class,
            Domain.Assembly.Parked.class,
            Domain.Assembly.Failed.class,
            Domain.Assembly.Insufficient.class,
            Domain.Assembly.Taken.class),
        Alternatives.of(
            CoordinatorInput.Local.class,
            CoordinatorInput.DispatchesCommitted.class,
            CoordinatorInput.DispatchesSettled.class,
            CoordinatorInput.DispatchReverted.class,
            CoordinatorInput.ActivitySeen.class,
            CoordinatorInput.Submitting.class));
  }
}
