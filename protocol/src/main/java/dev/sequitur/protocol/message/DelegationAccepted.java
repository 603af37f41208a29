package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.HeartbeatSequence;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import java.util.List;

/**
 * The coordinator coordinates these from now on, in memory only.
 *
 * @param sequence the coordinator's heartbeat sequence when it accepted: earlier heartbeats say
 *     nothing about these transactions (AVL-5)
 */
public record DelegationAccepted(
    DelegationId delegationId,
    NodeName delegateNode,
    ContractAddress contract,
    List<TransactionId> transactions,
    HeartbeatSequence sequence)
    implements Message.ForSender {
  public DelegationAccepted {
    transactions = List.copyOf(transactions);
  }
}
