package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.HeartbeatSequence;
import dev.sequitur.protocol.id.TransactionId;
import java.time.Instant;
import java.util.List;

/**
 * A coordinator lives and coordinates these. Fire and forget.
 *
 * @param heartbeatId orders this with the coordinator's acceptances (AVL-5)
 * @param timestamp by the coordinator's clock: for people, no rule compares it
 * @param transactions all active delegations of the node it is sent to, at least
 */
public record CoordinatorHeartbeatNotification(
    HeartbeatSequence heartbeatId,
    Instant timestamp,
    ContractAddress contract,
    List<TransactionId> transactions)
    implements Message.Heartbeat, Message.ForCoordinator, Message.ForEndorser {
  public CoordinatorHeartbeatNotification {
    transactions = List.copyOf(transactions);
  }
}
