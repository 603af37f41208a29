package dev.sequitur.sequencer.view;

import dev.sequitur.cluster.serialization.ProtocolSerializable;
import dev.sequitur.protocol.id.NodeName;
import java.util.List;

/**
 * What one coordinator tells of itself.
 *
 * @param unavailable members' nodes that it presumes to be away
 */
public record CoordinatorReport(
    SequencerStatus.CoordinatorStatus status,
    List<SequencerStatus.HeartbeatSeen> heard,
    List<NodeName> unavailable)
    implements ProtocolSerializable {}
