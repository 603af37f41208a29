package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.PrivateState;
import java.util.List;

/**
 * External submit mode: the prepared transaction goes to the sender's node, which stores it before
 * it acknowledges (EXT-1).
 */
public record PreparedTransactionDistribution(
    RequestId distributionId,
    ContractAddress contract,
    DelegationId delegationId,
    PreparedTransaction prepared,
    List<PrivateState> outputs)
    implements Message.ForSender {
  @Override
  public List<TransactionId> transactions() {
    return List.of(prepared.transaction());
  }

  /** The same with only some of its outputs. */
  public PreparedTransactionDistribution withOutputs(List<PrivateState> some) {
    return new PreparedTransactionDistribution(
        distributionId, contract, delegationId, prepared, some);
  }
}
