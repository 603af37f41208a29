package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import java.util.List;

/** Tells the sender that a submitter holds its transaction. Fire and forget (DSP-7). */
public record Dispatched(
    ContractAddress contract,
    TransactionId transaction,
    DelegationId delegationId,
    NodeName submitter)
    implements Message.ForSender {
  @Override
  public List<TransactionId> transactions() {
    return List.of(transaction);
  }
}
