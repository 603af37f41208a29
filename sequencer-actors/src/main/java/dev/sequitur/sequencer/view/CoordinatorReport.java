package dev.sequitur.sequencer.view;

import dev.sequitur.persistence.serialization.ProtocolSerializable;
import java.util.List;

/** What one coordinator tells of itself. */
public record CoordinatorReport(
    SequencerStatus.CoordinatorStatus status, List<SequencerStatus.HeartbeatSeen> heard)
    implements ProtocolSerializable {}
