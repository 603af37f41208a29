package dev.sequitur.sequencer.actor;

import dev.sequitur.persistence.serialization.Alternatives;
import dev.sequitur.persistence.serialization.Schema;
import dev.sequitur.persistence.serialization.SchemaContribution;
import dev.sequitur.protocol.distribution.StateStoreEvent;
import dev.sequitur.protocol.sender.SenderEvent;
import dev.sequitur.protocol.submitter.SubmitterEvent;
import java.util.List;

/** The names under which the sequencer's events and snapshots are stored, for life. */
public final class SequencerSchemas implements SchemaContribution {
  @Override
  public List<Schema<?>> schemas() {
    return List.of(
        Schema.of("SenderEvent", 1, SenderEvent.class),
        Schema.of("SubmitterEvent", 1, SubmitterEvent.class),
        Schema.of("StateStoreEvent", 1, StateStoreEvent.class),
        Schema.of("SenderSnapshot", 1, SequencerSnapshots.SenderSnapshot.class),
        Schema.of("SubmitterSnapshot", 1, SequencerSnapshots.SubmitterSnapshot.class),
        Schema.of("StateStoreSnapshot", 1, SequencerSnapshots.StateStoreSnapshot.class));
  }

  @Override
  public List<Alternatives<?>> alternatives() {
    return List.of(
        Alternatives.of(SenderEvent.class)
            .name("EpochBegun", SenderEvent.EpochBegun.class)
            .name("AttemptFailed", SenderEvent.AttemptFailed.class)
            .name("Parked", SenderEvent.Parked.class)
            .name("Resumed", SenderEvent.Resumed.class)
            .name("Ended", SenderEvent.Ended.class)
            .build(),
        Alternatives.of(SubmitterEvent.class)
            .name("DispatchesAccepted", SubmitterEvent.DispatchesAccepted.class)
            .name("Repriced", SubmitterEvent.Repriced.class)
            .name("Abandoned", SubmitterEvent.Abandoned.class)
            .name("Settled", SubmitterEvent.Settled.class)
            .name("Notifying", SubmitterEvent.Notifying.class)
            .name("Notified", SubmitterEvent.Notified.class)
            .name("NonceMoved", SubmitterEvent.NonceMoved.class)
            .build(),
        Alternatives.of(StateStoreEvent.class)
            .name("StatesStored", StateStoreEvent.StatesStored.class)
            .name("DistributionBegun", StateStoreEvent.DistributionBegun.class)
            .name("DistributionAcknowledged", StateStoreEvent.DistributionAcknowledged.class)
            .name("BlockApplied", StateStoreEvent.BlockApplied.class)
            .build());
  }
}
