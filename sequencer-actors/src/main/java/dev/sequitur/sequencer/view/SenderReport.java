package dev.sequitur.sequencer.view;

import dev.sequitur.cluster.serialization.ProtocolSerializable;
import java.util.List;

/** What one sender tells of itself. */
public record SenderReport(
    SequencerStatus.SenderStatus status, List<SequencerStatus.HeartbeatSeen> submitters)
    implements ProtocolSerializable {}
