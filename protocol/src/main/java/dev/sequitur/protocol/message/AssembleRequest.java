package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.transaction.StateLocks;
import java.util.List;

/**
 * The coordinator asks the sender to assemble its transactions, one after another, each upon the
 * locks that the one before it left (ASM-1): each item is one of the specification's assemble
 * requests. Each is answered by an {@link AssembleResponse} or an {@link AssembleError} of its own
 * with the same request id.
 */
public record AssembleRequest(
    RequestId assembleRequestId,
    ContractAddress contract,
    BlockHeight blockHeight,
    StateLocks stateLocks,
    List<Item> items)
    implements Message.ForSender {
  public AssembleRequest {
    items = List.copyOf(items);
  }

  /** One transaction under its active delegation, with the inputs it was delegated with. */
  public record Item(
      TransactionId transaction,
      DelegationId delegationId,
      Bytes transactionInputs,
      Bytes preAssembly) {}

  @Override
  public List<TransactionId> transactions() {
    return items.stream().map(Item::transaction).toList();
  }
}
