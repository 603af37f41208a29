package dev.sequitur.sequencer.view;

import dev.sequitur.persistence.serialization.ProtocolSerializable;
import dev.sequitur.protocol.id.NodeName;
import java.time.Instant;
import java.util.List;

/**
 * What one sender tells of itself.
 *
 * @param unavailable members' nodes that it presumes to be away, since they did not answer it
 */
public record SenderReport(
    SequencerStatus.SenderStatus status,
    List<SequencerStatus.HeartbeatSeen> submitters,
    List<Away> unavailable)
    implements ProtocolSerializable {

  /**
   * @param until when it is worth another try, by this node's clock
   */
  public record Away(NodeName node, Instant until) {}
}
