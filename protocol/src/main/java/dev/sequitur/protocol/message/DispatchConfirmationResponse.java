package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionId;
import java.util.List;

/** The sender grants the dispatch (DSP-4). */
public record DispatchConfirmationResponse(
    RequestId requestId,
    TransactionId transaction,
    ContractAddress contract,
    DelegationId delegationId)
    implements Message.ForCoordinator {
  @Override
  public List<TransactionId> transactions() {
    return List.of(transaction);
  }
}
