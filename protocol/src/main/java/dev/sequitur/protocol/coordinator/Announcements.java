package dev.sequitur.protocol.coordinator;

import dev.sequitur.protocol.id.HeartbeatSequence;
import java.time.Instant;
import java.util.Optional;

/**
 * What a coordinator has told the others of itself.
 *
 * @param sequence of its newest heartbeat; the incarnation tells one start of it from another
 * @param startupSentAt when this node last announced itself for this contract
 */
public record Announcements(
    HeartbeatSequence sequence, Optional<Instant> lastHeartbeat, Optional<Instant> startupSentAt) {
  Announcements heartbeat(HeartbeatSequence newest, Instant at) {
    return new Announcements(newest, Optional.of(at), startupSentAt);
  }

  Announcements startup(Instant at) {
    return new Announcements(sequence, lastHeartbeat, Optional.of(at));
  }
}
