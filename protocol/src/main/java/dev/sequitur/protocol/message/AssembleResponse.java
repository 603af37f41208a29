package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.transaction.PostAssembly;
import java.util.List;

/** The sender has assembled and signed one transaction. */
public record AssembleResponse(
    TransactionId transaction,
    RequestId assembleRequestId,
    ContractAddress contract,
    PostAssembly postAssembly)
    implements Message.ForCoordinator {
  @Override
  public List<TransactionId> transactions() {
    return List.of(transaction);
  }
}
