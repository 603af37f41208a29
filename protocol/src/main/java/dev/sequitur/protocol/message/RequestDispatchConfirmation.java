package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionId;
import java.util.List;

/**
 * The coordinator asks the sender's leave to dispatch (DSP-3).
 *
 * @param assemblyHash see {@link
 *     dev.sequitur.protocol.transaction.PostAssembly#confirmationHash(TransactionId, DelegationId)}
 */
public record RequestDispatchConfirmation(
    RequestId requestId,
    TransactionId transaction,
    ContractAddress contract,
    DelegationId delegationId,
    NodeName coordinator,
    Hash assemblyHash)
    implements Message.ForSender {
  @Override
  public List<TransactionId> transactions() {
    return List.of(transaction);
  }
}
