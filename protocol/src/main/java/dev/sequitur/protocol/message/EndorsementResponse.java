package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.transaction.Signature;
import java.util.List;

/** A party's endorsement: its signature over the digest of the assembly. */
public record EndorsementResponse(
    TransactionId transactionId,
    RequestId idempotencyKey,
    ContractAddress contract,
    Signature endorsement,
    Identity party,
    String attestationRequestName)
    implements Message.ForCoordinator {
  @Override
  public List<TransactionId> transactions() {
    return List.of(transactionId);
  }
}
