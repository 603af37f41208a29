package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionId;
import java.util.List;

/** The sender denies the dispatch (DSP-4). */
public record DispatchConfirmationError(
    RequestId requestId,
    TransactionId transaction,
    ContractAddress contract,
    DelegationId delegationId,
    Reason reason)
    implements Message.ForCoordinator {

  /** Why the dispatch is denied. */
  public enum Reason {
    UNKNOWN_TRANSACTION,
    NOT_ACTIVE_DELEGATE,
    HASH_MISMATCH,
    ALREADY_FINAL
  }

  @Override
  public List<TransactionId> transactions() {
    return List.of(transaction);
  }
}
