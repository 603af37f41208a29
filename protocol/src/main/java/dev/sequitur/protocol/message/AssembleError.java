package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionId;
import java.util.List;

/**
 * The sender does not assemble this transaction: the coordinator stops coordinating it, the sender
 * decides what becomes of it (ASM-4).
 *
 * @param errorMessage for people; holds no private data
 */
public record AssembleError(
    TransactionId transaction,
    RequestId assembleRequestId,
    ContractAddress contract,
    Reason reason,
    String errorMessage)
    implements Message.ForCoordinator {

  /** Why it was not assembled. */
  public enum Reason {
    /** The sender has no such transaction in flight. */
    UNKNOWN_TRANSACTION,
    /** The request is not of the active delegation. */
    NOT_ACTIVE_DELEGATION,
    /** The domain could not assemble it now. */
    FAILED,
    /** The sender has put it aside. */
    PARKED,
    /** The sender has ended it as reverted. */
    REVERTED
  }

  @Override
  public List<TransactionId> transactions() {
    return List.of(transaction);
  }
}
