package dev.sequitur.sequencer.actor;

import dev.sequitur.encoding.Alternatives;
import dev.sequitur.persistence.serialization.Schema;
import dev.sequitur.persistence.serialization.SchemaContribution;
import dev.sequitur.protocol.distribution.StateStoreEvent;
import dev.sequitur.protocol.messaging.MessageBookEvent;
import dev.sequitur.protocol.sender.SenderEvent;
import dev.sequitur.protocol.submitter.SubmitterEvent;
import java.util.List;

/**
 * The names and numbers under which the sequencer's events and snapshots are stored, for life. What
 * is new goes to the end of its list.
 */
public final class SequencerSchemas implements SchemaContribution {
  @Override
  public List<Schema<?>> schemas() {
    return List.of(
        Schema.of("SenderEvent", 1, SenderEvent.class),
        Schema.of("SubmitterEvent", 1, SubmitterEvent.class),
        Schema.of("StateStoreEvent", 1, StateStoreEvent.class),
        Schema.of("MessageBookEvent", 1, MessageBookEvent.class),
        Schema.of("MessageBookSnapshot", 1, SequencerSnapshots.MessageBookSnapshot.class),
        Schema.of("SenderSnapshot", 1, SequencerSnapshots.SenderSnapshot.class),
        Schema.of("SubmitterSnapshot", 1, SequencerSnapshots.SubmitterSnapshot.class),
        Schema.of("StateStoreSnapshot", 1, SequencerSnapshots.StateStoreSnapshot.class));
  }

  @Override
  public List<Alternatives<?>> alternatives() {
    return List.of(
        Alternatives.of(
            MessageBookEvent.class,
            MessageBookEvent.Acknowledged.class,
            MessageBookEvent.Welcomed.class),
        Alternatives.of(
            SenderEvent.class,
            SenderEvent.EpochBegun.class,
            SenderEvent.AttemptFailed.class,
            SenderEvent.Parked.class,
            SenderEvent.Resumed.class,
            SenderEvent.Ended.class),
        Alternatives.of(
            SubmitterEvent.class,
            SubmitterEvent.DispatchesAccepted.class,
            SubmitterEvent.Repriced.class,
            SubmitterEvent.Abandoned.class,
            SubmitterEvent.Settled.class,
            SubmitterEvent.Notifying.class,
            SubmitterEvent.Notified.class,
            SubmitterEvent.NonceMoved.class,
            SubmitterEvent.Packed.class,
            SubmitterEvent.PublicsTaken.class,
            SubmitterEvent.Refused.class,
            SubmitterEvent.PublicNonceLost.class,
            SubmitterEvent.PublicEnded.class,
            SubmitterEvent.ReceiptsStored.class,
            SubmitterEvent.PublicDropped.class,
            SubmitterEvent.PublicChanged.class,
            SubmitterEvent.NoncesFreed.class,
            SubmitterEvent.CallShown.class,
            SubmitterEvent.ShownForgotten.class,
            SubmitterEvent.PublicFound.class),
        Alternatives.of(
            StateStoreEvent.class,
            StateStoreEvent.StatesStored.class,
            StateStoreEvent.DistributionBegun.class,
            StateStoreEvent.DistributionAcknowledged.class,
            StateStoreEvent.BlockApplied.class,
            StateStoreEvent.ContentsLost.class,
            StateStoreEvent.DistributionsGathered.class,
            StateStoreEvent.ContentsGiven.class,
            StateStoreEvent.ContentsSought.class,
            StateStoreEvent.DifferenceFound.class,
            StateStoreEvent.Corrected.class,
            StateStoreEvent.ErasureDemanded.class,
            StateStoreEvent.ContentsErased.class,
            StateStoreEvent.ContentsWiped.class,
            StateStoreEvent.ErasureAnswered.class,
            StateStoreEvent.ContentsDropped.class));
  }
}
