package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.id.BlockRange;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The last heartbeat of a submitter.
 *
 * @param oldest the earliest range among {@code pending}
 */
public record SubmitterSeen(
    Instant at, List<SubmitterHeartbeatNotification.Pending> pending, Optional<BlockRange> oldest) {
  static SubmitterSeen of(Instant at, List<SubmitterHeartbeatNotification.Pending> pending) {
    var oldest =
        pending.stream()
            .map(SubmitterHeartbeatNotification.Pending::range)
            .min(Comparator.naturalOrder());
    return new SubmitterSeen(at, pending, oldest);
  }
}
