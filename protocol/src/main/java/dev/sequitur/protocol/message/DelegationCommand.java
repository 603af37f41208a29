package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import java.util.List;

/**
 * A sender asks a coordinator to coordinate its transactions of one contract (DLG-4, DLG-5).
 *
 * @param blockHeight the height upon which the delegation was calculated: of crossing commands the
 *     higher one wins, then the later one
 */
public record DelegationCommand(
    DelegationId delegationId,
    NodeName delegateNode,
    ContractAddress contract,
    List<PrivateTransaction> privateTransactions,
    BlockHeight blockHeight)
    implements Message.ForCoordinator {
  public DelegationCommand {
    privateTransactions = List.copyOf(privateTransactions);
  }

  @Override
  public List<TransactionId> transactions() {
    return privateTransactions.stream().map(PrivateTransaction::id).toList();
  }
}
